#include "samples.h"
#include <string.h>

/* An operation whose end is not in the trace: its duration is known when its processor ends. */
typedef struct {
    guint32 site;
    gboolean summed;
    gint64 start_ns, calls;
} Open;

struct HieraSamples {
    GPtrArray *values[HIERA_N_SAMPLES]; /* by HieraSite.id: GArray of gint64; NULL: none */
    GPtrArray *sums[HIERA_N_SAMPLES];   /* by HieraSite.id: HieraValueSums; NULL: none */
    GArray *open;                       /* Open */
};

static void free_values(gpointer values)
{
    if (values)
        g_array_unref(values);
}

HieraSamples *hiera_samples_new(void)
{
    HieraSamples *samples = g_new0(HieraSamples, 1);
    for (guint i = 0; i < HIERA_N_SAMPLES; i++) {
        samples->values[i] = g_ptr_array_new_with_free_func(free_values);
        samples->sums[i] = g_ptr_array_new_with_free_func(g_free);
    }
    samples->open = g_array_new(FALSE, FALSE, sizeof(Open));
    return samples;
}

void hiera_samples_free(HieraSamples *samples)
{
    for (guint i = 0; i < HIERA_N_SAMPLES; i++) {
        g_ptr_array_unref(samples->values[i]);
        g_ptr_array_unref(samples->sums[i]);
    }
    g_array_unref(samples->open);
    g_free(samples);
}

/* Return the values of a call site (gint64); NULL: there are none. */
static GArray *find_values(const HieraSamples *samples, HieraSampleKind sample, guint32 site)
{
    return site < samples->values[sample]->len ? g_ptr_array_index(samples->values[sample], site) : NULL;
}

void hiera_samples_add_value(HieraSamples *samples, HieraSampleKind sample, guint32 site, gint64 value)
{
    GPtrArray *sites = samples->values[sample];
    if (site >= sites->len)
        g_ptr_array_set_size(sites, (gint)site + 1);
    if (!sites->pdata[site])
        sites->pdata[site] = g_array_new(FALSE, FALSE, sizeof(gint64));
    g_array_append_val((GArray *)sites->pdata[site], value);
}

/* Return the sums of a call site; NULL: there are none. */
static HieraValueSums *find_sums(const HieraSamples *samples, HieraSampleKind sample, guint32 site)
{
    return site < samples->sums[sample]->len ? g_ptr_array_index(samples->sums[sample], site) : NULL;
}

/* Return the sums of a call site; make them if there are none. */
static HieraValueSums *take_sums(HieraSamples *samples, HieraSampleKind sample, guint32 site)
{
    GPtrArray *sites = samples->sums[sample];
    if (site >= sites->len)
        g_ptr_array_set_size(sites, (gint)site + 1);
    if (!sites->pdata[site])
        sites->pdata[site] = g_new0(HieraValueSums, 1);
    return sites->pdata[site];
}

void hiera_samples_add_summed(gpointer samples, const HieraSummed *summed)
{
    Open open = {summed->site->id, TRUE, summed->open_since_ns, summed->open};
    hiera_value_sums_add_bins(take_sums(samples, HIERA_SAMPLE_DURATION, open.site), summed->times,
                              summed->calls - summed->open, summed->time_ns, summed->min_ns, summed->max_ns);
    if (summed->bytes >= 0)
        hiera_value_sums_add_bins(take_sums(samples, HIERA_SAMPLE_BYTES, open.site), summed->sizes, -1, summed->bytes,
                                  -1, -1);
    if (open.calls > 0)
        g_array_append_val(((HieraSamples *)samples)->open, open);
}

void hiera_samples_add(gpointer samples, const HieraOperation *operation)
{
    Open open = {operation->site->id, FALSE, operation->start_ns, 1};
    if (operation->bytes >= 0)
        hiera_samples_add_value(samples, HIERA_SAMPLE_BYTES, open.site, operation->bytes);
    if (operation->finish_ns == HIERA_TIME_OPEN)
        g_array_append_val(((HieraSamples *)samples)->open, open);
    else
        hiera_samples_add_value(samples, HIERA_SAMPLE_DURATION, open.site, operation->finish_ns - operation->start_ns);
}

/* Append the values of one processor to those of all; arrays are moved where `all` has none. */
static void move_values(GPtrArray *all, GPtrArray *one)
{
    if (one->len > all->len)
        g_ptr_array_set_size(all, (gint)one->len);
    for (guint site = 0; site < one->len; site++) {
        GArray *from = one->pdata[site];
        if (from && all->pdata[site])
            g_array_append_vals(all->pdata[site], from->data, from->len);
        else if (from)
            all->pdata[site] = g_steal_pointer(&one->pdata[site]);
    }
}

