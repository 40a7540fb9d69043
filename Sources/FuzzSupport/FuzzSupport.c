#include "FuzzSupport.h"
