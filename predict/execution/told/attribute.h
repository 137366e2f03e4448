/* Writes an attribute of an element, as collectors do. */
#ifndef HIERA_EXECUTION_ATTRIBUTE_H
#define HIERA_EXECUTION_ATTRIBUTE_H

#include <glib.h>

/* Append ` name="value"`. Markup and white space other than blanks are escaped; each byte that is not
 * UTF-8, or of a character that XML does not have, becomes U+FFFD. */
void hiera_attribute_append_text(GString *text, const char *name, const char *value);

#endif
