#ifndef FIXCAST_CMOSQUITTO_SHIM_H
#define FIXCAST_CMOSQUITTO_SHIM_H
#include <mosquitto.h>
#include <mqtt_protocol.h>
#endif
