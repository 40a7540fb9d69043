#ifndef FIXCAST_CEXPAT_SHIM_H
#define FIXCAST_CEXPAT_SHIM_H
#include <expat.h>
#endif
