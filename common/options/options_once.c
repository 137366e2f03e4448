#include "options_once.h"
#include <string.h>

enum { SINGLE, SEVERAL, NONE };

static int values_of(const GOptionEntry *entry)
{
    if (entry->arg == G_OPTION_ARG_NONE)
        return NONE;
    return entry->arg == G_OPTION_ARG_STRING_ARRAY || entry->arg == G_OPTION_ARG_FILENAME_ARRAY ? SEVERAL : SINGLE;
}

/* Return the entry of a word such as "--sort", "--sort=time", "-f" or "-fcsv"; NULL if it is no option.
 * @param apart  set to whether the value is the next word */
static const GOptionEntry *find(const GOptionEntry *entries, const char *word, gboolean *apart)
{
    gboolean is_long = word[0] == '-' && word[1] == '-';
    gsize length = is_long ? strcspn(word + 2, "=") : 0;
    *apart = is_long ? word[2 + length] == '\0' : word[0] && word[1] && !word[2];
    for (const GOptionEntry *entry = entries; word[0] == '-' && word[1] && entry->long_name; entry++) {
        gboolean same = is_long ? strlen(entry->long_name) == length && strncmp(entry->long_name, word + 2, length) == 0
                                : entry->short_name == word[1];
        if (same && entry->long_name[0])
            return entry;
    }
    return NULL;
}

/* Return the entry of the next word that is an option; NULL if there is none.
 * @param at  index at which to begin; moved behind the option and its value */
static const GOptionEntry *next(const GOptionEntry *entries, int argc, char **argv, int *at)
{
    while (*at < argc && strcmp(argv[*at], "--") != 0) {
        gboolean apart;
        const GOptionEntry *entry = find(entries, argv[(*at)++], &apart);
        if (!entry)
            continue;
        *at += apart && values_of(entry) != NONE;
        return entry;
    }
    return NULL;
}

gboolean hiera_options_check_once(const GOptionEntry *entries, int argc, char **argv, GError **error)
{
    g_autoptr(GHashTable) given = g_hash_table_new(NULL, NULL);
    const GOptionEntry *entry;
    for (int at = 1; (entry = next(entries, argc, argv, &at));) {
        if (values_of(entry) == SINGLE && !g_hash_table_add(given, (gpointer)entry)) {
            gboolean is_list = entry->arg_description && strchr(entry->arg_description, ',');
            g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED, "--%s is given twice; give it once%s",
                        entry->long_name, is_list ? ", with commas between its values" : "");
            return FALSE;
        }
    }
    return TRUE;
}

gboolean hiera_options_has(const GOptionEntry *entries, const GOptionEntry *option, int argc, char **argv)
{
    const GOptionEntry *entry;
    for (int at = 1; (entry = next(entries, argc, argv, &at));) {
        if (entry == option)
            return TRUE;
    }
    return FALSE;
}

gboolean hiera_options_show_all(GOptionEntry *entries, int argc, char **argv)
{
    static char help[] = "--help";
    gboolean asked = FALSE;
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--help-all") == 0) {
            argv[i] = help;
            asked = TRUE;
        }
    }
    for (GOptionEntry *entry = entries; asked && entry->long_name; entry++) {
        if (entry->description)
            entry->flags &= ~G_OPTION_FLAG_HIDDEN;
    }
    return asked;
}
