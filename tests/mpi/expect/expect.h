/* Expected elements, written beside the calls: each EXPECT() describes the call on the line after it.
 *
 *     EXPECT("send", "count=3 type=MPI_INT dest=%d tag=7 comm=MPI_COMM_WORLD bytes=12", next);
 *     MPI_Send(buffer, 3, MPI_INT, next, 7, MPI_COMM_WORLD);
 *
 * The element must have exactly these attributes. A value with blanks is written '…'; the value * matches any value.
 * ALSO() adds attributes to the EXPECT() before it. EXPECT_REGION() describes a region. Each rank writes its
 * expectations to $HIERA_DIR/expect<rank>; run.py compares them with the trace, element by element. */
#ifndef EXPECT_H
#define EXPECT_H

#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *expect_text;
static size_t expect_bytes, expect_room;
static int expect_depth; /* number of open regions */
static int expect_request __attribute__((unused)); /* number of the last request: use ++expect_request */

static void expect_add(const char *format, va_list arguments)
{
    if (expect_room - expect_bytes < 8192)
        expect_text = (char *)realloc(expect_text, expect_room = 2 * expect_room + 65536);
    expect_bytes += (size_t)vsnprintf(expect_text + expect_bytes, 4096, format, arguments);
}

__attribute__((format(printf, 1, 2))) static void expect_put(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    expect_add(format, arguments);
    va_end(arguments);
}

__attribute__((format(printf, 5, 6), unused)) static void expect(const char *element, const char *file, int line,
                                                                 const char *operation, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *slash = strrchr(file, '/');
    expect_put("\n%d %s %s %d operation='%s' ", expect_depth, element, slash ? slash + 1 : file, line, operation);
    expect_add(format, arguments);
    va_end(arguments);
}

/* Arguments: the operation, a printf format of its attributes, and the values. */
#define EXPECT(operation, ...)        expect("hieraMPI", __FILE__, __LINE__ + 1, operation, __VA_ARGS__)
#define EXPECT_REGION(operation, ...) expect("hieraRegion", __FILE__, __LINE__ + 1, operation, __VA_ARGS__)
/* More attributes. The call is one line further down. */
#define ALSO(...) (expect_put("\n+%d ", __LINE__ + 1), expect_put(__VA_ARGS__))

/* Write the expectations. To be called after MPI_Finalize, with the rank in MPI_COMM_WORLD. */
__attribute__((unused)) static void expect_write(int rank)
{
    char path[4096];
    const char *dir = getenv("HIERA_DIR");
    snprintf(path, sizeof path, "%s/expect%d", dir ? dir : ".", rank);
    FILE *file = fopen(path, "w");
    if (!file || !expect_text)
        exit(99);
    fwrite(expect_text, 1, expect_bytes, file);
    fclose(file);
}

/* Ranks as traces write them: "0-3", or "0" if there is only one. */
__attribute__((unused)) static const char *expect_range(int first, int last)
{
    static char texts[8][32];
    static int turn;
    char *text = texts[turn++ % 8];
    snprintf(text, 32, first == last ? "%d" : "%d-%d", first, last);
    return text;
}

#endif
