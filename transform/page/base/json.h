/* Appends JSON to a text. Whole numbers that may exceed 2^53 are written as text, so that browsers keep them exact. */
#pragma once

#include <glib.h>

/* Append a text with its quotes. */
void hiera_json_text(GString *json, const char *text);
/* Append `"name":` and a text, a number as text, or a small number; preceded by a comma unless it is the first behind a
 * '{' or '['. */
void hiera_json_member_text(GString *json, const char *name, const char *text);
void hiera_json_member_large(GString *json, const char *name, gint64 number);
void hiera_json_member(GString *json, const char *name, gint64 number);
/* Append a comma unless it is the first behind a '{' or '['. */
void hiera_json_next(GString *json);
/* Append `"name":` and an opening bracket. */
void hiera_json_open(GString *json, const char *name, char bracket);
