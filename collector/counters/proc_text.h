/* Parses the lines of files of /proc into numbers with names; reads no files itself. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a line begins, before its numbers. */
typedef enum HieraProcLabel {
    HIERA_PROC_COLON,  /* "VmRSS:   123 kB": label up to the colon */
    HIERA_PROC_WORD,   /* "pgfault 123": label up to the blank */
    HIERA_PROC_NONE,   /* no label, only numbers */
    HIERA_PROC_PROCESS /* "12 (name) R 1 …": no label; numbers from behind the last parenthesis and the state R */
} HieraProcLabel;

/* A column of a line's numbers. */
typedef struct HieraProcColumn {
    const char *name; /* name of the number in this column; NULL: the column is skipped */
    char unit;        /* 'B' bytes, 'p' pages, 't' clock ticks, '.' two decimals, '#' a count */
    bool is_level;
    const char *help; /* one line for lists of counters; NULL: none */
} HieraProcColumn;

typedef struct HieraProcFormat {
    HieraProcLabel label;
    const HieraProcColumn *columns; /* n_columns columns; NULL: a line has one number, perhaps followed by " kB" */
    unsigned n_columns;
} HieraProcFormat;

/* A number that was found in a line, and its name in two parts: label and column. */
typedef struct HieraProcNumber {
    const char *label; /* label_length bytes of the line, without a NUL; length 0: the line has no label */
    size_t label_length;
    const HieraProcColumn *column; /* column of the number; NULL: it is the line's only number */
    bool is_kilobytes, is_real;
    uint64_t whole; /* the number as written; if is_real, in hundredths */
} HieraProcNumber;

typedef void HieraProcVisit(void *data, const HieraProcNumber *number);

/* Call `visit` for each number of a line; numbers in skipped columns are left out. */
void hiera_proc_line(const HieraProcFormat *format, const char *line, size_t length, HieraProcVisit *visit, void *data);

/* Whether label and column of the number make the name `key`: "VmRSS", "cpu/user", "resident". */
bool hiera_proc_is(const HieraProcNumber *number, const char *key);

/* Write the name of a number, "LABEL/COLUMN" or one of both, cut to `room` bytes. */
void hiera_proc_key(const HieraProcNumber *number, char *key, size_t room);
