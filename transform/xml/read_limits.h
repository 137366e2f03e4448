/* Limits on the memory and time that a file can cost. They stop files made to do harm, and are far above the values
 * of any real trace. One set for the process; change it before the first file is read. */
#pragma once

#include <glib.h>

/* Limits of what a file may contain: X(field, name, default, description) */
#define HIERA_LIMITS(X)                                                                                                \
    X(tag_bytes, "tag", 16 << 20, "bytes of a tag or comment")                                                         \
    X(head_bytes, "head", 256 << 10, "bytes before the first element; a trace has only a DOCTYPE there")               \
    X(attributes, "attributes", 10000, "attributes of an element")                                                     \
    X(depth, "depth", 1000000, "elements nested in each other")                                                        \
    X(files, "files", 1000000, "traces listed in a hieraCollector.xml")

typedef struct {
#define X(field, name, value, help) guint64 field;
    HIERA_LIMITS(X)
#undef X
} HieraLimits;

extern HieraLimits hiera_limits;

/* Set limits from a text like "tag=64M,depth=2000000"; suffixes k, M, G are powers of 1024. Return FALSE, and change
 * nothing, if the text is not valid. */
gboolean hiera_limits_parse(const char *text);
