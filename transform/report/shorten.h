/* Shortens names of operations with their places, so that the name of the method and the line remain: of
 * "before Pipe::gather(Group const&) md-oops.c:145" first the parameters go ("before Pipe::gather(…) md-oops.c:145",
 * "before Pipe::gather md-oops.c:145"), then the arguments of templates ("Map<…>::find"), then the class ("before
 * …gather md-oops.c:145"), the begin of the file
 * ("before …gather …s.c:145"), and only then the name. Hides how a text is taken apart. */
#pragma once

#include <glib.h>

/* Return a text shortened to `width` characters, with "…" for the parts left out; to be freed with
 * g_free. */
char *hiera_name_shorten(const char *whole, glong width);

/* Return a text with "(…)" for the parameters of C++ functions: a sentence names a function, not its overload.
 * To be freed with g_free. */
char *hiera_name_leave_parameters(const char *text);

/* Return a text with "<…>" for template arguments in names; to be freed with g_free. */
char *hiera_name_leave_arguments(const char *text);

/* Shorten a path like "… > exchange ring.c:16 > wait ring.c:21" to `width`: complete names are left out first. */
char *hiera_steps_shorten(const char *whole, glong width);

/* Return the smallest width to which a text can be shortened if the number at its end must stay whole. */
glong hiera_name_least_width(const char *text);

/* Return the smallest width to which the last step of a path, or a text that is no path, can be shortened if the
 * method's name and the line must stay. */
glong hiera_name_good_width(const char *whole);
