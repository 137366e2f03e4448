/* An option that is given twice: GOption takes the last value, and says nothing of the others. */
#ifndef HIERA_OPTIONS_ONCE_H
#define HIERA_OPTIONS_ONCE_H

#include <glib.h>

/* Refuse words in which an option with one value stands more than once.
 *
 * @param entries  of the options; those of an array take any number of values
 * @return  FALSE with an error that names the option */
gboolean hiera_options_check_once(const GOptionEntry *entries, int argc, char **argv, GError **error);

#endif