static void move_sums(HieraSamples *all, const HieraSamples *one, HieraSampleKind sample)
{
    for (guint32 site = 0; site < one->sums[sample]->len; site++) {
        const HieraValueSums *sums = find_sums(one, sample, site);
        if (sums)
            hiera_value_sums_merge(take_sums(all, sample, site), sums);
    }
}

/* Add an operation that has not ended; it lasts until finalize. In sums, several calls of one site with the same start
 * may be open. */
static void add_open(HieraSamples *samples, const Open *open, gint64 finalize_ns)
{
    gint64 duration_ns = MAX(finalize_ns - open->start_ns, 0), sum_ns;
    if (!open->summed) {
        hiera_samples_add_value(samples, HIERA_SAMPLE_DURATION, open->site, duration_ns);
        return;
    }
    HieraValueSums sums = {.count = open->calls, .min = duration_ns, .max = duration_ns};
    sums.sum = __builtin_mul_overflow(duration_ns, open->calls, &sum_ns) ? HIERA_TOO_LARGE : sum_ns;
    sums.bins[hiera_value_bits(duration_ns)] = open->calls;
    hiera_value_sums_merge(take_sums(samples, HIERA_SAMPLE_DURATION, open->site), &sums);
}

void hiera_samples_merge(HieraSamples *all, HieraSamples *one, const HieraProcessor *processor, gboolean keep)
{
    for (guint i = 0; i < one->open->len; i++)
        add_open(one, &g_array_index(one->open, Open, i), processor->finalize_ns);
    for (guint i = 0; keep && i < HIERA_N_SAMPLES; i++) {
        move_values(all->values[i], one->values[i]);
        move_sums(all, one, (HieraSampleKind)i);
    }
    hiera_samples_free(one);
}

/* --- packing values for another process --- */

static guint32 count_sites(const HieraSamples *samples)
{
    guint32 n = 0;
    for (guint i = 0; i < HIERA_N_SAMPLES; i++)
        n = MAX(n, MAX(samples->values[i]->len, samples->sums[i]->len));
    return n;
}

void hiera_samples_pack(const HieraSamples *samples, HieraPacker *to)
{
    guint32 n = count_sites(samples);
    hiera_pack_number(to, n);
    for (guint32 site = 0; site < n; site++) {
        for (guint i = 0; i < HIERA_N_SAMPLES; i++) {
            const GArray *values = find_values(samples, (HieraSampleKind)i, site);
            const HieraValueSums *sums = find_sums(samples, (HieraSampleKind)i, site);
            hiera_pack_number(to, values != NULL);
            if (values)
                hiera_pack_array(to, values);
            hiera_pack_number(to, sums != NULL);
            hiera_pack_bytes(to, sums, sums ? sizeof *sums : 0);
        }
    }
    hiera_pack_array(to, samples->open);
}

static GArray *unpack_values(HieraUnpacker *from)
{
    GArray *values = g_array_new(FALSE, FALSE, sizeof(gint64));
    hiera_unpack_array(from, values);
    return values;
}

static void set_values(HieraSamples *samples, HieraSampleKind sample, guint32 site, GArray *values)
{
    GPtrArray *sites = samples->values[sample];
    if (site >= sites->len)
        g_ptr_array_set_size(sites, (gint)site + 1);
    sites->pdata[site] = values;
}

HieraSamples *hiera_samples_unpack(HieraUnpacker *from)
{
    HieraSamples *samples = hiera_samples_new();
    guint32 n = (guint32)hiera_unpack_number(from);
    for (guint32 i = 0; i < n * HIERA_N_SAMPLES; i++) {
        guint32 site = hiera_unpack_site(from, i / HIERA_N_SAMPLES)->id;
        HieraSampleKind sample = (HieraSampleKind)(i % HIERA_N_SAMPLES);
        if (hiera_unpack_number(from))
            set_values(samples, sample, site, unpack_values(from));
        if (hiera_unpack_number(from))
            hiera_unpack_bytes(from, take_sums(samples, sample, site), sizeof(HieraValueSums));
    }
    hiera_unpack_array(from, samples->open);
    for (guint i = 0; i < samples->open->len; i++) {
        Open *open = &g_array_index(samples->open, Open, i);
        open->site = hiera_unpack_site(from, open->site)->id;
    }
    return samples;
}

/* --- callbacks of HieraReadOps --- */

gpointer hiera_samples_begin(const HieraScope *scope, const HieraProcessor *processor)
{
    (void)scope, (void)processor;
    return hiera_samples_new();
}

void hiera_samples_pack_of(gpointer samples, const HieraProcessor *processor, HieraPacker *to)
{
    (void)processor;
    hiera_samples_pack(samples, to);
}

