/* Which values of measures rules can ask for: `efficiency.load_balance`. */
#pragma once

#include "assertions/assertions.h"
#include "hiera_measure.h"

/* Whether there is such a value, and of which type: HieraRuleHost.knows. */
bool assert_measures_know(void *user, HieraOutside *outside, char message[HIERA_EXPRESSION_MESSAGE]);

/* Whether a name as rules write it is that of a measure or column: a dash is a minus there, so it is `_`. */
gboolean assert_measures_same(const char *written, const char *name);
/* The form of a measure that answers without --by; NULL with an error if there is no such measure. */
const HieraMeasure *assert_measures_find(const char *written, GError **error);
/* NULL if there is none. */
const HieraColumn *assert_measures_find_column(const HieraColumn *columns, guint n_columns, const char *name);

/* Whether a text is one of the words that a column can have in any run. */
gboolean assert_measures_know_word(const HieraColumn *column, const char *text);
