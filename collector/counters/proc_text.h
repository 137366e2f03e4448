/* Numbers in the lines of files of /proc: pure functions of text. */
#ifndef HIERA_PROC_TEXT_H
#define HIERA_PROC_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a line begins. */
typedef enum HieraProcLabel {
    HIERA_PROC_COLON,  /* "VmRSS:   123 kB": up to the colon */
    HIERA_PROC_WORD,   /* "pgfault 123": up to the blank */
    HIERA_PROC_NONE,   /* numbers alone */
    HIERA_PROC_PROCESS /* "12 (name) R 1 …": behind the last parenthesis, the state skipped */
} HieraProcLabel;

/* What a number of a column is: bytes, pages, ticks of the processor's time, a real number; a plain one. */
typedef struct HieraProcColumn {
    const char *name; /* NULL: nobody asks for it */
    char unit;        /* 'B', 'p', 't', '.', or '#' */
    bool is_level;
    const char *help; /* may be NULL */
} HieraProcColumn;

typedef struct HieraProcFormat {
    HieraProcLabel label;
    const HieraProcColumn *columns; /* NULL: one number, which may have " kB" behind it */
    unsigned n_columns;
} HieraProcFormat;

/* A number of a line. */
typedef struct HieraProcNumber {
    const char *label; /* label_length bytes; 0: the line has none */
    size_t label_length;
    const HieraProcColumn *column; /* NULL: the line's only number */
    bool is_kilobytes, is_real;
    uint64_t whole; /* as it is there; of a real number in hundredths */
} HieraProcNumber;

typedef void HieraProcVisit(void *data, const HieraProcNumber *number);

/* Tell each number of a line that has a name. */
void hiera_proc_line(const HieraProcFormat *format, const char *line, size_t length, HieraProcVisit *visit, void *data);

/* Is this number called so: "VmRSS", "cpu/user", "resident"? */
bool hiera_proc_is(const HieraProcNumber *number, const char *key);

/* Its name, cut if it is longer than the room. */
void hiera_proc_key(const HieraProcNumber *number, char *key, size_t room);

#endif
