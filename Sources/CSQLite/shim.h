#ifndef FIXCAST_CSQLITE_SHIM_H
#define FIXCAST_CSQLITE_SHIM_H
#include <sqlite3.h>
#endif
