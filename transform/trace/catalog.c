/* See catalog.h. Hash tables find entries by content, arrays find them by number. */
#include "catalog.h"
#include "base/vocabulary.h"
#include "before.h"
#include "short_files.h"
#include <string.h>

struct HieraCatalog {
    GMutex lock;
    GHashTable *strings; /* set of interned texts: GBytes without the terminating NUL */
    GHashTable *sites;   /* set of HieraSite, equal by content */
    GPtrArray *site_list;
    GHashTable *communicators; /* key "id\nranks\nremote" → HieraCommunicator */
    GPtrArray *communicator_list;
    GHashTable *counters;  /* name of the counter → HieraTraceCounter */
    GHashTable *neighbors; /* set of HieraNeighbors, equal by communicator and rank */
    GPtrArray *befores;    /* HieraBefore of all traces that begin late, owned by the catalog */
    GHashTable *contexts;  /* key "id\nlesser group\ngreater group" → number of the context + 1 */
};

guint hiera_site_hash(gconstpointer key)
{
    const HieraSite *site = key;
    guint hash = g_direct_hash(site->operation);
    hash = hash * 31 + g_direct_hash(site->file);
    hash = hash * 31 + g_direct_hash(site->level);
    hash = hash * 31 + g_direct_hash(site->class_name);
    return hash * 31 + site->line;
}

gboolean hiera_site_equal(gconstpointer a, gconstpointer b)
{
    const HieraSite *left = a, *right = b;
    return left->operation == right->operation && left->file == right->file && left->line == right->line &&
           left->level == right->level && left->class_name == right->class_name;
}

gint hiera_site_compare(const HieraSite *a, const HieraSite *b)
{
    const char *const texts[][2] = {
        {a->level, b->level}, {a->class_name, b->class_name}, {a->operation, b->operation}, {a->file, b->file}};
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
        gint order = strcmp(texts[i][0], texts[i][1]);
        if (order)
            return order;
    }
    return (a->line > b->line) - (a->line < b->line);
}

gboolean hiera_site_gives(const HieraSite *site)
{
    switch (site->kind) {
    case HIERA_KIND_RECEIVE:
    case HIERA_KIND_PROBE:
    case HIERA_KIND_START:
    case HIERA_KIND_COMPLETE:
    case HIERA_KIND_GET:
        return FALSE;
    case HIERA_KIND_IO:
    case HIERA_KIND_IO_ALL:
        return strstr(site->operation, "read") == NULL;
    default:
        return site->mpi && site->starts == HIERA_KIND_LOCAL;
    }
}

char *hiera_site_place(const HieraSite *site)
{
    return site->line ? g_strdup_printf("%s:%u", site->short_file, site->line) : g_strdup(site->short_file);
}

static void communicator_free(gpointer data)
{
    HieraCommunicator *communicator = data;
    hiera_ranks_free(communicator->ranks);
    hiera_ranks_free(communicator->remote);
    hiera_ranks_free(communicator->dims);
    g_free(communicator);
}

static guint neighbors_hash(gconstpointer key)
{
    const HieraNeighbors *neighbors = key;
    return neighbors->communicator * 31 + neighbors->rank;
}

static gboolean neighbors_equal(gconstpointer a, gconstpointer b)
{
    const HieraNeighbors *left = a, *right = b;
    return left->communicator == right->communicator && left->rank == right->rank;
}

static void neighbors_free(gpointer data)
{
    HieraNeighbors *neighbors = data;
    hiera_ranks_free(neighbors->in);
    hiera_ranks_free(neighbors->out);
    g_free(neighbors);
}

