/* Groups of ranks that do the same operations, and where the groups diverge. */
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

enum { DEPTH_MAX = 1000 }; /* greatest depth at which the first different operations of two groups are searched */

typedef struct {
    GArray *shares; /* HieraShare: ranks of the group; its time is not used */
    gint64 operations;
} Group;

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

/* Sort by number of ranks, largest first; groups of equal size by their lowest rank. */
static gint compare_groups(gconstpointer left, gconstpointer right)
{
    const Group *a = left, *b = right;
    if (a->shares->len != b->shares->len)
        return a->shares->len < b->shares->len ? 1 : -1;
    return (first_of(a) > first_of(b)) - (first_of(a) < first_of(b));
}

/* --- several processes: each has the hashes of all ranks --- */

static void pack_hashes(HieraPacker *to, gpointer user)
{
    const HieraSubtreeHashes *hashes = user;
    for (guint32 i = 0; i < hashes->trace->n_processors; i++)
        hiera_pack_number(to, (gint64)hashes->of_processor[i]);
}

/* Take a processor's hash from the process that has it; the hashes of other processes are 0. */
static void unpack_hashes(HieraUnpacker *from, gpointer user)
{
    const HieraSubtreeHashes *hashes = user;
    for (guint32 i = 0; i < hashes->trace->n_processors; i++) {
        guint64 hash = (guint64)hiera_unpack_number(from);
        hashes->of_processor[i] = hash != 0 ? hash : hashes->of_processor[i];
    }
}

static void gather_hashes(HieraSubtreeHashes *hashes)
{
    hiera_scope_gather_others(hashes->scope, hashes->trace, pack_hashes, unpack_hashes, hashes);
    hiera_scope_tell(hashes->scope, hashes->trace, pack_hashes, unpack_hashes, hashes);
}

/* --- groups of ranks with equal hashes --- */

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

/* --- the first different operation of two ranks --- */

static guint32 row_at(const GArray *subtrees, guint at)
{
    return at < subtrees->len ? g_array_index(subtrees, HieraSubtree, at).row : HIERA_NONE;
}

/* Return the name and call site of an operation as text, like "send x.c:20". @param site  NULL: "end", no operation */
static const char *describe(const HieraSite *site, HieraTable *table)
{
    if (!site)
        return "end";
    g_autoptr(GString) text = g_string_new(hiera_site_name(site, table));
    if (*site->short_file)
        g_string_append_printf(text, " %s", site->short_file);
    if (site->line > 0)
        g_string_append_printf(text, ":%u", site->line);
    return hiera_table_keep(table, text->str);
}

/* Process 0 compares two ranks: the processes of both ranks send it the operations inside their `row`. */

/* One of the two ranks that are compared. */
typedef struct {
    guint32 processor, row; /* `row`: operation whose inside is compared; HIERA_NONE: all outermost operations */
    GArray *inside; /* HieraSubtree: operations directly inside `row`; HieraSubtree.row is the id of a call site */
    guint32 site;   /* call site of the first different operation; HIERA_NONE: the rank has no more operations */
} Side;

typedef struct {
    const HieraSubtreeHashes *hashes;
    Side sides[2];
    gboolean more; /* TRUE if both first different operations have one call site: their insides are compared next */
    guint place;   /* index in both `inside` of the first different operations */
} Comparison;

static void find_inside(const HieraSubtreeHashes *hashes, Side *side)
{
    g_array_set_size(side->inside, 0);
    if (!hiera_scope_is_own(hashes->scope, side->processor))
        return;
    g_array_unref(side->inside);
    side->inside = hiera_subtrees_inside(hashes, side->processor, side->row, TRUE);
    for (guint i = 0; i < side->inside->len; i++) {
        HieraSubtree *subtree = &g_array_index(side->inside, HieraSubtree, i);
        subtree->row = hashes->trace->site[subtree->row];
    }
}

static void pack_inside(HieraPacker *to, gpointer user)
{
    const Comparison *comparison = user;
    for (guint k = 0; k < 2; k++) {
        const GArray *inside = comparison->sides[k].inside;
        hiera_pack_number(to, inside->len);
        for (guint i = 0; i < inside->len; i++) {
            hiera_pack_number(to, (gint64)g_array_index(inside, HieraSubtree, i).hash);
            hiera_pack_number(to, g_array_index(inside, HieraSubtree, i).row);
        }
    }
}

