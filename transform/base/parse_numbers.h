/* Numbers of the trace: exact, bounded, without locale. Text is a range, not a string: it comes from the parser's
 * buffer. Every function returns false, and leaves the value alone, if the text is anything but one such number. */
#ifndef HIERA_PARSE_NUMBERS_H
#define HIERA_PARSE_NUMBERS_H

#include "hiera_trace.h"

gboolean hiera_number_parse(const char *text, gsize length, gint64 *value);
/* Between `low` and `high`, both included. */
gboolean hiera_number_parse_between(const char *text, gsize length, gint64 low, gint64 high, gint64 *value);
/* A request: its number, or its distance from the one that was started last: "+1", "-0". */
gboolean hiera_number_parse_request(const char *text, gsize length, gint64 last, gint64 *value);
/* The name of a rank: P0, P1, … */
gboolean hiera_number_parse_processor(const char *text, gsize length, gint64 *rank);

#endif
