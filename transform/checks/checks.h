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

/* --- the parts, one file each --- */

/* Children lie inside their parents, in time and in the tree. */
void hiera_check_hierarchy(const HieraCheck *check);
/* Nothing is received before it was sent. */
void hiera_check_causality(const HieraCheck *check);
/* What was sent arrives. */
void hiera_check_messages(const HieraCheck *check);
/* Members of a collective give and get as many bytes as belong together. */
void hiera_check_collectives(const HieraCheck *check);
/* What a rank held when it ended. */
void hiera_check_leaks(const HieraCheck *check);

#endif