HieraCatalog *hiera_catalog_new(void)
{
    HieraCatalog *catalog = g_new0(HieraCatalog, 1);
    g_mutex_init(&catalog->lock);
    catalog->strings = g_hash_table_new_full(g_bytes_hash, g_bytes_equal, NULL, (GDestroyNotify)g_bytes_unref);
    catalog->sites = g_hash_table_new(hiera_site_hash, hiera_site_equal);
    catalog->site_list = g_ptr_array_new_with_free_func(g_free);
    catalog->communicators = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    catalog->communicator_list = g_ptr_array_new_with_free_func(communicator_free);
    catalog->counters = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
    catalog->neighbors = g_hash_table_new_full(neighbors_hash, neighbors_equal, neighbors_free, NULL);
    catalog->befores = g_ptr_array_new_with_free_func(hiera_before_free);
    catalog->contexts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    return catalog;
}

void hiera_catalog_free(HieraCatalog *catalog)
{
    if (!catalog)
        return;
    g_hash_table_unref(catalog->contexts);
    g_ptr_array_unref(catalog->befores);
    g_hash_table_unref(catalog->counters);
    g_hash_table_unref(catalog->neighbors);
    g_hash_table_unref(catalog->communicators);
    g_ptr_array_unref(catalog->communicator_list);
    g_hash_table_unref(catalog->sites);
    g_ptr_array_unref(catalog->site_list);
    g_hash_table_unref(catalog->strings);
    g_mutex_clear(&catalog->lock);
    g_free(catalog);
}

HieraBefore *hiera_catalog_before(HieraCatalog *catalog)
{
    HieraBefore *before = hiera_before_new();
    g_mutex_lock(&catalog->lock);
    g_ptr_array_add(catalog->befores, before);
    g_mutex_unlock(&catalog->lock);
    return before;
}

static const char *intern_locked(HieraCatalog *catalog, const char *text, gsize length)
{
    g_autoptr(GBytes) key = g_bytes_new_static(text, length);
    GBytes *kept = g_hash_table_lookup(catalog->strings, key);
    if (!kept) {
        char *copy = g_malloc(length + 1);
        memcpy(copy, text, length);
        copy[length] = '\0';
        kept = g_bytes_new_with_free_func(copy, length, g_free, copy);
        g_hash_table_add(catalog->strings, kept);
    }
    gsize size;
    const char *string = g_bytes_get_data(kept, &size);
    return string ? string : "";
}

const char *hiera_catalog_intern(HieraCatalog *catalog, const char *text, gsize length)
{
    if (length == 0)
        return "";
    g_mutex_lock(&catalog->lock);
    const char *string = intern_locked(catalog, text, length);
    g_mutex_unlock(&catalog->lock);
    return string;
}

static HieraSite *site_new(HieraCatalog *catalog, const HieraSite *key)
{
    HieraSite *site = g_memdup2(key, sizeof *key);
    site->id = catalog->site_list->len;
    site->short_file = site->file;
    site->mpi = strcmp(site->level, HIERA_LEVEL_MPI) == 0;
    site->kind = site->starts = HIERA_KIND_LOCAL;
    site->known = !site->mpi || hiera_vocabulary_kind(site->operation, &site->kind, &site->starts);
    g_ptr_array_add(catalog->site_list, site);
    g_hash_table_add(catalog->sites, site);
    return site;
}

const HieraSite *hiera_catalog_site(HieraCatalog *catalog, const HieraSite *key)
{
    g_mutex_lock(&catalog->lock);
    HieraSite *site = g_hash_table_lookup(catalog->sites, key);
    if (!site)
        site = site_new(catalog, key);
    g_mutex_unlock(&catalog->lock);
    return site;
}

void hiera_catalog_shorten_files(HieraCatalog *catalog)
{
    g_mutex_lock(&catalog->lock);
    hiera_short_files_set(catalog->site_list);
    g_mutex_unlock(&catalog->lock);
}

gboolean hiera_catalog_has_plain_files(const HieraCatalog *catalog)
{
    for (guint i = 0; i < catalog->site_list->len; i++) {
        const HieraSite *site = g_ptr_array_index(catalog->site_list, i);
        if (strcmp(site->short_file, hiera_file_alone(site->file)) != 0)
            return FALSE;
    }
    return TRUE;
}

guint32 hiera_catalog_count_sites(const HieraCatalog *catalog)
{
    return catalog->site_list->len;
}