static void unpack_inside(HieraUnpacker *from, gpointer user)
{
    const Comparison *comparison = user;
    for (guint k = 0; k < 2; k++) {
        for (gint64 n = hiera_unpack_number(from); n > 0; n--) {
            HieraSubtree subtree = {.hash = (guint64)hiera_unpack_number(from)};
            subtree.row = (guint32)hiera_unpack_number(from);
            g_array_append_val(comparison->sides[k].inside, subtree);
        }
    }
}

static void compare_sides(Comparison *comparison)
{
    const GArray *own = comparison->sides[0].inside, *others = comparison->sides[1].inside;
    guint place = 0;
    while (place < own->len && place < others->len &&
           g_array_index(own, HieraSubtree, place).hash == g_array_index(others, HieraSubtree, place).hash)
        place++;
    comparison->place = place;
    for (guint k = 0; k < 2; k++)
        comparison->sides[k].site = row_at(comparison->sides[k].inside, place);
    comparison->more =
        comparison->sides[0].site != HIERA_NONE && comparison->sides[0].site == comparison->sides[1].site;
}

static void pack_place(HieraPacker *to, gpointer user)
{
    const Comparison *comparison = user;
    hiera_pack_number(to, comparison->place);
    hiera_pack_number(to, comparison->more);
}

static void unpack_place(HieraUnpacker *from, gpointer user)
{
    Comparison *comparison = user;
    comparison->place = (guint)hiera_unpack_number(from);
    comparison->more = hiera_unpack_number(from) != 0;
}

/* Set `row` of both ranks to the first different operations, whose insides are compared next. */
static void enter(Comparison *comparison)
{
    for (guint k = 0; k < 2; k++) {
        Side *side = &comparison->sides[k];
        if (!hiera_scope_is_own(comparison->hashes->scope, side->processor))
            continue;
        g_autoptr(GArray) inside = hiera_subtrees_inside(comparison->hashes, side->processor, side->row, TRUE);
        side->row = row_at(inside, comparison->place);
    }
}

/* Find the first operation in which two ranks differ, from the outermost ones inwards. All processes must call it. */
static void compare(Comparison *comparison, const HieraSubtreeHashes *hashes, guint32 processor, guint32 first)
{
    GArray *own = g_array_new(FALSE, FALSE, sizeof(HieraSubtree)),
           *others = g_array_new(FALSE, FALSE, sizeof(HieraSubtree));
    *comparison = (Comparison){
        hashes, {{processor, HIERA_NONE, own, HIERA_NONE}, {first, HIERA_NONE, others, HIERA_NONE}}, TRUE, 0};
    for (guint depth = 0; comparison->more; depth++) {
        for (guint k = 0; k < 2; k++)
            find_inside(hashes, &comparison->sides[k]);
        hiera_scope_gather_others(hashes->scope, hashes->trace, pack_inside, unpack_inside, comparison);
        if (hiera_scope_leads(hashes->scope))
            compare_sides(comparison);
        hiera_scope_tell(hashes->scope, hashes->trace, pack_place, unpack_place, comparison);
        comparison->more = comparison->more && depth + 1 < DEPTH_MAX;
        if (comparison->more)
            enter(comparison);
    }
}

static void comparison_clear(Comparison *comparison)
{
    g_array_unref(comparison->sides[0].inside);
    g_array_unref(comparison->sides[1].inside);
}

/* Return as text, in process 0, the first operation in which a rank differs from the other one. */
static const char *describe_side(const Comparison *comparison, guint side, HieraTable *table)
{
    guint32 site = comparison->sides[side].site;
    return describe(site == HIERA_NONE ? NULL : hiera_catalog_peek_site(comparison->hashes->trace->catalog, site),
                    table);
}

/* --- how one rank behaves --- */

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
    gather_hashes(&search->hashes);
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
            Comparison comparison;
            compare(&comparison, &search.hashes, processor, first_of(most));
            behaviour.does = describe_side(&comparison, 0, table);
            behaviour.others_do = describe_side(&comparison, 1, table);
            comparison_clear(&comparison);
        }
    }
    search_clear(&search);
    return behaviour;
}

/* --- rows of all groups --- */

/* Return the index of the first operation of a processor that differs, from 1.
 * @param parent  the operation around it; HIERA_NONE: outside of all
 * @param row     HIERA_NONE: the rank has no further operation */
static gint64 index_of(const HieraTrace *trace, guint32 processor, guint32 parent, guint32 row)
{
    const HieraProcessor *of = &trace->processors[processor];
    guint64 behind = of->first + of->n_operations;
    if (row != HIERA_NONE)
        behind = row;
    else if (parent != HIERA_NONE)
        behind = hiera_subtree_end(trace, processor, parent);
    return (gint64)(behind - of->first) + 1;
}