gpointer hiera_samples_unpack_of(const HieraScope *scope, const HieraProcessor *processor, HieraUnpacker *from)
{
    (void)scope, (void)processor;
    return hiera_samples_unpack(from);
}

/* --- groups of call sites --- */

static gint compare_sites(gconstpointer left, gconstpointer right, gpointer catalog)
{
    return hiera_site_compare(hiera_catalog_peek_site(catalog, *(const guint32 *)left),
                              hiera_catalog_peek_site(catalog, *(const guint32 *)right));
}

/* Return the ids of sites with operations, in the order of hiera_site_compare; to be freed with g_array_unref. */
static GArray *sort_sites(const HieraSamples *samples, const HieraCatalog *catalog)
{
    GArray *sites = g_array_new(FALSE, FALSE, sizeof(guint32));
    guint32 n = MAX(samples->values[HIERA_SAMPLE_DURATION]->len, samples->sums[HIERA_SAMPLE_DURATION]->len);
    for (guint32 site = 0; site < n; site++) {
        if (find_values(samples, HIERA_SAMPLE_DURATION, site) || find_sums(samples, HIERA_SAMPLE_DURATION, site))
            g_array_append_val(sites, site);
    }
    g_array_sort_with_data(sites, compare_sites, (gpointer)catalog);
    return sites;
}

/* Whether two call sites belong to one group. Their names are interned, so that pointers are compared. */
static gboolean is_same_group(const HieraSite *a, const HieraSite *b, HieraGrouping grouping)
{
    gboolean operation = a->operation == b->operation && a->class_name == b->class_name;
    return a->level == b->level && (grouping < HIERA_GROUP_OPERATION || operation) &&
           (grouping < HIERA_GROUP_SITE || a == b);
}

/* Values of all call sites of one group. */
typedef struct {
    GArray *values[HIERA_N_SAMPLES];
    HieraValueSums sums[HIERA_N_SAMPLES];
    gboolean summed[HIERA_N_SAMPLES];
} Group;

static void gather(const HieraSamples *samples, guint32 site, Group *group)
{
    for (guint i = 0; i < HIERA_N_SAMPLES; i++) {
        const GArray *values = find_values(samples, (HieraSampleKind)i, site);
        const HieraValueSums *sums = find_sums(samples, (HieraSampleKind)i, site);
        if (values)
            g_array_append_vals(group->values[i], values->data, values->len);
        if (sums)
            hiera_value_sums_merge(&group->sums[i], sums);
        group->summed[i] = group->summed[i] || sums;
    }
}

static void show(const HieraSite *site, Group *group, HieraSampleVisit visit, gpointer user)
{
    gint64 *values[HIERA_N_SAMPLES];
    gsize n[HIERA_N_SAMPLES];
    const HieraValueSums *sums[HIERA_N_SAMPLES];
    for (guint i = 0; i < HIERA_N_SAMPLES; i++) {
        values[i] = (gint64 *)(void *)group->values[i]->data;
        n[i] = group->values[i]->len;
        sums[i] = group->summed[i] ? &group->sums[i] : NULL;
        for (gsize j = 0; sums[i] && j < n[i]; j++)
            hiera_value_sums_add_value(&group->sums[i], values[i][j]);
    }
    visit(site, values, n, sums, user);
    for (guint i = 0; i < HIERA_N_SAMPLES; i++) {
        g_array_set_size(group->values[i], 0);
        group->sums[i] = (HieraValueSums){0};
        group->summed[i] = FALSE;
    }
}

void hiera_samples_visit(const HieraSamples *samples, const HieraCatalog *catalog, HieraGrouping grouping,
                         HieraSampleVisit visit, gpointer user)
{
    g_autoptr(GArray) sites = sort_sites(samples, catalog);
    Group gathered = {0};
    for (guint i = 0; i < HIERA_N_SAMPLES; i++)
        gathered.values[i] = g_array_new(FALSE, FALSE, sizeof(gint64));
    for (guint i = 0, first = 0; i < sites->len; i++) {
        const HieraSite *group = hiera_catalog_peek_site(catalog, g_array_index(sites, guint32, first));
        gather(samples, g_array_index(sites, guint32, i), &gathered);
        if (i + 1 < sites->len &&
            is_same_group(group, hiera_catalog_peek_site(catalog, g_array_index(sites, guint32, i + 1)), grouping))
            continue;
        show(group, &gathered, visit, user);
        first = i + 1;
    }
    for (guint i = 0; i < HIERA_N_SAMPLES; i++)
        g_array_unref(gathered.values[i]);
}

const char *hiera_site_name(const HieraSite *site, HieraTable *table)
{
    if (!*site->class_name)
        return site->operation;
    g_autofree char *name = g_strconcat(site->class_name, "::", site->operation, NULL);
    return hiera_table_keep(table, name);
}