const HieraSite *hiera_catalog_peek_site(const HieraCatalog *catalog, guint32 id)
{
    return g_ptr_array_index(catalog->site_list, id);
}

/* Return the number of a context. The two sides of an intercommunicator declare the same two groups in opposite
 * order, so the groups are ordered before the look-up: both sides get the same context. */
static guint32 context_of(HieraCatalog *catalog, const char *id, const char *ranks, const char *remote)
{
    gboolean swap = strcmp(ranks, remote) > 0;
    g_autofree char *key = g_strconcat(id, "\n", swap ? remote : ranks, "\n", swap ? ranks : remote, NULL);
    guint number = GPOINTER_TO_UINT(g_hash_table_lookup(catalog->contexts, key));
    if (number == 0) {
        number = g_hash_table_size(catalog->contexts) + 1;
        g_hash_table_insert(catalog->contexts, g_steal_pointer(&key), GUINT_TO_POINTER(number));
    }
    return number - 1;
}

static HieraCommunicator *communicator_new(HieraCatalog *catalog, const char *id, const char *ranks, const char *remote)
{
    g_autoptr(HieraRanks) local = hiera_ranks_new(ranks, strlen(ranks));
    g_autoptr(HieraRanks) other = *remote ? hiera_ranks_new(remote, strlen(remote)) : NULL;
    if (!local || (*remote && !other))
        return NULL;
    HieraCommunicator *communicator = g_new0(HieraCommunicator, 1);
    communicator->index = catalog->communicator_list->len;
    communicator->id = id;
    communicator->name = "";
    communicator->ranks_text = ranks;
    communicator->remote_text = remote;
    communicator->declared = hiera_ranks_count(local) > 0;
    communicator->open = hiera_ranks_has_strangers(local) || (other && hiera_ranks_has_strangers(other));
    communicator->ranks = g_steal_pointer(&local);
    communicator->remote = g_steal_pointer(&other);
    communicator->context = context_of(catalog, id, ranks, remote);
    g_ptr_array_add(catalog->communicator_list, communicator);
    return communicator;
}

const HieraCommunicator *hiera_catalog_communicator(HieraCatalog *catalog, const char *id, const char *ranks,
                                                    const char *remote, const char *name)
{
    g_autofree char *key = g_strconcat(id, "\n", ranks, "\n", remote, NULL);
    g_mutex_lock(&catalog->lock);
    HieraCommunicator *communicator = g_hash_table_lookup(catalog->communicators, key);
    if (!communicator) {
        communicator = communicator_new(catalog, id, ranks, remote);
        if (communicator)
            g_hash_table_insert(catalog->communicators, g_steal_pointer(&key), communicator);
    }
    if (communicator && name)
        communicator->name = name;
    g_mutex_unlock(&catalog->lock);
    return communicator;
}

const HieraCommunicator *hiera_catalog_object(HieraCatalog *catalog, const char *id, const HieraCommunicator *of,
                                              const char *name)
{
    const HieraCommunicator *object = hiera_catalog_communicator(catalog, id, of->ranks_text, of->remote_text, name);
    g_mutex_lock(&catalog->lock);
    ((HieraCommunicator *)object)->open = ((HieraCommunicator *)object)->object = TRUE;
    g_mutex_unlock(&catalog->lock);
    return object;
}

gboolean hiera_catalog_set_dims(HieraCatalog *catalog, guint32 communicator, const char *dims)
{
    g_autoptr(HieraRanks) list = hiera_ranks_new(dims, strlen(dims));
    if (!list)
        return FALSE;
    g_mutex_lock(&catalog->lock);
    HieraCommunicator *of = g_ptr_array_index(catalog->communicator_list, communicator);
    if (!of->dims || strcmp(of->dims_text, dims) < 0) {
        hiera_ranks_free(of->dims);
        of->dims = g_steal_pointer(&list);
        of->dims_text = dims;
    }
    g_mutex_unlock(&catalog->lock);
    return TRUE;
}

