/* --speed RULE=FACTOR: which computing of a run takes another time, and how much. */
#ifndef HIERA_PREDICT_SPEEDS_H
#define HIERA_PREDICT_SPEEDS_H

#include "hiera_match.h"

typedef struct Speeds Speeds;

/* Make a list without rules. */
Speeds *speeds_new(void);
void speeds_free(Speeds *speeds);
/* Add a rule: an expression about operations, and how many times faster what they compute is.
 * @param error  has a caret under what is wrong in the expression */
gboolean speeds_add(Speeds *speeds, const char *text, GError **error);
/* Find out which rules hold where in a trace. */
void speeds_decide(Speeds *speeds, const HieraTrace *trace, const HieraMatch *match);
/* Return the class of what is computed in an operation; HIERA_NONE: outside of all operations of the processor. */
guint32 speeds_class(const Speeds *speeds, guint32 row, guint32 processor);
/* Return the speeds of the classes. @param n  becomes how many there are */
const gdouble *speeds_peek(const Speeds *speeds, guint32 *n);
/* Return the text of a rule that holds for no operation, or NULL. Owned by the list. */
const char *speeds_find_useless(const Speeds *speeds);

#endif
