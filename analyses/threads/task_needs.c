/* Creations are found and the tasks that they make; then each region's are taken in order; see task_needs.h. */
#include "task_needs.h"
#include "task_parts.h"
#include <string.h>

static HieraTaskPart find_part(const HieraSite *site)
{
    static const struct {
        const char *name;
        HieraTaskPart part;
    } names[] = {{"implicit task", HIERA_PART_REGION},   {"task", HIERA_PART_TASK},
                 {HIERA_CREATE_TASK, HIERA_PART_CREATE}, {"begin taskgroup", HIERA_PART_GROUP},
                 {"taskgroup", HIERA_PART_GROUP_END},    {"taskwait", HIERA_PART_WAIT},
                 {"depend in", HIERA_PART_IN},           {"depend out", HIERA_PART_OUT},
                 {"depend all", HIERA_PART_ALL},         {"depend mutexinoutset", HIERA_PART_MUTEX},
                 {"depend inoutset", HIERA_PART_SET},    {"taskloop", HIERA_PART_LOOP},
                 {"detach", HIERA_PART_DETACH}};
    for (guint i = 0; strcmp(site->level, "openmp") == 0 && i < G_N_ELEMENTS(names); i++) {
        if (strcmp(site->operation, names[i].name) == 0)
            return names[i].part;
    }
    return HIERA_PART_OTHER;
}

/* Return the parts by id of a site; NULL: the trace has no creations. */
static HieraTaskPart *find_parts(const HieraTrace *trace)
{
    guint n = hiera_catalog_count_sites(trace->catalog);
    g_autofree HieraTaskPart *parts = g_new(HieraTaskPart, n + 1);
    gboolean any = FALSE;
    for (guint i = 0; i < n; i++) {
        parts[i] = find_part(hiera_catalog_peek_site(trace->catalog, i));
        any |= parts[i] == HIERA_PART_CREATE;
    }
    return any ? g_steal_pointer(&parts) : NULL;
}

/* --- which creation made which task --- */

/* Whether a creation is inside a `taskloop`: then its tasks have one number. */
static gboolean is_in_loop(const HieraTaskSearch *search, guint32 row)
{
    guint32 region = hiera_task_region(search, row);
    for (row = search->trace->parent[row]; row != region; row = search->trace->parent[row]) {
        if (hiera_task_part(search, row) == HIERA_PART_LOOP)
            return TRUE;
    }
    return FALSE;
}

static void collect(const HieraTaskSearch *search)
{
    for (guint32 row = search->first; row < search->behind; row++) {
        HieraTaskPart part = hiera_task_part(search, row);
        if (part == HIERA_PART_CREATE) {
            const HieraCreation creation = {.row = row,
                                            .region = hiera_task_region(search, row),
                                            .group = HIERA_NONE,
                                            .number = hiera_construct_number(search->trace, row),
                                            .is_loop = is_in_loop(search, row)};
            g_array_append_val(search->creations, creation);
        } else if (part == HIERA_PART_TASK) {
            const HieraCreatedTask task = {row, HIERA_NOT_KNOWN};
            g_array_append_val(search->tasks, task);
        }
    }
}

static gint compare_creations(gconstpointer left, gconstpointer right, gpointer user)
{
    const HieraTaskSearch *search = user;
    const HieraCreation *a = hiera_creation_peek(search, *(const guint32 *)left),
                        *b = hiera_creation_peek(search, *(const guint32 *)right);
    gint64 a_ns = search->trace->start_ns[a->row], b_ns = search->trace->start_ns[b->row];
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    return (a_ns > b_ns) - (a_ns < b_ns);
}

/* Return the last creation of a number until a moment; HIERA_NOT_KNOWN: none. @param order  creations by number and
 * time */
static guint32 find_creation(const HieraTaskSearch *search, const GArray *order, gint32 number, gint64 at_ns)
{
    guint low = 0;
    for (guint high = order->len; low < high;) {
        guint middle = low + (high - low) / 2;
        const HieraCreation *creation = hiera_creation_peek(search, g_array_index(order, guint32, middle));
        if (creation->number < number ||
            (creation->number == number && search->trace->start_ns[creation->row] <= at_ns))
            low = middle + 1;
        else
            high = middle;
    }
    guint32 last = low > 0 ? g_array_index(order, guint32, low - 1) : HIERA_NOT_KNOWN;
    return last != HIERA_NOT_KNOWN && number != HIERA_ABSENT && hiera_creation_peek(search, last)->number == number
               ? last
               : HIERA_NOT_KNOWN;
}

