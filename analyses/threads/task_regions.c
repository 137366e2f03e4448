/* Creations, dependences and waits of each region, in order; see task_parts.h. */
#include "task_needs.h"
#include "task_parts.h"

/* What a region has created. */
typedef struct {
    guint32 last;      /* creation; HIERA_NOT_KNOWN: none */
    guint32 all;       /* creation that depends on all memory; HIERA_NOT_KNOWN: none */
    guint since;       /* index in `pending` of the one that `all` is */
    GArray *pending;   /* guint32: creations since the last `taskwait` */
    GArray *groups;    /* guint32: rows where groups begin that have not ended, the innermost one last */
    GHashTable *datum; /* number of data → Datum */
} Region;

/* Who uses data: the last tasks that may run at the same time, and those before these. */
typedef struct {
    HieraTaskPart kind;
    GArray *last, *before; /* guint32: creations */
} Datum;

/* A creation has to wait for a set, to which nothing is added any more. */
typedef struct {
    guint32 creation, row;
    GArray *set; /* guint32: creations */
} Joined;

/* --- regions --- */

static void datum_free(gpointer data)
{
    g_array_unref(((Datum *)data)->last);
    g_array_unref(((Datum *)data)->before);
    g_free(data);
}

static void region_free(gpointer data)
{
    Region *region = data;
    g_array_unref(region->pending);
    g_array_unref(region->groups);
    g_hash_table_unref(region->datum);
    g_free(region);
}

static gint compare_tasks(gconstpointer left, gconstpointer right)
{
    const HieraCreatedTask *a = left, *b = right;
    return (a->row > b->row) - (a->row < b->row);
}

/* Return the creation of the task in a row; HIERA_NOT_KNOWN: none. */
static guint32 creation_of(const HieraTaskSearch *search, guint32 row)
{
    const HieraCreatedTask wanted = {row, HIERA_NOT_KNOWN};
    guint at;
    return g_array_binary_search(search->tasks, &wanted, compare_tasks, &at)
               ? g_array_index(search->tasks, HieraCreatedTask, at).creation
               : HIERA_NOT_KNOWN;
}

/* Return the row of the region around a row: of a task in parts, its first part. */
static guint32 region_of(const HieraTaskSearch *search, guint32 row)
{
    guint32 around = hiera_task_region(search, row);
    guint32 index = around == HIERA_NONE ? HIERA_NOT_KNOWN : creation_of(search, around);
    const HieraCreation *creation = index == HIERA_NOT_KNOWN ? NULL : hiera_creation_peek(search, index);
    return creation && !creation->is_loop ? hiera_made_row(search, creation->first) : around;
}

static Region *open_region(const HieraTaskSearch *search, guint32 row)
{
    gpointer key = GUINT_TO_POINTER(region_of(search, row) + 1);
    Region *region = g_hash_table_lookup(search->regions, key);
    if (!region) {
        region = g_new(Region, 1);
        *region = (Region){HIERA_NOT_KNOWN,
                           HIERA_NOT_KNOWN,
                           0,
                           g_array_new(FALSE, FALSE, sizeof(guint32)),
                           g_array_new(FALSE, FALSE, sizeof(guint32)),
                           g_hash_table_new_full(NULL, NULL, NULL, datum_free)};
        g_hash_table_insert(search->regions, key, region);
    }
    return region;
}

static void add_edges(const HieraTaskSearch *search, const HieraTaskEdge *edge, const GArray *before)
{
    for (guint i = 0; i < before->len; i++) {
        const HieraTaskEdge added = {edge->creation, edge->row, g_array_index(before, guint32, i)};
        if (added.creation == HIERA_NOT_KNOWN || added.before != added.creation)
            g_array_append_val(search->edges, added);
    }
}

static void add_set(const HieraTaskSearch *search, const HieraTaskEdge *edge, GArray *set)
{
    const Joined joined = {edge->creation, edge->row, set};
    gboolean is_own = set->len > 0 && g_array_index(set, guint32, set->len - 1) == edge->creation;
    if (edge->creation == HIERA_NOT_KNOWN || is_own) {
        add_edges(search, edge, set);
        return;
    }
    g_array_ref(set);
    g_array_append_val(search->joined, joined);
}

