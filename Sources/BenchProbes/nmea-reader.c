// A plain reader of NMEA 0183, for comparison: one line at a time, one byte at a time, numbers as integer and scale.
#include "bench-probes.h"
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

typedef struct {
    int_least64_t value;
    int_least64_t scale;
} decimal;

typedef struct {
    int hours, minutes, seconds, microseconds;
} clock_time;

typedef struct {
    int day, month, year;
} calendar_date;

static int hex(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return -1;
}

static bool is_field_end(char c) { return c == ',' || c == '*'; }

static bool check(const char *line, const char *end, const char **star) {
    if (end - line < 9 || *line != '$') return false;
    uint8_t sum = 0;
    const char *p = line + 1;
    while (p < end && *p != '*') sum ^= (uint8_t)*p++;
    if (end - p < 3) return false;
    int high = hex(p[1]), low = hex(p[2]);
    *star = p;
    return high >= 0 && low >= 0 && (high << 4 | low) == sum;
}

static bool scan_decimal(const char *field, decimal *out) {
    int sign = 0;
    int_least64_t value = -1, scale = 0;
    for (; !is_field_end(*field); field++) {
        if (*field == '+' && !sign && value == -1) {
            sign = 1;
        } else if (*field == '-' && !sign && value == -1) {
            sign = -1;
        } else if (*field >= '0' && *field <= '9') {
            if (value == -1) value = 0;
            if (value > (INT_LEAST64_MAX - 9) / 10) {
                if (scale) break;
                return false;
            }
            value = 10 * value + (*field - '0');
            if (scale) scale *= 10;
        } else if (*field == '.' && scale == 0) {
            scale = 1;
        } else {
            return false;
        }
    }
    if ((sign || scale) && value == -1) return false;
    if (value == -1) {
        value = scale = 0;
    } else if (scale == 0) {
        scale = 1;
    }
    out->value = sign < 0 ? -value : value;
    out->scale = scale;
    return true;
}

static bool two_digits(const char *p, int *out) {
    if (p[0] < '0' || p[0] > '9' || p[1] < '0' || p[1] > '9') return false;
    *out = 10 * (p[0] - '0') + p[1] - '0';
    return true;
}

static bool scan_time(const char *field, clock_time *out) {
    *out = (clock_time){-1, -1, -1, -1};
    if (is_field_end(*field)) return true;
    if (!two_digits(field, &out->hours) || !two_digits(field + 2, &out->minutes) ||
        !two_digits(field + 4, &out->seconds))
        return false;
    field += 6;
    out->microseconds = 0;
    if (*field == '.') {
        int scale = 1000000;
        for (field++; *field >= '0' && *field <= '9' && scale > 1; field++) {
            out->microseconds = 10 * out->microseconds + *field - '0';
            scale /= 10;
        }
        out->microseconds *= scale;
    }
    return true;
}

/// c: a letter, d: a hemisphere, f: a decimal, i: an integer, T: time, D: date, _: nothing, ;: what follows is optional.
static bool scan(const char *text, const char *format, ...) {
    bool optional = false, result = false;
    const char *field = text;
    va_list out;
    va_start(out, format);
    for (; *format; format++) {
        if (*format == ';') {
            optional = true;
            continue;
        }
        if (!field) {
            if (optional) break;
            goto end;
        }
        switch (*format) {
        case 'c': *va_arg(out, char *) = is_field_end(*field) ? '\0' : *field; break;
        case 'd': {
            int value = 0;
            if (!is_field_end(*field)) {
                if (*field == 'N' || *field == 'E') {
                    value = 1;
                } else if (*field == 'S' || *field == 'W') {
                    value = -1;
                } else {
                    goto end;
                }
            }
            *va_arg(out, int *) = value;
            break;
        }
        case 'f':
            if (!scan_decimal(field, va_arg(out, decimal *))) goto end;
            break;
        case 'i': {
            decimal number;
            if (!scan_decimal(field, &number) || number.scale > 1) goto end;
            *va_arg(out, int *) = (int)number.value;
            break;
        }
        case 'T':
            if (!scan_time(field, va_arg(out, clock_time *))) goto end;
            break;
        case 'D': {
            calendar_date *date = va_arg(out, calendar_date *);
            *date = (calendar_date){-1, -1, -1};
            if (!is_field_end(*field) && (!two_digits(field, &date->day) || !two_digits(field + 2, &date->month) ||
                                          !two_digits(field + 4, &date->year)))
                goto end;
            break;
        }
        default: break;
        }
        while (!is_field_end(*field)) field++;
        field = *field == ',' ? field + 1 : NULL;
    }
    result = true;
end:
    va_end(out);
    return result;
}

