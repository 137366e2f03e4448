/* Parse numbers of a trace: exactly, with bounds, independently of the locale.
 *
 * GLib's functions for this now and then reject a valid number when they are called for the first
 * time while other threads run: they mistake the errno of creating a locale for their own. So they are called only
 * before any thread starts, for the options (tests/contract/rooms.py names their files).
 *
 * The text is not terminated: it is a part of the parser's buffer. Every function returns FALSE, and leaves the value
 * unchanged, unless the complete text is one number of its kind. */
#pragma once

#include "hiera_trace.h"

/* Parse an integer. */
gboolean hiera_number_parse(const char *text, gsize length, gint64 *value);
/* Parse an integer between `low` and `high`, both included. */
gboolean hiera_number_parse_between(const char *text, gsize length, gint64 low, gint64 high, gint64 *value);
/* Parse digits of base 16, of either case: 1a2B. */
gboolean hiera_number_parse_hex(const char *text, gsize length, gint64 *value);
/* Parse a request: a number ("7"), or a distance with a sign ("+1", "-0") from the request that was started last.
 *
 * @param last   number of the request that was started last
 * @param value  receives the number of the request */
gboolean hiera_number_parse_request(const char *text, gsize length, gint64 last, gint64 *value);
/* Parse the name of a rank: P0, P1, … */
gboolean hiera_number_parse_processor(const char *text, gsize length, gint64 *rank);

/* Compare names as people do, with the numbers in them as numbers: "trace9.xml" is before "trace10.xml". */
int hiera_names_compare(const char *a, const char *b);