static Datum *open_datum(const Region *region, gint32 number)
{
    Datum *datum = g_hash_table_lookup(region->datum, GINT_TO_POINTER(number));
    if (datum)
        return datum;
    datum = g_new(Datum, 1);
    *datum =
        (Datum){HIERA_PART_OUT, g_array_new(FALSE, FALSE, sizeof(guint32)), g_array_new(FALSE, FALSE, sizeof(guint32))};
    if (region->all != HIERA_NOT_KNOWN)
        g_array_append_val(datum->last, region->all);
    g_hash_table_insert(region->datum, GINT_TO_POINTER(number), datum);
    return datum;
}

/* A creation, or a wait, depends on data. */
static void depend_on(const HieraTaskSearch *search, const Region *region, const HieraTaskEdge *edge, gint32 number,
                      HieraTaskPart kind)
{
    Datum *datum = open_datum(region, number);
    gboolean joins = kind != HIERA_PART_OUT && kind == datum->kind;
    add_set(search, edge, joins ? datum->before : datum->last);
    if (edge->creation == HIERA_NOT_KNOWN)
        return;
    if (!joins) {
        g_array_unref(datum->before);
        datum->before = datum->last;
        datum->last = g_array_new(FALSE, FALSE, sizeof(guint32));
        datum->kind = kind;
    }
    g_array_append_val(datum->last, edge->creation);
}

/* A creation, or a wait, depends on all memory: on what came since the last one that did, and on that one. */
static void take_all(const HieraTaskSearch *search, Region *region, const HieraTaskEdge *edge)
{
    for (guint i = region->since; i < region->pending->len; i++) {
        const HieraTaskEdge added = {edge->creation, edge->row, g_array_index(region->pending, guint32, i)};
        if (added.before != added.creation)
            g_array_append_val(search->edges, added);
    }
    if (edge->creation == HIERA_NOT_KNOWN)
        return;
    region->all = region->last;
    region->since = region->pending->len - 1;
    g_hash_table_remove_all(region->datum);
}

static void take_depend(const HieraTaskSearch *search, guint32 row, HieraTaskPart kind)
{
    guint32 around = search->trace->parent[row];
    gboolean waits = around != HIERA_NONE && hiera_task_part(search, around) == HIERA_PART_WAIT;
    Region *region = open_region(search, row);
    const HieraTaskEdge edge = {waits ? HIERA_NOT_KNOWN : region->last, around, HIERA_NOT_KNOWN};
    gint32 number = hiera_construct_number(search->trace, row);
    if (!waits && region->last == HIERA_NOT_KNOWN)
        return;
    if (kind == HIERA_PART_ALL) {
        take_all(search, region, &edge);
    } else if (number == HIERA_ABSENT) {
        g_array_append_val(search->edges, edge);
    } else {
        depend_on(search, region, &edge, number, kind);
    }
}

/* Whether a wait is for some of the tasks: then what it depends on comes next. */
static gboolean is_for_some(const HieraTaskSearch *search, guint32 row)
{
    return row + 1 < search->behind && search->trace->parent[row + 1] == row &&
           hiera_task_part(search, row + 1) >= HIERA_PART_IN;
}

/* A wait for no task needs nothing but itself. */
static void add_own(const HieraTaskSearch *search, guint32 row)
{
    const HieraTaskNeed need = {row, search->trace->thread[row], row, search->trace->start_ns[row]};
    g_array_append_val(search->needs, need);
}

static void take_wait(const HieraTaskSearch *search, guint32 row)
{
    Region *region = open_region(search, row);
    const HieraTaskEdge edge = {HIERA_NOT_KNOWN, row, HIERA_NOT_KNOWN};
    if (is_for_some(search, row))
        return;
    if (region->pending->len == 0)
        add_own(search, row);
    add_edges(search, &edge, region->pending);
    g_array_set_size(region->pending, 0);
    region->since = 0;
    g_hash_table_remove_all(region->datum);
    region->all = HIERA_NOT_KNOWN;
}

static void take_create(const HieraTaskSearch *search, guint32 row, guint32 index)
{
    Region *region = open_region(search, row);
    region->last = index;
    g_array_append_val(region->pending, index);
    if (region->groups->len > 0)
        hiera_creation_peek(search, index)->group = g_array_index(region->groups, guint32, region->groups->len - 1);
}

