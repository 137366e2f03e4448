/* Groups of ranks that do the same operations, and where the groups part. */
#include "behaviour_groups.h"
#include "calls/call_paths.h"
#include "imbalance.h"
#include "subtree_hash.h"
#include "values/samples.h"
#include "values/shares.h"

static const HieraColumn columns[] = {
    {"group", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},      {"processors", HIERA_CELL_TEXT, HIERA_ROLE_DETAIL},
    {"count", HIERA_CELL_INTEGER, HIERA_ROLE_DETAIL},   {"operations", HIERA_CELL_INTEGER, HIERA_ROLE_DETAIL},
    {"path", HIERA_CELL_CALLERS, HIERA_ROLE_DETAIL},    {"index", HIERA_CELL_INTEGER, HIERA_ROLE_DETAIL},
    {"operation", HIERA_CELL_TEXT, HIERA_ROLE_TELLING}, {"first_group", HIERA_CELL_TEXT, HIERA_ROLE_TELLING},
};

enum { DEPTH_MAX = 1000 }; /* operations around the place where two groups part */

typedef struct {
    GArray *shares; /* HieraShare: its ranks; the time is not used */
    gint64 operations;
} Group;

/* Where two groups part: after the same operations inside `parent` one has `row`, the other one `other`. HIERA_NONE:
 * outside of all; no further operation. */
typedef struct {
    guint32 parent, row, other;
} Parting;

typedef struct {
    HieraSubtreeHashes hashes;
    HieraCallPaths paths;
    GArray *groups; /* Group */
} Search;

static void group_clear(gpointer group)
{
    g_array_unref(((Group *)group)->shares);
}

static gint64 count_operations(const HieraSubtreeHashes *hashes, guint32 processor)
{
    gint64 count = 0;
    const HieraProcessor *of = &hashes->trace->processors[processor];
    for (guint64 row = of->first; row < of->first + of->n_operations; row++)
        count += hashes->of_row[row] != 0;
    return count;
}

static guint32 first_of(const Group *group)
{
    return g_array_index(group->shares, HieraShare, 0).processor;
}

/* The one with most ranks first; of equal ones the one with the lowest rank. */
static gint compare_groups(gconstpointer left, gconstpointer right)
{
    const Group *a = left, *b = right;
    if (a->shares->len != b->shares->len)
        return a->shares->len < b->shares->len ? 1 : -1;
    return (first_of(a) > first_of(b)) - (first_of(a) < first_of(b));
}

static void gather(Search *search)
{
    const HieraTrace *trace = search->hashes.trace;
    g_autoptr(GHashTable) places = g_hash_table_new(g_int64_hash, g_int64_equal);
    for (guint32 i = 0; i < trace->n_processors; i++) {
        gint64 *hash = (gint64 *)&search->hashes.of_processor[i];
        if (*hash == 0)
            continue;
        guint place = GPOINTER_TO_UINT(g_hash_table_lookup(places, hash));
        if (place == 0) {
            Group group = {g_array_new(FALSE, FALSE, sizeof(HieraShare)), 0};
            g_array_append_val(search->groups, group);
            g_hash_table_insert(places, hash, GUINT_TO_POINTER(place = search->groups->len));
        }
        Group *group = &g_array_index(search->groups, Group, place - 1);
        hiera_shares_add(group->shares, i, 0);
        group->operations += count_operations(&search->hashes, i);
    }
    g_array_sort(search->groups, compare_groups);
}

/* --- where they part --- */

static guint32 row_at(const GArray *subtrees, guint at)
{
    return at < subtrees->len ? g_array_index(subtrees, HieraSubtree, at).row : HIERA_NONE;
}

/* Find the first operations that differ, from the outermost ones inwards. */
static Parting find_parting(const HieraSubtreeHashes *hashes, guint32 processor, guint32 first)
{
    Parting at = {HIERA_NONE, HIERA_NONE, HIERA_NONE};
    guint depth = 0;
    const HieraTrace *trace = hashes->trace;
    do {
        guint place = 0;
        g_autoptr(GArray) own = hiera_subtrees_inside(hashes, processor, at.row, TRUE),
                          others = hiera_subtrees_inside(hashes, first, at.other, TRUE);
        at.parent = at.row;
        while (place < own->len && place < others->len &&
               g_array_index(own, HieraSubtree, place).hash == g_array_index(others, HieraSubtree, place).hash)
            place++;
        at.row = row_at(own, place);
        at.other = row_at(others, place);
    } while (++depth < DEPTH_MAX && at.row != HIERA_NONE && at.other != HIERA_NONE &&
             trace->site[at.row] == trace->site[at.other]);
    return at;
}

