/* Numbers in the lines of files of /proc: pure functions of text. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The form of the begin of a line. */
typedef enum HieraProcLabel {
    HIERA_PROC_COLON,  /* "VmRSS:   123 kB": label up to the colon */
    HIERA_PROC_WORD,   /* "pgfault 123": label up to the blank */
    HIERA_PROC_NONE,   /* no label, only numbers */
    HIERA_PROC_PROCESS /* "12 (name) R 1 …": begins behind the last parenthesis; the state is skipped */
} HieraProcLabel;

/* A column: its name and the unit of its number (bytes, pages, clock ticks, a real number, or a plain number). */
typedef struct HieraProcColumn {
    const char *name; /* NULL: the column is skipped */
    char unit;        /* unit of the column: 'B', 'p', 't', '.', or '#', see above */
    bool is_level;
    const char *help; /* may be NULL */
} HieraProcColumn;

typedef struct HieraProcFormat {
    HieraProcLabel label;
    const HieraProcColumn *columns; /* NULL: the line has one number, which may be followed by " kB" */
    unsigned n_columns;
} HieraProcFormat;

/* A number of a line. */
typedef struct HieraProcNumber {
    const char *label; /* label_length bytes, not terminated; 0: the line has no label */
    size_t label_length;
    const HieraProcColumn *column; /* NULL: the line's only number */
    bool is_kilobytes, is_real;
    uint64_t whole; /* the number as written; a real number in hundredths */
} HieraProcNumber;

typedef void HieraProcVisit(void *data, const HieraProcNumber *number);

/* Call `visit` for each number of a line that has a name. */
void hiera_proc_line(const HieraProcFormat *format, const char *line, size_t length, HieraProcVisit *visit, void *data);

/* Whether the number has this name: "VmRSS", "cpu/user", "resident". */
bool hiera_proc_is(const HieraProcNumber *number, const char *key);

/* Write the name of a number; it is cut if it is longer than `room`. */
void hiera_proc_key(const HieraProcNumber *number, char *key, size_t room);