/* The end of a group: until its tasks are known, an edge from where it begins. */
static void take_group_end(const HieraTaskSearch *search, guint32 row, GArray *ends)
{
    Region *region = open_region(search, row);
    HieraTaskEdge end = {HIERA_NOT_KNOWN, row, HIERA_NOT_KNOWN};
    if (region->groups->len > 0) {
        end.before = g_array_index(region->groups, guint32, region->groups->len - 1);
        g_array_set_size(region->groups, region->groups->len - 1);
        g_array_append_val(ends, end);
    } else {
        g_array_append_val(search->edges, end);
    }
}

/* The task around is not complete when its code ends. */
static void take_detach(const HieraTaskSearch *search, guint32 row)
{
    guint32 around = hiera_task_region(search, row);
    guint32 index = around == HIERA_NONE ? HIERA_NOT_KNOWN : creation_of(search, around);
    if (index != HIERA_NOT_KNOWN)
        hiera_creation_peek(search, index)->detaches = TRUE;
}

static void take_row(const HieraTaskSearch *search, guint32 row, guint32 creation, GArray *ends)
{
    HieraTaskPart part = hiera_task_part(search, row);
    if (part == HIERA_PART_CREATE)
        take_create(search, row, creation);
    else if (part == HIERA_PART_GROUP)
        g_array_append_val(open_region(search, row)->groups, row);
    else if (part == HIERA_PART_GROUP_END)
        take_group_end(search, row, ends);
    else if (part == HIERA_PART_WAIT)
        take_wait(search, row);
    else if (part == HIERA_PART_DETACH)
        take_detach(search, row);
    else if (part >= HIERA_PART_IN)
        take_depend(search, row, part);
}

typedef struct {
    guint32 row, creation;
    gint64 start_ns;
} Moment;

static gint compare_moments(gconstpointer left, gconstpointer right)
{
    const Moment *a = left, *b = right;
    return a->start_ns != b->start_ns ? (a->start_ns > b->start_ns) - (a->start_ns < b->start_ns)
                                      : (a->row > b->row) - (a->row < b->row);
}

/* Take the rows by time: the parts of a task may be on several threads. */
static void take_rows(const HieraTaskSearch *search, GArray *ends)
{
    g_autoptr(GArray) moments = g_array_new(FALSE, FALSE, sizeof(Moment));
    guint32 creation = 0;
    for (guint32 row = search->first; row < search->behind; row++) {
        HieraTaskPart part = hiera_task_part(search, row);
        const Moment moment = {row, creation, search->trace->start_ns[row]};
        if (part >= HIERA_PART_CREATE)
            g_array_append_val(moments, moment);
        creation += part == HIERA_PART_CREATE;
    }
    g_array_sort(moments, compare_moments);
    for (guint i = 0; i < moments->len; i++) {
        const Moment *moment = &g_array_index(moments, Moment, i);
        take_row(search, moment->row, moment->creation, ends);
    }
}

/* --- groups --- */

static gint compare_starts(gconstpointer left, gconstpointer right, gpointer user)
{
    const HieraTaskSearch *search = user;
    gint64 a_ns = search->trace->start_ns[hiera_creation_peek(search, *(const guint32 *)left)->row],
           b_ns = search->trace->start_ns[hiera_creation_peek(search, *(const guint32 *)right)->row];
    return (a_ns > b_ns) - (a_ns < b_ns);
}

static gint compare_groups(gconstpointer left, gconstpointer right, gpointer user)
{
    guint32 a = hiera_creation_peek(user, *(const guint32 *)left)->group,
            b = hiera_creation_peek(user, *(const guint32 *)right)->group;
    return (a > b) - (a < b);
}

/* What a task creates is in the group of the task, unless it is in one that the task begins. Then add the edges of the
 * groups' ends. */
