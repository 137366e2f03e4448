/* --speed RULE=FACTOR: makes some computation of a run faster or slower. */
#pragma once

#include "calls/span_cutter.h"
#include "hiera_match.h"

typedef struct Speeds Speeds;

/* Division of computation into parts: the part of a span depends on the operation that follows it, or, if the span ends
 * an operation, on that operation. */
typedef struct {
    guint8 *before; /* by row: index of the part of the span before this operation */
    guint8 *inside; /* by row: index of the part of the span at the end of this operation; then by rank: of spans
                       outside all operations */
    guint32 n_operations;
    guint n; /* number of parts */
} SpeedParts;

/* Return the address of the entry in `parts` that has the index of a computing span's part. */
guint8 *speed_parts_find(const SpeedParts *parts, const HieraTimeSpan *span);

/* Make an empty list of rules. */
Speeds *speeds_new(void);
void speeds_free(Speeds *speeds);
/* Make a list with the rules of another one, to decide where they hold in a part of a run. @param of  must outlive it;
 * records which rules hold somewhere */
Speeds *speeds_fork(Speeds *of);
/* Whether all rules can be decided when the run is read in parts: from an operation and the regions around it alone. */
gboolean speeds_are_local(const Speeds *speeds);
/* Add a rule: an expression about operations, or a loop (loop_names.h), and a factor for the speed of their
 * computation.
 * @param error  has a caret under the error in the expression */
gboolean speeds_add(Speeds *speeds, const char *text, GError **error);
/* Whether the list has rules. */
gboolean speeds_are_given(const Speeds *speeds);
/* Find for which operations of a trace the rules hold; results for an earlier trace are dropped. */
void speeds_decide(Speeds *speeds, const HieraTrace *trace, const HieraMatch *match);
/* Give each part a speed of its own, initially 1, in addition to the rules. Requires speeds_decide().
 * @param parts  must stay valid until others are set; NULL: none */
void speeds_set_parts(Speeds *speeds, const SpeedParts *parts);
void speeds_set_part_speed(Speeds *speeds, guint part, gdouble factor);
/* Return the class of a computing span: an index into the factors of speeds_peek(). */
guint32 speeds_class(const Speeds *speeds, const HieraTimeSpan *span);
/* Return the factor on the speed of a computing span: 2 is twice as fast. */
gdouble speeds_of(const Speeds *speeds, const HieraTimeSpan *span);
/* Return the factor on the speed of each class. @param n  receives the number of classes */
const gdouble *speeds_peek(const Speeds *speeds, guint32 *n);
/* Return what was assumed about loops of the rules, as texts for notes; owned by the list. */
const GPtrArray *speeds_peek_notes(const Speeds *speeds);
/* Return the text of a rule that held for no operation so far; NULL: there is none. Owned by the list. */
const char *speeds_find_useless(const Speeds *speeds);
