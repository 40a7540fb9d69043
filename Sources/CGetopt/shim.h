#ifndef FIXCAST_CGETOPT_SHIM_H
#define FIXCAST_CGETOPT_SHIM_H
#include <getopt.h>
#include <stddef.h>

// getopt keeps its state in global variables, which Swift may not touch.

/// Begins anew, silently: the caller words its own messages.
static inline void fixcast_getopt_reset(void) {
  opterr = 0;
#if defined(__APPLE__)
  optreset = 1;
  optind = 1;
#else
  optind = 0;
#endif
}

static inline int fixcast_getopt_next(int argc, char **argv, const char *short_options,
                                      const struct option *long_options) {
  return getopt_long(argc, argv, short_options, long_options, NULL);
}

/// The argument of the option that was found last.
static inline const char *fixcast_getopt_argument(void) { return optarg; }

/// The value of the option that is wrong; 0 where it is an unknown long one.
static inline int fixcast_getopt_wrong(void) { return optopt; }

/// The place of the next element of argv.
static inline int fixcast_getopt_index(void) { return optind; }
#endif