gboolean hiera_catalog_set_neighbors(HieraCatalog *catalog, guint32 communicator, guint32 rank, const char *in,
                                     const char *out)
{
    HieraNeighbors *neighbors = g_new0(HieraNeighbors, 1);
    *neighbors =
        (HieraNeighbors){communicator, rank, hiera_ranks_new(in, strlen(in)), hiera_ranks_new(out, strlen(out))};
    if (!neighbors->in || !neighbors->out) {
        neighbors_free(neighbors);
        return FALSE;
    }
    g_mutex_lock(&catalog->lock);
    g_hash_table_replace(catalog->neighbors, neighbors, neighbors);
    g_mutex_unlock(&catalog->lock);
    return TRUE;
}

const HieraNeighbors *hiera_catalog_peek_neighbors(const HieraCatalog *catalog, guint32 communicator, guint32 rank)
{
    const HieraNeighbors key = {communicator, rank, NULL, NULL};
    return g_hash_table_lookup(catalog->neighbors, &key);
}

const HieraCommunicator *hiera_catalog_peek_communicator(const HieraCatalog *catalog, guint32 index)
{
    return g_ptr_array_index(catalog->communicator_list, index);
}

const char *hiera_catalog_find_id(HieraCatalog *catalog, guint32 index)
{
    g_mutex_lock(&catalog->lock);
    const char *id = hiera_catalog_peek_communicator(catalog, index)->id;
    g_mutex_unlock(&catalog->lock);
    return id;
}

gint64 hiera_catalog_count_members(HieraCatalog *catalog, guint32 index)
{
    g_mutex_lock(&catalog->lock);
    const HieraCommunicator *communicator = hiera_catalog_peek_communicator(catalog, index);
    gint64 n = communicator->object || !communicator->declared ? 0 : hiera_ranks_count(communicator->ranks);
    g_mutex_unlock(&catalog->lock);
    return n;
}

gint32 hiera_catalog_find_member(HieraCatalog *catalog, guint32 index, gint32 rank)
{
    g_mutex_lock(&catalog->lock);
    const HieraCommunicator *of = hiera_catalog_peek_communicator(catalog, index);
    gint32 world = of->declared ? hiera_ranks_at(of->remote ? of->remote : of->ranks, rank) : HIERA_ABSENT;
    g_mutex_unlock(&catalog->lock);
    return world;
}

guint32 hiera_catalog_count_communicators(const HieraCatalog *catalog)
{
    return catalog->communicator_list->len;
}

const HieraTraceCounter *hiera_catalog_counter(HieraCatalog *catalog, const char *name, const char *unit,
                                               gboolean level)
{
    g_mutex_lock(&catalog->lock);
    HieraTraceCounter *counter = g_hash_table_lookup(catalog->counters, name);
    if (!counter) {
        counter = g_new0(HieraTraceCounter, 1);
        *counter = (HieraTraceCounter){name, unit, level};
        g_hash_table_insert(catalog->counters, (gpointer)name, counter);
    }
    counter->unit = strcmp(unit, counter->unit) > 0 ? unit : counter->unit;
    counter->level = counter->level || level;
    g_mutex_unlock(&catalog->lock);
    return counter;
}

const HieraTraceCounter *hiera_catalog_find_counter(const HieraCatalog *catalog, const char *name)
{
    return g_hash_table_lookup(catalog->counters, name);
}

static GPtrArray *list_values(GHashTable *table)
{
    GPtrArray *values = g_ptr_array_sized_new(g_hash_table_size(table));
    GHashTableIter iterator;
    gpointer value;
    g_hash_table_iter_init(&iterator, table);
    while (g_hash_table_iter_next(&iterator, NULL, &value))
        g_ptr_array_add(values, value);
    return values;
}

GPtrArray *hiera_catalog_list_counters(const HieraCatalog *catalog)
{
    return list_values(catalog->counters);
}

GPtrArray *hiera_catalog_list_neighbors(const HieraCatalog *catalog)
{
    return list_values(catalog->neighbors);
}