static double degrees(decimal angle) {
    if (angle.scale == 0) return 0;
    int_least64_t whole = angle.value / (angle.scale * 100);
    return (double)whole + (double)(angle.value % (angle.scale * 100)) / (60.0 * (double)angle.scale);
}

static bool parse(const char *line, nmea_reader_totals *totals) {
    const char *fields = line + 7;
    clock_time time;
    calendar_date date;
    decimal latitude, longitude, speed, course, variation, hdop, altitude, height, age, pdop, vdop, errors[7];
    int north, east, variation_side, quality, satellites, dimension, prn[12], numbers[3], sky[4][4];
    char status, unit, other, mode, letters[5];
    switch (line[3] << 16 | line[4] << 8 | line[5]) {
    case 'R' << 16 | 'M' << 8 | 'C':
        if (!scan(fields, "TcfdfdffD;fdc", &time, &status, &latitude, &north, &longitude, &east, &speed, &course, &date,
                  &variation, &variation_side, &mode))
            return false;
        if (status != 'A') return true;
        break;
    case 'G' << 16 | 'G' << 8 | 'A':
        if (!scan(fields, "Tfdfdiiffcfc;f_", &time, &latitude, &north, &longitude, &east, &quality, &satellites, &hdop,
                  &altitude, &unit, &height, &other, &age))
            return false;
        if (quality == 0) return true;
        break;
    case 'G' << 16 | 'S' << 8 | 'A':
        return scan(fields, "ciiiiiiiiiiiiifff", &mode, &dimension, &prn[0], &prn[1], &prn[2], &prn[3], &prn[4], &prn[5],
                    &prn[6], &prn[7], &prn[8], &prn[9], &prn[10], &prn[11], &pdop, &hdop, &vdop);
    case 'G' << 16 | 'S' << 8 | 'T':
        return scan(fields, "Tfffffff", &time, &errors[0], &errors[1], &errors[2], &errors[3], &errors[4], &errors[5],
                    &errors[6]);
    case 'G' << 16 | 'S' << 8 | 'V':
        return scan(fields, "iii;iiiiiiiiiiiiiiii", &numbers[0], &numbers[1], &numbers[2], &sky[0][0], &sky[0][1],
                    &sky[0][2], &sky[0][3], &sky[1][0], &sky[1][1], &sky[1][2], &sky[1][3], &sky[2][0], &sky[2][1],
                    &sky[2][2], &sky[2][3], &sky[3][0], &sky[3][1], &sky[3][2], &sky[3][3]);
    case 'V' << 16 | 'T' << 8 | 'G':
        return scan(fields, "fcfcfcfc;c", &course, &letters[0], &variation, &letters[1], &speed, &letters[2], &height,
                    &letters[3], &mode);
    default: return true;
    }
    totals->positions++;
    totals->sum += degrees(latitude) * north + degrees(longitude) * east;
    return true;
}

void nmea_reader_read(const char *text, size_t length, nmea_reader_totals *totals) {
    const char *end = text + length;
    while (text < end) {
        const char *line_end = memchr(text, '\n', (size_t)(end - text));
        if (!line_end) return;
        const char *star;
        totals->sentences++;
        if (!check(text, line_end, &star) || !parse(text, totals)) totals->rejected++;
        text = line_end + 1;
    }
}
