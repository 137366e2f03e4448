/* Checks options before GOption parses them: if an option is given twice, GOption silently takes the last value. */
#pragma once

#include <glib.h>

/* Refuse words in which an option with a single value occurs more than once.
 *
 * @param entries  entries of the options; those of an array take any number of values
 * @return  FALSE with an error that names the option */
gboolean hiera_options_check_once(const GOptionEntry *entries, int argc, char **argv, GError **error);

/* @return  whether the command line has an option, other than as the value of another option */
gboolean hiera_options_has(const GOptionEntry *entries, const GOptionEntry *option, int argc, char **argv);

/* The help in two tiers: --help shows what a new user needs. If the words ask for --help-all, hidden entries that have
 * a description become visible, and that word becomes --help.
 * @return  whether they ask for it */
gboolean hiera_options_show_all(GOptionEntry *entries, int argc, char **argv);
