/* Results of users of the matches, each found once; see hiera_match_find_once(). The key of a result is the function
 * that finds it, so this file does not know what the results are. */
#include "match_common.h"

typedef struct {
    gpointer result;
    GDestroyNotify destroy;
} Found;

static void found_free(gpointer data)
{
    Found *found = data;
    found->destroy(found->result);
    g_free(found);
}

GHashTable *hiera_match_results_new(void)
{
    return g_hash_table_new_full(NULL, NULL, NULL, found_free);
}

gpointer hiera_match_find_once(const HieraMatch *match, HieraMatchFind find, GDestroyNotify destroy)
{
    gpointer key = (gpointer)find;
    Found *found = g_hash_table_lookup(match->results, key);
    if (!found) {
        found = g_new(Found, 1);
        *found = (Found){find(match), destroy};
        g_hash_table_insert(match->results, key, found);
    }
    return found->result;
}