/* Output of find_place: the cells on where a group diverges from the first group. */
typedef struct {
    const Search *search;
    Comparison comparison;
    HieraTable *table;
    HieraCell *cells; /* four cells: path, index, operation, first_group */
} Place;

/* Set the cells `path` and `index`. Return FALSE in processes that do not have the rank's operations. */
static gboolean find_index(const Place *place)
{
    const Side *side = &place->comparison.sides[0];
    const HieraSubtreeHashes *hashes = &place->search->hashes;
    const HieraCallPaths *paths = &place->search->paths;
    if (!hiera_scope_is_own(hashes->scope, side->processor))
        return FALSE;
    g_autoptr(GArray) inside = hiera_subtrees_inside(hashes, side->processor, side->row, TRUE);
    guint32 row = row_at(inside, place->comparison.place);
    place->cells[1].number = index_of(hashes->trace, side->processor, side->row, row);
    if (side->row != HIERA_NONE)
        place->cells[0].text = hiera_call_paths_text(paths, paths->node[side->row], place->table);
    return TRUE;
}

static void pack_index(HieraPacker *to, gpointer user)
{
    const Place *place = user;
    gboolean own = find_index(place);
    hiera_pack_number(to, own);
    if (!own)
        return;
    hiera_pack_number(to, place->cells[1].number);
    hiera_pack_text(to, place->cells[0].text);
}

static void unpack_index(HieraUnpacker *from, gpointer user)
{
    Place *place = user;
    if (hiera_unpack_number(from) == 0)
        return;
    place->cells[1].number = hiera_unpack_number(from);
    place->cells[0].text = hiera_table_keep(place->table, hiera_unpack_text(from));
}

/* Find the first operation in which a group differs from the first group. All processes must call it. */
static void find_place(const Search *search, guint32 processor, guint32 first, HieraTable *table, HieraCell *cells)
{
    const HieraSubtreeHashes *hashes = &search->hashes;
    Place place = {.search = search, .table = table, .cells = cells};
    compare(&place.comparison, hashes, processor, first);
    if (hiera_scope_leads(hashes->scope))
        (void)find_index(&place);
    hiera_scope_gather_others(hashes->scope, hashes->trace, pack_index, unpack_index, &place);
    cells[2].text = describe_side(&place.comparison, 0, table);
    cells[3].text = describe_side(&place.comparison, 1, table);
    comparison_clear(&place.comparison);
}

static void add_group(const Search *search, guint number, HieraTable *table)
{
    const HieraTrace *trace = search->hashes.trace;
    const Group *group = &g_array_index(search->groups, Group, number);
    HieraCell cells[] = {{.number = number + 1},
                         {.text = hiera_shares_name_ranks(group->shares, trace, 0, table)},
                         {.number = group->shares->len},
                         {.number = group->operations},
                         {.text = ""},
                         {.number = 0},
                         {.text = ""},
                         {.text = ""}};
    G_STATIC_ASSERT(G_N_ELEMENTS(cells) == G_N_ELEMENTS(columns));
    if (number > 0)
        find_place(search, first_of(group), first_of(&g_array_index(search->groups, Group, 0)), table, &cells[4]);
    hiera_table_add(table, cells);
}

/* Add up each group's number of operations over the processes, which all have the same groups. */
static void gather_operations(const Search *search)
{
    g_autofree gint64 *operations = g_new(gint64, (gsize)search->groups->len + 1);
    for (guint i = 0; i < search->groups->len; i++)
        operations[i] = g_array_index(search->groups, Group, i).operations;
    hiera_scope_add_up(search->hashes.scope, search->hashes.trace, operations, search->groups->len);
    for (guint i = 0; i < search->groups->len; i++)
        g_array_index(search->groups, Group, i).operations = operations[i];
}

static gboolean find(const HieraMatch *match, const HieraScope *scope, HieraTable *table, GError **error)
{
    (void)error;
    const HieraTrace *trace = hiera_match_peek_trace(match);
    Search search;
    search_init(&search, trace, scope);
    hiera_call_paths_init(&search.paths, trace, scope);
    gather_operations(&search);
    for (guint i = 0; i < search.groups->len; i++)
        add_group(&search, i, table);
    hiera_call_paths_clear(&search.paths);
    search_clear(&search);
    hiera_imbalance_limit(trace, scope, table);
    return TRUE;
}

const HieraMeasure hiera_imbalance_by_group = {
    .name = "imbalance",
    .columns = columns,
    .n_columns = G_N_ELEMENTS(columns),
    .flags = HIERA_MEASURE_ORDERED | HIERA_MEASURE_TOGETHER,
    .find = find,
};