static gint compare_times(gconstpointer left, gconstpointer right)
{
    gint64 a = *(const gint64 *)left, b = *(const gint64 *)right;
    return (a > b) - (a < b);
}

static void match(const HieraTaskSearch *search)
{
    g_autoptr(GArray) order = g_array_new(FALSE, FALSE, sizeof(guint32));
    for (guint32 i = 0; i < search->creations->len; i++)
        g_array_append_val(order, i);
    g_array_sort_with_data(order, compare_creations, (gpointer)search);
    for (guint i = 0; i < search->tasks->len; i++) {
        HieraCreatedTask *task = &g_array_index(search->tasks, HieraCreatedTask, i);
        task->creation = find_creation(search, order, hiera_construct_number(search->trace, task->row),
                                       search->trace->start_ns[task->row]);
        if (task->creation == HIERA_NOT_KNOWN)
            g_array_append_val(search->lost, search->trace->finish_ns[task->row]);
        else
            hiera_creation_peek(search, task->creation)->n++;
    }
}

static gint compare_made(gconstpointer left, gconstpointer right, gpointer user)
{
    const HieraTaskSearch *search = user;
    guint32 a = g_array_index(search->tasks, HieraCreatedTask, *(const guint32 *)left).row,
            b = g_array_index(search->tasks, HieraCreatedTask, *(const guint32 *)right).row;
    gint64 a_ns = search->trace->start_ns[a], b_ns = search->trace->start_ns[b];
    return a_ns != b_ns ? (a_ns > b_ns) - (a_ns < b_ns) : (a > b) - (a < b);
}

/* List the tasks by creation and start. */
static void list_made(const HieraTaskSearch *search)
{
    guint n = 0;
    for (guint i = 0; i < search->creations->len; i++) {
        HieraCreation *creation = hiera_creation_peek(search, i);
        creation->first = n;
        n += creation->n;
        creation->n = 0;
    }
    g_array_set_size(search->made, n);
    for (guint32 i = 0; i < search->tasks->len; i++) {
        guint32 index = g_array_index(search->tasks, HieraCreatedTask, i).creation;
        HieraCreation *creation = index == HIERA_NOT_KNOWN ? NULL : hiera_creation_peek(search, index);
        if (creation)
            g_array_index(search->made, guint32, creation->first + creation->n++) = i;
    }
    for (guint i = 0; i < search->creations->len; i++) {
        const HieraCreation *creation = hiera_creation_peek(search, i);
        if (creation->n > 1)
            g_qsort_with_data(&g_array_index(search->made, guint32, creation->first), (gint)creation->n,
                              sizeof(guint32), compare_made, (gpointer)search);
    }
}

/* --- needs --- */

static void add_need(const HieraTaskSearch *search, guint32 row, guint32 by, gint64 at_ns)
{
    const HieraTaskNeed need = {row, by == HIERA_NONE ? HIERA_NONE : search->trace->thread[by], by, at_ns};
    g_array_append_val(search->needs, need);
}

/* Add that a row needs the ends of the tasks of a creation. */
static void need_ends(const HieraTaskSearch *search, guint32 row, guint32 before, gint64 own_ns)
{
    const HieraCreation *creation = before == HIERA_NOT_KNOWN ? NULL : hiera_creation_peek(search, before);
    if (!creation || creation->n == 0 || creation->detaches) {
        add_need(search, row, HIERA_NONE, own_ns);
        return;
    }
    guint behind = creation->first + creation->n;
    for (guint i = creation->is_loop ? creation->first : behind - 1; i < behind; i++) {
        guint32 ends = hiera_made_row(search, i);
        add_need(search, row, ends, search->trace->finish_ns[ends]);
    }
}

static void take_edge(const HieraTaskSearch *search, const HieraTaskEdge *edge)
{
    if (edge->creation == HIERA_NOT_KNOWN) {
        need_ends(search, edge->row, edge->before, search->trace->finish_ns[edge->row]);
        return;
    }
    const HieraCreation *creation = hiera_creation_peek(search, edge->creation);
    guint n = creation->is_loop ? creation->n : MIN(creation->n, 1);
    for (guint i = creation->first; i < creation->first + n; i++) {
        guint32 row = hiera_made_row(search, i);
        need_ends(search, row, edge->before, search->trace->start_ns[row]);
    }
}

