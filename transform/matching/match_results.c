/* Results computed from the matches, each once; see hiera_match_find_once(). The key of a result is the function
 * that computes it, so this file does not know what the results are. One thread at a time computes results, as others
 * may want the same; a computation may ask for other results. */
#include "match_common.h"

typedef struct HieraMatchResults {
    GRecMutex lock;
    GHashTable *found; /* HieraMatchFind (the function that computes a result) → Found */
} HieraMatchResults;

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

HieraMatchResults *hiera_match_results_new(void)
{
    HieraMatchResults *results = g_new0(HieraMatchResults, 1);
    g_rec_mutex_init(&results->lock);
    results->found = g_hash_table_new_full(NULL, NULL, NULL, found_free);
    return results;
}

void hiera_match_results_free(HieraMatchResults *results)
{
    g_hash_table_unref(results->found);
    g_rec_mutex_clear(&results->lock);
    g_free(results);
}

gpointer hiera_match_find_once(const HieraMatch *match, HieraMatchFind find, GDestroyNotify destroy)
{
    gpointer key = (gpointer)find;
    HieraMatchResults *results = match->results;
    g_rec_mutex_lock(&results->lock);
    Found *found = g_hash_table_lookup(results->found, key);
    if (!found) {
        found = g_new(Found, 1);
        *found = (Found){find(match), destroy};
        g_hash_table_insert(results->found, key, found);
    }
    g_rec_mutex_unlock(&results->lock);
    return found->result;
}
