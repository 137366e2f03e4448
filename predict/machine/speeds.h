/* --speed RULE=FACTOR: which computing of a run takes another time, and how much. */
#ifndef HIERA_PREDICT_SPEEDS_H
#define HIERA_PREDICT_SPEEDS_H

#include "calls/span_cutter.h"
#include "hiera_match.h"

typedef struct Speeds Speeds;

/* Computation in parts: of each span by the operation behind it, or if it ends one, by the operation that it is in. */
typedef struct {
    guint8 *before; /* by row */
    guint8 *inside; /* by row, then by processor */
    guint32 n_operations;
    guint n; /* parts */
} SpeedParts;

/* Return the place of the part of a span that computes. */
guint8 *speed_parts_find(const SpeedParts *parts, const HieraTimeSpan *span);

/* Make a list without rules. */
Speeds *speeds_new(void);
void speeds_free(Speeds *speeds);
/* Make a list with the rules of another one, to decide where they hold in a part of a run. @param of  must outlive it;
 * is told which rules hold somewhere */
Speeds *speeds_fork(Speeds *of);
/* Whether all rules can be decided in a part of a run, of which the regions around it are known. */
gboolean speeds_are_local(const Speeds *speeds);
/* Add a rule: an expression about operations, or a loop (loop_names.h), and how many times faster what they compute is.
 * @param error  has a caret under what is wrong in the expression */
gboolean speeds_add(Speeds *speeds, const char *text, GError **error);
/* Whether there are rules. */
gboolean speeds_are_given(const Speeds *speeds);
/* Find out which rules hold where in a trace; what was known of another one is forgotten. */
void speeds_decide(Speeds *speeds, const HieraTrace *trace, const HieraMatch *match);
/* Give each part a speed of its own, 1 at first, besides the rules. Requires speeds_decide().
 * @param parts  valid until others are set; NULL: there are none */
void speeds_set_parts(Speeds *speeds, const SpeedParts *parts);
void speeds_set_part_speed(Speeds *speeds, guint part, gdouble factor);
/* Return the class of a span that computes. */
guint32 speeds_class(const Speeds *speeds, const HieraTimeSpan *span);
/* Return how many times as fast a span is computed. */
gdouble speeds_of(const Speeds *speeds, const HieraTimeSpan *span);
/* Return the speeds of the classes. @param n  becomes how many there are */
const gdouble *speeds_peek(const Speeds *speeds, guint32 *n);
/* What is assumed of loops, as texts; owned by the list. */
const GPtrArray *speeds_peek_notes(const Speeds *speeds);
/* Return the text of a rule that holds for no operation of any trace, or NULL. Owned by the list. */
const char *speeds_find_useless(const Speeds *speeds);

#endif
