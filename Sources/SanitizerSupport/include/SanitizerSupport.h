#ifndef FIXCAST_SANITIZER_SUPPORT_H
#define FIXCAST_SANITIZER_SUPPORT_H
// Nothing to call: linking is all.
#endif
