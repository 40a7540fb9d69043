#ifndef BENCH_PROBES_H
#define BENCH_PROBES_H

#include <stddef.h>
#include <stdint.h>

/// What a plain C reader found in NMEA 0183 text.
typedef struct {
    uint64_t sentences;
    uint64_t rejected;
    /// Positions of RMC and GGA with a fix, and the sum of their coordinates, so that no work is optimised away.
    uint64_t positions;
    double sum;
} nmea_reader_totals;

/// Reads whole lines of NMEA 0183: checksum, then the fields of RMC, GGA, GSA, GST, GSV and VTG, driven by a format as the
/// usual small C libraries do it.
void nmea_reader_read(const char *text, size_t length, nmea_reader_totals *totals);

/// How many blocks this process asked the heap for; 0 for ever where that cannot be counted.
uint64_t allocation_count(void);

#endif
