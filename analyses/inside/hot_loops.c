/* Samples are stored by region; functions and loops are looked up for a sentence. See hot_loops.h. */
#include "hot_loops.h"
#include "dtd/names.h"
#include "sample_tree.h"
#include "values/shares.h"
#include <stdlib.h>
#include <string.h>

enum {
    LEAST_OF_ALL = 100,   /* smallest share of a region in all samples for which there is a sentence, in 0.01 % */
    LEAST_OF_REGION = 500 /* smallest share of a loop in the samples of its region, in 0.01 % */
};

typedef struct {
    char *path;
    gboolean further;
    GArray *sampled; /* HieraSampled of the region, outside of MPI calls */
    gint64 count;    /* number of the region's samples, outside of MPI calls */
} Region;

struct HieraHotLoops {
    GHashTable *regions; /* set of Region, by path and `further` */
    gint64 count;        /* number of all samples, also in MPI calls */
    guint deepest;       /* greatest number of steps of a region's path */
};

static guint region_hash(gconstpointer data)
{
    const Region *region = data;
    return g_str_hash(region->path) * 2 + (guint)region->further;
}

static gboolean region_equal(gconstpointer a, gconstpointer b)
{
    const Region *x = a, *y = b;
    return x->further == y->further && strcmp(x->path, y->path) == 0;
}

static void region_free(gpointer data)
{
    Region *region = data;
    g_free(region->path);
    g_array_unref(region->sampled);
    g_free(region);
}

HieraHotLoops *hiera_hot_loops_new(void)
{
    HieraHotLoops *loops = g_new0(HieraHotLoops, 1);
    loops->regions = g_hash_table_new_full(region_hash, region_equal, region_free, NULL);
    return loops;
}

void hiera_hot_loops_free(HieraHotLoops *loops)
{
    if (!loops)
        return;
    g_hash_table_unref(loops->regions);
    g_free(loops);
}

gboolean hiera_hot_loops_suit(const HieraScope *scope)
{
    return !scope->level && scope->depth < 0 && scope->from_ns == G_MININT64 && scope->to_ns == G_MAXINT64 &&
           !scope->where;
}

/* Return the path of the region. Samples of threads without records belong to the region that was open in the main
 * thread. */
static char *region_path(const char *path)
{
    static const char others[] = HIERA_SAMPLED_OTHERS;
    gsize length = strlen(path), n = sizeof others - 1;
    if (length < n || strcmp(path + length - n, others) != 0)
        return g_strdup(path);
    if (length == n)
        return g_strdup("");
    return path[length - n - 1] == HIERA_PATH_SEPARATOR ? g_strndup(path, length - n - 1) : g_strdup(path);
}

static guint count_steps(const char *path)
{
    guint n = *path != '\0';
    while ((path = strchr(path, HIERA_PATH_SEPARATOR)) != NULL)
        path++, n++;
    return n;
}

static Region *find_region(const HieraHotLoops *loops, const char *path, gboolean further)
{
    const Region wanted = {.path = (char *)path, .further = further};
    return g_hash_table_lookup(loops->regions, &wanted);
}

void hiera_hot_loops_add(HieraHotLoops *loops, const HieraSampled *sampled)
{
    if (!sampled->object)
        return;
    loops->count = hiera_plus(loops->count, sampled->count);
    if (sampled->in_mpi)
        return;
    g_autofree char *path = region_path(sampled->path);
    Region *region = find_region(loops, path, sampled->thread != 0);
    if (!region) {
        loops->deepest = MAX(loops->deepest, count_steps(path));
        region = g_new0(Region, 1);
        *region = (Region){.path = g_steal_pointer(&path),
                           .further = sampled->thread != 0,
                           .sampled = g_array_new(FALSE, FALSE, sizeof(HieraSampled))};
        g_hash_table_add(loops->regions, region);
    }
    region->count = hiera_plus(region->count, sampled->count);
    g_array_append_val(region->sampled, *sampled);
}

/* --- sentences about hot loops --- */

static char *describe(const HieraSampledTree *tree)
{
    const HieraSampledNode *all = hiera_sampled_tree_peek(tree, 0);
    if (all->first == 0)
        return NULL;
    guint32 node = hiera_sampled_tree_find_hottest(tree, all->first);
    gint64 count = hiera_sampled_tree_peek(tree, node)->count, least, most;
    char share[HIERA_NUMBER_BYTES], at_least[HIERA_NUMBER_BYTES], at_most[HIERA_NUMBER_BYTES];
    if (hiera_percent(count, all->count) < LEAST_OF_REGION)
        return NULL;
    g_autofree char *where = hiera_sampled_tree_describe(tree, node);
    hiera_sample_bounds(count, all->count, &least, &most);
    hiera_percent_format(share, hiera_percent(count, all->count));
    hiera_percent_format(at_least, least);
    hiera_percent_format(at_most, most);
    return g_strdup_printf("computes in %s: %s of %" G_GINT64_FORMAT " sample%s (%s to %s)", where, share, all->count,
                           all->count == 1 ? "" : "s", at_least, at_most);
}

