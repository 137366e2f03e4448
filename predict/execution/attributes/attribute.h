/* Writes an attribute of a trace's element, as collectors do. */
#pragma once

#include <glib.h>

/* Append ` name="value"`. Markup and white space other than blanks are escaped; each byte that is not
 * UTF-8, or of a character that XML does not have, becomes U+FFFD. */
void hiera_attribute_append_text(GString *text, const char *name, const char *value);
