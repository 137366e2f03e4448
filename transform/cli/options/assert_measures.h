/* The values of measures that rules can ask for: `efficiency.load_balance`. */
#pragma once

#include "assertions/assertions.h"
#include "hiera_measure.h"

/* Check that a value of this name exists, and set its type: HieraRuleHost.knows. */
bool assert_measures_know(void *user, HieraOutside *outside, char message[HIERA_EXPRESSION_MESSAGE]);

/* Whether a name in a rule is that of a measure or column. Rules write `_` for a dash, because a dash is a minus there.
 */
gboolean assert_measures_same(const char *written, const char *name);
/* Find a measure by its name as rules write it (`_` for `-`), as it answers without --by; NULL with an error if there
 * is none. */
const HieraMeasure *assert_measures_find(const char *written, GError **error);
/* Return the column of this name, as rules write it; NULL if there is none. */
const HieraColumn *assert_measures_find_column(const HieraColumn *columns, guint n_columns, const char *name);

/* Whether the column can contain this word, in any run. */
gboolean assert_measures_know_word(const HieraColumn *column, const char *text);
