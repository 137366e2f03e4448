/* What a file may ask of memory before anything of it can be used: limits for traces that are made to do harm, far
 * beyond what any program leaves. One for the whole process, set before anything is read. */
#ifndef HIERA_READ_LIMITS_H
#define HIERA_READ_LIMITS_H

#include <glib.h>

/* X(field, name, default, what it limits) */
#define HIERA_LIMITS(X)                                                                                                \
    X(tag_bytes, "tag", 16 << 20, "bytes of one tag, comment or the like")                                             \
    X(head_bytes, "head", 256 << 10, "bytes before the first element, where no trace has more than a DOCTYPE")         \
    X(attributes, "attributes", 10000, "attributes of one element")                                                    \
    X(depth, "depth", 1000000, "elements inside one another")                                                          \
    X(files, "files", 1000000, "traces that a hieraCollector.xml names")

typedef struct {
#define X(field, name, value, help) guint64 field;
    HIERA_LIMITS(X)
#undef X
} HieraLimits;

extern HieraLimits hiera_limits;

/* "tag=64M,depth=2000000"; suffixes k, M, G. False if it makes no sense, and the limits stay as they are. */
gboolean hiera_limits_parse(const char *text);

#endif
