/* --speed RULE=FACTOR: changes the time of some computation of a run. */
#pragma once

#include "calls/span_cutter.h"
#include "hiera_match.h"

typedef struct Speeds Speeds;

/* Division of computation into parts: the part of a span depends on the operation that follows it, or, if the span ends
 * an operation, on that operation. */
typedef struct {
    guint8 *before; /* part, by row of the following operation */
    guint8 *inside; /* part, by row, then by rank */
    guint32 n_operations;
    guint n; /* number of parts */
} SpeedParts;

/* Return the address of the part of a computing span. */
guint8 *speed_parts_find(const SpeedParts *parts, const HieraTimeSpan *span);

/* Make a list without rules. */
Speeds *speeds_new(void);
void speeds_free(Speeds *speeds);
/* Make a list with the rules of another one, to decide where they hold in a part of a run. @param of  must outlive it;
 * records which rules hold somewhere */
Speeds *speeds_fork(Speeds *of);
/* Whether all rules can be decided in a part of a run, given the regions around it. */
gboolean speeds_are_local(const Speeds *speeds);
/* Add a rule: an expression about operations, or a loop (loop_names.h), and a factor for the speed of their
 * computation.
 * @param error  has a caret under the error in the expression */
gboolean speeds_add(Speeds *speeds, const char *text, GError **error);
/* Whether there are rules. */
gboolean speeds_are_given(const Speeds *speeds);
/* Find where in a trace the rules hold; results for an earlier trace are dropped. */
void speeds_decide(Speeds *speeds, const HieraTrace *trace, const HieraMatch *match);
/* Give each part a speed of its own, initially 1, in addition to the rules. Requires speeds_decide().
 * @param parts  must stay valid until others are set; NULL: none */
void speeds_set_parts(Speeds *speeds, const SpeedParts *parts);
void speeds_set_part_speed(Speeds *speeds, guint part, gdouble factor);
/* Return the class of a computing span. */
guint32 speeds_class(const Speeds *speeds, const HieraTimeSpan *span);
/* Return the factor on the speed of a span. */
gdouble speeds_of(const Speeds *speeds, const HieraTimeSpan *span);
/* Return the speeds of all classes. @param n  receives their number */
const gdouble *speeds_peek(const Speeds *speeds, guint32 *n);
/* Return assumptions about loops, as texts; owned by the list. */
const GPtrArray *speeds_peek_notes(const Speeds *speeds);
/* Return the text of a rule that holds for no operation of any trace, or NULL. Owned by the list. */
const char *speeds_find_useless(const Speeds *speeds);
