/** The members of a collective that have to begin before the call of a member can end. waiting_collectives.c uses the
 * last of them, dependence_edges.c all.
 *
 * Where many members need many, there are joins: a join stands for the starts of several members. */
#pragma once

#include "hiera_match.h"

typedef struct {
    /* Called with two members' calls: `row` needs the start of `on`. */
    void (*need_one)(guint32 row, guint32 on, gpointer user);
    /* Return a new join with the members of the join `after` (HIERA_NONE: no members). At most two joins are in use. */
    guint32 (*new_join)(guint32 after, gpointer user);
    void (*add_to_join)(guint32 join, guint32 row, gpointer user);
    /* Called with a member's call, and a join: the call needs the starts of all members of the join. */
    void (*need_join)(guint32 row, guint32 join, gpointer user);
    gpointer user;
} HieraCollectiveNeeds;

/** Report what each member of a collective needs of the others. O(members) */
void hiera_collective_needs_visit(const HieraMatch *match, guint32 number, const HieraCollectiveNeeds *needs);