static void take_groups(const HieraTaskSearch *search, const GArray *ends)
{
    g_autoptr(GArray) order = g_array_new(FALSE, FALSE, sizeof(guint32));
    g_autoptr(GHashTable) first = g_hash_table_new(NULL, NULL); /* group → index in `order` + 1 */
    for (guint32 i = 0; i < search->creations->len; i++)
        g_array_append_val(order, i);
    g_array_sort_with_data(order, compare_starts, (gpointer)search);
    for (guint i = 0; i < order->len; i++) {
        HieraCreation *creation = hiera_creation_peek(search, g_array_index(order, guint32, i));
        guint32 around = creation->region == HIERA_NONE ? HIERA_NOT_KNOWN : creation_of(search, creation->region);
        if (creation->group == HIERA_NONE && around != HIERA_NOT_KNOWN)
            creation->group = hiera_creation_peek(search, around)->group;
    }
    g_array_sort_with_data(order, compare_groups, (gpointer)search);
    for (guint i = order->len; i-- > 0;)
        g_hash_table_insert(first,
                            GUINT_TO_POINTER(hiera_creation_peek(search, g_array_index(order, guint32, i))->group),
                            GUINT_TO_POINTER(i + 1));
    for (guint i = 0; i < ends->len; i++) {
        HieraTaskEdge edge = g_array_index(ends, HieraTaskEdge, i);
        guint32 group = edge.before;
        guint at = GPOINTER_TO_UINT(g_hash_table_lookup(first, GUINT_TO_POINTER(group)));
        if (at == 0)
            add_own(search, edge.row);
        for (; at > 0 && at <= order->len; at++) {
            edge.before = g_array_index(order, guint32, at - 1);
            if (hiera_creation_peek(search, edge.before)->group != group)
                break;
            g_array_append_val(search->edges, edge);
        }
    }
}

/* --- sets --- */

/* Whether one creation of a set stands for another: both are not known, or are on one thread, where the last counts. */
static gboolean is_alike(const HieraTaskSearch *search, const HieraCreation *a, const HieraCreation *b)
{
    gboolean no_end = a->n == 0 || a->detaches, other_no_end = b->n == 0 || b->detaches;
    if (no_end || other_no_end)
        return no_end && other_no_end;
    return !a->is_loop && !b->is_loop &&
           search->trace->thread[hiera_made_row(search, a->first + a->n - 1)] ==
               search->trace->thread[hiera_made_row(search, b->first + b->n - 1)];
}

static gint64 end_of(const HieraTaskSearch *search, const HieraCreation *creation)
{
    return creation->n == 0 ? 0 : search->trace->finish_ns[hiera_made_row(search, creation->first + creation->n - 1)];
}

/* Keep the last end of each thread. */
static void reduce(const HieraTaskSearch *search, GArray *set)
{
    guint n = 0;
    for (guint i = 0, k; i < set->len; i++) {
        guint32 index = g_array_index(set, guint32, i);
        const HieraCreation *creation = hiera_creation_peek(search, index);
        for (k = 0; k < n; k++) {
            if (is_alike(search, creation, hiera_creation_peek(search, g_array_index(set, guint32, k))))
                break;
        }
        if (k == n)
            g_array_index(set, guint32, n++) = index;
        else if (end_of(search, creation) > end_of(search, hiera_creation_peek(search, g_array_index(set, guint32, k))))
            g_array_index(set, guint32, k) = index;
    }
    g_array_set_size(set, n);
}

static void take_sets(const HieraTaskSearch *search)
{
    for (guint i = 0; i < search->joined->len; i++) {
        const Joined *joined = &g_array_index(search->joined, Joined, i);
        const HieraTaskEdge edge = {joined->creation, joined->row, HIERA_NOT_KNOWN};
        reduce(search, joined->set);
        add_edges(search, &edge, joined->set);
        g_array_unref(joined->set);
    }
}

void hiera_task_regions_take(HieraTaskSearch *search)
{
    g_autoptr(GArray) ends = g_array_new(FALSE, FALSE, sizeof(HieraTaskEdge));
    g_autoptr(GHashTable) regions = g_hash_table_new_full(NULL, NULL, NULL, region_free);
    g_autoptr(GArray) joined = g_array_new(FALSE, FALSE, sizeof(Joined));
    search->regions = regions;
    search->joined = joined;
    take_rows(search, ends);
    take_sets(search);
    take_groups(search, ends);
    search->regions = NULL;
    search->joined = NULL;
}