static gint compare_processors(gconstpointer a, gconstpointer b)
{
    guint32 x = *(const guint32 *)a, y = *(const guint32 *)b;
    return (x > y) - (x < y);
}

/* Describe the hottest loop of the samples from `begin` to before `end`. @param processors  only samples of these;
 * NULL: all */
static char *tell(const HieraHotLoops *loops, const Region *region, guint begin, guint end, const GArray *processors)
{
    HieraSampledTree tree;
    if (hiera_percent(region->count, loops->count) < LEAST_OF_ALL)
        return NULL;
    hiera_sampled_tree_init(&tree);
    for (guint i = begin; i < end; i++) {
        HieraSampled one = g_array_index(region->sampled, HieraSampled, i);
        one.path = "";
        if (!processors || g_array_binary_search((GArray *)processors, &one.processor, compare_processors, NULL))
            hiera_sampled_tree_add(&tree, HIERA_SAMPLES_BY_LOOP, &one);
    }
    hiera_sampled_tree_sort(&tree);
    char *sentence = describe(&tree);
    hiera_sampled_tree_clear(&tree);
    return sentence;
}

/* --- sentences about nodes of a call tree --- */

static void append_name(GString *path, const HieraSite *site)
{
    if (path->len > 0)
        g_string_append_c(path, HIERA_PATH_SEPARATOR);
    g_string_append_printf(path, "%s%s%s", site->class_name, *site->class_name ? "::" : "", site->operation);
}

/* Return the region of a node of a call tree; NULL: it has no samples, or is not computation. */
static const Region *find_region_of(const HieraHotLoops *loops, const HieraCallTree *tree, const HieraCatalog *catalog,
                                    guint32 node)
{
    g_autoptr(GPtrArray) sites = g_ptr_array_new(); /* HieraSite on the path, innermost first */
    g_autoptr(GString) path = g_string_new(NULL);
    gboolean further = FALSE;
    for (guint32 up = node; up != 0; up = hiera_call_tree_peek(tree, up)->parent) {
        guint32 number = hiera_call_tree_peek(tree, up)->site;
        if (number == HIERA_CALL_COUNTED || number == HIERA_CALL_OWN || sites->len > loops->deepest)
            return NULL;
        if (number == HIERA_CALL_THREADS)
            further = TRUE;
        else if (!hiera_call_is_before(number))
            g_ptr_array_add(sites, (gpointer)hiera_catalog_peek_site(catalog, number));
    }
    for (guint i = sites->len; i-- > 0;) {
        const HieraSite *site = g_ptr_array_index(sites, i);
        if (site->mpi)
            return NULL;
        append_name(path, site);
    }
    return find_region(loops, path->str, further);
}

/* Return the begin of a sentence for time before a call. Samples do not tell which call follows, so it is about the
 * whole region. */
static char *describe_whole(const char *path)
{
    const char *last = strrchr(path, HIERA_PATH_SEPARATOR);
    return *path ? g_strdup_printf("%s as a whole ", last ? last + 1 : path)
                 : g_strdup("outside of all operations it ");
}

char *hiera_hot_loops_tell(const HieraHotLoops *loops, const HieraCallTree *tree, const HieraCatalog *catalog,
                           guint32 node, const GArray *processors)
{
    const Region *region = loops->count > 0 ? find_region_of(loops, tree, catalog, node) : NULL;
    g_autofree char *sentence = region ? tell(loops, region, 0, region->sampled->len, processors) : NULL;
    if (!sentence || !hiera_call_is_before(hiera_call_tree_peek(tree, node)->site))
        return g_steal_pointer(&sentence);
    g_autofree char *subject = describe_whole(region->path);
    return g_strconcat(subject, sentence, NULL);
}

/* --- sentences about regions of each processor --- */

static gint compare_regions(gconstpointer a, gconstpointer b)
{
    const Region *x = *(const Region *const *)a, *y = *(const Region *const *)b;
    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    gint order = strcmp(x->path, y->path);
    return order != 0 ? order : x->further - y->further;
}

static void visit_processors(const HieraHotLoops *loops, const Region *region, HieraHotLoopVisit visit, gpointer user)
{
    const HieraSampled *sampled = (const HieraSampled *)(const void *)region->sampled->data;
    for (guint begin = 0, end; begin < region->sampled->len; begin = end) {
        for (end = begin + 1; end < region->sampled->len && sampled[end].processor == sampled[begin].processor; end++)
            ;
        g_autofree char *sentence = tell(loops, region, begin, end, NULL);
        if (sentence)
            visit(sampled[begin].processor, region->path, region->further, sentence, user);
    }
}

void hiera_hot_loops_visit(const HieraHotLoops *loops, HieraHotLoopVisit visit, gpointer user)
{
    guint n;
    g_autofree gpointer *regions = g_hash_table_get_keys_as_array(loops->regions, &n);
    qsort(regions, n, sizeof *regions, compare_regions);
    for (guint i = 0; i < n; i++)
        visit_processors(loops, regions[i], visit, user);
}
