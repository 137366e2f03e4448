/* Checks of a matched trace: what their parts share. */
#ifndef HIERA_CHECKS_H
#define HIERA_CHECKS_H

#include "base/findings.h"
#include "matching/match.h"

typedef struct {
    const HieraTrace *trace;
    const HieraMatch *match;
    HieraFindings *findings;
} HieraCheck;

/* Where a row stands in which file, and what it is: "send (md.c:58)", to be freed. */
const char *hiera_check_path(const HieraCheck *check, guint32 row);
guint32 hiera_check_line(const HieraCheck *check, guint32 row);
char *hiera_check_describe(const HieraCheck *check, guint32 row);
/* World rank. */
guint32 hiera_check_rank(const HieraCheck *check, guint32 row);

/* The checks, in the order of their findings; hiera_check_NAME is in check_NAME.c. To add one: write the file, and add
 * its row here and its line in meson.build. */
#define HIERA_CHECKS(X)                                                                                                \
    X(unmatched)   /* every operation that needs a partner has one */                                                  \
    X(hierarchy)   /* children are inside their parents, in time and in the tree */                                    \
    X(epochs)      /* windows are opened, used and closed in MPI's order */                                            \
    X(causality)   /* nothing is received before it was sent */                                                        \
    X(messages)    /* the bytes that were sent arrive */                                                               \
    X(collectives) /* members of a collective give and get as many bytes as belong together */                         \
    X(leaks)       /* a rank frees what it made before it ends */
#define X(name) void hiera_check_##name(const HieraCheck *check);
HIERA_CHECKS(X)
#undef X

#endif
