/* The source file that is compiled, and messages about places in this file. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct HieraSource {
    const char *name; /* name of the file on the command line */
    const char *text; /* content of the file: `length` bytes, followed by a NUL */
    size_t length;
} HieraSource;

/* A range of bytes in a source: offsets of its first byte and behind its last one. */
typedef struct HieraSourceSpan {
    size_t begin, end;
} HieraSourceSpan;

/* Read an open file to its end into source->text; ends the process on errors. */
void hiera_source_read(HieraSource *source, int file);

/* Number of the line, from 1, that contains the byte at offset `at`. */
unsigned hiera_source_line(const HieraSource *source, size_t at);

/* Print an error or a warning as compilers do: file:line:column, the source line, and a caret under the span. */
void hiera_source_tell(const HieraSource *source, bool is_error, HieraSourceSpan span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static inline bool hiera_span_has(HieraSourceSpan span, size_t at)
{
    return at >= span.begin && at < span.end;
}

/* Append an element to an array of n, and return its address; lack of memory ends the process. */
#define HIERA_GROW(array, n) ((array) = hiera_source_grow((array), (n), sizeof *(array)), &(array)[(n)++])
void *hiera_source_grow(void *array, size_t n, size_t size);
