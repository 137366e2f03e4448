/* Appends JSON to a text. Integers that may exceed 2^53 are written as texts, so that browsers keep them exact. */
#pragma once

#include <glib.h>

/* Append a text as a JSON string, with its quotes. */
void hiera_json_text(GString *json, const char *text);
/* Append `"name":` and a text, a number as text, or a small number; preceded by a comma unless it is the first behind a
 * '{' or '['. */
void hiera_json_member_text(GString *json, const char *name, const char *text);
void hiera_json_member_large(GString *json, const char *name, gint64 number);
void hiera_json_member(GString *json, const char *name, gint64 number);
/* Append a comma, unless the text ends in '{' or '[', so that the next element comes first. */
void hiera_json_next(GString *json);
/* Append `"name":` and the opening bracket '{' or '['. */
void hiera_json_open(GString *json, const char *name, char bracket);