static gint compare_needs(gconstpointer left, gconstpointer right)
{
    const HieraTaskNeed *a = left, *b = right;
    if (a->row != b->row)
        return a->row < b->row ? -1 : 1;
    if (a->at_ns != b->at_ns)
        return a->at_ns < b->at_ns ? -1 : 1;
    return a->by != b->by ? (a->by > b->by) - (a->by < b->by) : 0;
}

/* Whether a task whose creation is not known ends after a moment, until another one. */
static gboolean is_lost(const HieraTaskSearch *search, gint64 after_ns, gint64 until_ns)
{
    guint low = 0;
    for (guint high = search->lost->len; low < high;) {
        guint middle = low + (high - low) / 2;
        if (g_array_index(search->lost, gint64, middle) <= after_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low < search->lost->len && g_array_index(search->lost, gint64, low) <= until_ns;
}

/* A wait may be for tasks whose creation is not known. */
static void doubt_waits(const HieraTaskSearch *search)
{
    guint n = search->needs->len;
    for (guint i = 0; search->lost->len > 0 && i < n; i++) {
        const HieraTaskNeed need = g_array_index(search->needs, HieraTaskNeed, i);
        gint64 finish_ns = search->trace->finish_ns[need.row];
        gboolean is_last = i + 1 == n || g_array_index(search->needs, HieraTaskNeed, i + 1).row != need.row;
        if (is_last && need.thread != HIERA_NONE && hiera_task_part(search, need.row) != HIERA_PART_TASK &&
            is_lost(search, need.at_ns, finish_ns))
            add_need(search, need.row, HIERA_NONE, finish_ns);
    }
    if (search->needs->len > n)
        g_array_sort(search->needs, compare_needs);
}

static void make_needs(const HieraTaskSearch *search)
{
    for (guint i = 0; i < search->creations->len; i++) {
        const HieraCreation *creation = hiera_creation_peek(search, i);
        for (guint k = creation->first; k < creation->first + creation->n; k++) {
            gboolean goes_on = k > creation->first && !creation->is_loop;
            guint32 by = goes_on ? hiera_made_row(search, k - 1) : creation->row;
            add_need(search, hiera_made_row(search, k), by,
                     goes_on ? search->trace->finish_ns[by] : search->trace->start_ns[by]);
        }
    }
    for (guint i = 0; i < search->edges->len; i++)
        take_edge(search, &g_array_index(search->edges, HieraTaskEdge, i));
    g_array_sort(search->needs, compare_needs);
    doubt_waits(search);
}

/* Leave to a creation the tasks that are parts of one: those of one place, and where the record has gaps the first
 * alone, as another task with the same number may have been created in a gap. The others are not known. */
static void leave_out_others(const HieraTaskSearch *search, const HieraProcessor *of)
{
    gboolean has_gaps =
        of->paused_calls > 0 || *of->seam || (search->trace->filtered && search->trace->filtered->len > 0);
    for (guint i = 0; i < search->creations->len; i++) {
        HieraCreation *creation = hiera_creation_peek(search, i);
        guint32 first = creation->n > 0 ? hiera_made_row(search, creation->first) : HIERA_NONE;
        for (guint k = creation->n; !creation->is_loop && k-- > 1;) {
            guint32 row = hiera_made_row(search, creation->first + k), task;
            if (!has_gaps && search->trace->site[row] == search->trace->site[first])
                continue;
            task = g_array_index(search->made, guint32, creation->first + k);
            g_array_index(search->tasks, HieraCreatedTask, task).creation = HIERA_NOT_KNOWN;
            g_array_append_val(search->lost, search->trace->finish_ns[row]);
            creation->n = k;
        }
    }
    g_array_sort(search->lost, compare_times);
}

GArray *hiera_task_needs_find(const HieraTrace *trace, guint32 processor)
{
    const HieraProcessor *of = &trace->processors[processor];
    g_autoptr(GArray) creations = g_array_new(FALSE, FALSE, sizeof(HieraCreation));
    g_autoptr(GArray) tasks = g_array_new(FALSE, FALSE, sizeof(HieraCreatedTask));
    g_autoptr(GArray) made = g_array_new(FALSE, FALSE, sizeof(guint32));
    g_autoptr(GArray) lost = g_array_new(FALSE, FALSE, sizeof(gint64));
    g_autoptr(GArray) edges = g_array_new(FALSE, FALSE, sizeof(HieraTaskEdge));
    g_autofree HieraTaskPart *parts = find_parts(trace);
    HieraTaskSearch search = {.trace = trace,
                              .first = (guint32)of->first,
                              .behind = (guint32)(of->first + of->n_operations),
                              .parts = parts,
                              .creations = creations,
                              .tasks = tasks,
                              .made = made,
                              .lost = lost,
                              .edges = edges,
                              .needs = g_array_new(FALSE, FALSE, sizeof(HieraTaskNeed))};
    if (!parts)
        return search.needs;
    collect(&search);
    match(&search);
    list_made(&search);
    leave_out_others(&search, of);
    hiera_task_regions_take(&search);
    make_needs(&search);
    return search.needs;
}

guint hiera_task_needs_first(const GArray *needs, guint32 row)
{
    guint low = 0;
    for (guint high = needs->len; low < high;) {
        guint middle = low + (high - low) / 2;
        if (g_array_index(needs, HieraTaskNeed, middle).row < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const HieraTaskNeed *hiera_task_needs_last(const GArray *needs, guint32 row)
{
    guint behind = hiera_task_needs_first(needs, row + 1);
    const HieraTaskNeed *last = behind > 0 ? &g_array_index(needs, HieraTaskNeed, behind - 1) : NULL;
    return last && last->row == row && last->thread != HIERA_NONE ? last : NULL;
}

/* --- when threads go on --- */

static gint compare_task_starts(gconstpointer left, gconstpointer right)
{
    const HieraTaskStart *a = left, *b = right;
    if (a->thread != b->thread)
        return a->thread < b->thread ? -1 : 1;
    return a->leave_ns != b->leave_ns ? (a->leave_ns > b->leave_ns) - (a->leave_ns < b->leave_ns)
                                      : (a->row > b->row) - (a->row < b->row);
}

GArray *hiera_task_starts_find(const HieraRankThreads *threads, const HieraTrace *trace, const GArray *needs)
{
    GArray *starts = g_array_new(FALSE, FALSE, sizeof(HieraTaskStart));
    for (guint i = 0; i < needs->len;
         i = hiera_task_needs_first(needs, g_array_index(needs, HieraTaskNeed, i).row + 1)) {
        guint32 row = g_array_index(needs, HieraTaskNeed, i).row;
        gboolean begins = find_part(hiera_trace_peek_site(trace, row)) == HIERA_PART_TASK;
        gint64 leave_ns = begins ? trace->start_ns[row] : trace->finish_ns[row];
        const HieraThreadSpan *span = hiera_thread_span_before(threads, trace->thread[row], leave_ns);
        gboolean idles =
            span && span->end_ns == leave_ns && hiera_idle_runs_tasks(span->idles) && (begins || span->row == row);
        const HieraTaskStart start = {trace->thread[row], row, idles ? span->begin_ns : leave_ns, leave_ns};
        g_array_append_val(starts, start);
    }
    g_array_sort(starts, compare_task_starts);
    for (guint i = 1; i < starts->len; i++) {
        HieraTaskStart *start = &g_array_index(starts, HieraTaskStart, i);
        if (start->thread == start[-1].thread && start->leave_ns == start[-1].leave_ns)
            start->idle_ns = start->leave_ns; /* it is the outer one for which the thread has idled */
    }
    return starts;
}

HieraTaskStart *hiera_task_starts_peek(const GArray *starts, guint32 thread, gint64 leave_ns)
{
    const HieraTaskStart wanted = {thread, 0, 0, leave_ns};
    guint low = 0;
    for (guint high = starts->len; low < high;) {
        guint middle = low + (high - low) / 2;
        if (compare_task_starts(&g_array_index(starts, HieraTaskStart, middle), &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    HieraTaskStart *first = low < starts->len ? &g_array_index(starts, HieraTaskStart, low) : NULL;
    return first && first->thread == thread && first->leave_ns == leave_ns ? first : NULL;
}
