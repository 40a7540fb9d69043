#ifndef FIXCAST_CYAML_SHIM_H
#define FIXCAST_CYAML_SHIM_H
#include <yaml.h>
#endif
