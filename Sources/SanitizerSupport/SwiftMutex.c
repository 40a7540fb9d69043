// Tells the thread sanitizer what Swift's Mutex does where it has to wait.
//
// On Linux the Mutex of Swift's Synchronization waits and wakes inside its shared library, which is not instrumented:
// where two threads meet, the sanitizer sees neither the release nor the acquisition, and reports everything that the
// mutex guards as a race. These two functions stand before the library's own, call them and state the order. Without the
// sanitizer this file is empty.

#if defined(__linux__) && defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define _GNU_SOURCE
#include "SanitizerSupport.h"
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

// Synchronization._MutexHandle._lockSlow(UInt32) and ._unlockSlow()
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

typedef SWIFT void (*lock_function)(uint32_t, SELF void *);
typedef SWIFT void (*unlock_function)(SELF void *);

void __tsan_acquire(void *);
void __tsan_release(void *);

SWIFT void fixcast_mutex_lock(uint32_t thread, SELF void *mutex) __asm__(LOCK);
SWIFT void fixcast_mutex_unlock(SELF void *mutex) __asm__(UNLOCK);

static void *next(const char *name) {
  void *function = dlsym(RTLD_NEXT, name);
  if (function == NULL) abort();
  return function;
}

SWIFT void fixcast_mutex_lock(uint32_t thread, SELF void *mutex) {
  ((lock_function)next(LOCK))(thread, mutex);
  __tsan_acquire(mutex);
}

SWIFT void fixcast_mutex_unlock(SELF void *mutex) {
  __tsan_release(mutex);
  ((unlock_function)next(UNLOCK))(mutex);
}
#endif
#endif