/* Return an operation in words. */
static const char *describe(const HieraTrace *trace, guint32 row, HieraTable *table)
{
    if (row == HIERA_NONE)
        return "end";
    const HieraSite *site = hiera_trace_peek_site(trace, row);
    g_autoptr(GString) text = g_string_new(hiera_site_name(site, table));
    if (*site->short_file)
        g_string_append_printf(text, " %s", site->short_file);
    if (site->line > 0)
        g_string_append_printf(text, ":%u", site->line);
    return hiera_table_keep(table, text->str);
}

/* --- one rank --- */

static const Group *find_group(const Search *search, guint32 processor)
{
    for (guint i = 0; i < search->groups->len; i++) {
        const Group *group = &g_array_index(search->groups, Group, i);
        for (guint k = 0; k < group->shares->len; k++) {
            if (g_array_index(group->shares, HieraShare, k).processor == processor)
                return group;
        }
    }
    return NULL;
}

static void search_init(Search *search, const HieraTrace *trace, const HieraScope *scope)
{
    *search = (Search){.groups = g_array_new(FALSE, FALSE, sizeof(Group))};
    g_array_set_clear_func(search->groups, group_clear);
    hiera_subtree_hashes_init(&search->hashes, trace, scope);
    gather(search);
}

static void search_clear(Search *search)
{
    hiera_subtree_hashes_clear(&search->hashes);
    g_array_unref(search->groups);
}

HieraBehaviour hiera_behaviour_of(const HieraTrace *trace, const HieraScope *scope, guint32 processor,
                                  HieraTable *table)
{
    Search search;
    HieraBehaviour behaviour = {HIERA_BEHAVES_UNCLEAR, "", ""};
    search_init(&search, trace, scope);
    const Group *own = find_group(&search, processor), *most = own ? &g_array_index(search.groups, Group, 0) : NULL;
    if (own && most->shares->len * 2 > trace->n_processors) {
        behaviour.like = own == most ? HIERA_BEHAVES_AS_MOST : HIERA_BEHAVES_APART;
        if (own != most) {
            Parting at = find_parting(&search.hashes, processor, first_of(most));
            behaviour.does = describe(trace, at.row, table);
            behaviour.others_do = describe(trace, at.other, table);
        }
    }
    search_clear(&search);
    return behaviour;
}

/* --- all --- */

/* Return which operation of its processor is the first that differs, from 1. */
static gint64 index_of(const HieraTrace *trace, guint32 processor, const Parting *at)
{
    const HieraProcessor *of = &trace->processors[processor];
    guint64 row = at->row != HIERA_NONE      ? at->row
                  : at->parent != HIERA_NONE ? hiera_subtree_end(trace, processor, at->parent)
                                             : of->first + of->n_operations;
    return (gint64)(row - of->first) + 1;
}

static void add_group(const Search *search, guint number, HieraTable *table)
{
    const HieraTrace *trace = search->hashes.trace;
    const Group *group = &g_array_index(search->groups, Group, number);
    guint32 processor = first_of(group);
    HieraCell cells[] = {{.number = number + 1},
                         {.text = hiera_shares_name_ranks(group->shares, trace, 0, table)},
                         {.number = group->shares->len},
                         {.number = group->operations},
                         {.text = ""},
                         {.number = 0},
                         {.text = ""},
                         {.text = ""}};
    if (number > 0) {
        Parting at = find_parting(&search->hashes, processor, first_of(&g_array_index(search->groups, Group, 0)));
        if (at.parent != HIERA_NONE)
            cells[4].text = hiera_call_paths_text(&search->paths, search->paths.node[at.parent], table);
        cells[5].number = index_of(trace, processor, &at);
        cells[6].text = describe(trace, at.row, table);
        cells[7].text = describe(trace, at.other, table);
    }
    hiera_table_add(table, cells);
}

static gboolean find(const HieraMatch *match, const HieraScope *scope, HieraTable *table, GError **error)
{
    (void)error;
    const HieraTrace *trace = hiera_match_peek_trace(match);
    Search search;
    search_init(&search, trace, scope);
    hiera_call_paths_init(&search.paths, trace, scope);
    for (guint i = 0; i < search.groups->len; i++)
        add_group(&search, i, table);
    hiera_call_paths_clear(&search.paths);
    search_clear(&search);
    return TRUE;
}

const HieraMeasure hiera_imbalance_by_group = {
    .name = "imbalance",
    .columns = columns,
    .n_columns = G_N_ELEMENTS(columns),
    .protocol = HIERA_PROTOCOL_MATCH,
    .ordered = TRUE,
    .find = find,
};
