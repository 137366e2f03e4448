/* Values of measures in rules: finds measure and column of a name such as `efficiency.load_balance`. */
#pragma once

#include "assertions/assertions.h"
#include "hiera_measure.h"

/* Check that there is the value that a rule names, and set its type; the callback HieraRuleHost.knows. */
bool assert_measures_know(void *user, HieraOutside *outside, char message[HIERA_EXPRESSION_MESSAGE]);

/* Whether a name in a rule is that of a measure or column. Rules write `_` for `-`, because that is a minus there. */
gboolean assert_measures_same(const char *written, const char *name);
/* Find a measure by its name as rules write it (`_` for `-`), as it answers without --by; NULL with an error if there
 * is none. */
const HieraMeasure *assert_measures_find(const char *written, GError **error);
/* Return the column with a name as rules write it (`_` for `-`); NULL: there is none. */
const HieraColumn *assert_measures_find_column(const HieraColumn *columns, guint n_columns, const char *name);

/* Whether cells of a column can have this text in some run. FALSE if that depends on the traces. */
gboolean assert_measures_know_word(const HieraColumn *column, const char *text);
