/* See thread_strands.h. */
#include "thread_strands.h"
#include "dtd/constructs.h"
#include <string.h>

/* Strands of tasks and sections; further ones belong to the threads that run them. */
enum { TASKS_MOST = 512 };

static const struct {
    const char *level, *name;
    HieraThreadPart part;
} parts[] = {
    {"openmp", "parallel", HIERA_STRAND_REGION},
    {"openmp", "implicit task", HIERA_STRAND_SHARE},
    {"openmp", "task", HIERA_STRAND_TASK},
    {"openmp", "create task", HIERA_STRAND_CREATE},
    {"openmp", "depend in", HIERA_STRAND_DEPEND},
    {"openmp", "depend out", HIERA_STRAND_DEPEND},
    {"openmp", "depend all", HIERA_STRAND_DEPEND},
    {"openmp", "depend mutexinoutset", HIERA_STRAND_DEPEND},
    {"openmp", "depend inoutset", HIERA_STRAND_DEPEND},
    {"openmp", "taskwait", HIERA_STRAND_WAIT},
    {"openmp", "taskgroup", HIERA_STRAND_WAIT},
    {"openmp", "taskloop", HIERA_STRAND_WAIT},
    {"openmp", "barrier", HIERA_STRAND_BARRIER},
    {"openmp", "critical", HIERA_STRAND_ALONE},
    {"openmp", "ordered", HIERA_STRAND_ALONE},
    {"openmp", "acquire atomic", HIERA_STRAND_ATOMIC},
    {"openmp", "acquire lock", HIERA_STRAND_ACQUIRE},
    {"openmp", "acquire nest lock", HIERA_STRAND_ACQUIRE},
    {"openmp", "release lock", HIERA_STRAND_RELEASE},
    {"openmp", "release nest lock", HIERA_STRAND_RELEASE},
    {"openmp", "acquire doacross", HIERA_STRAND_UNKNOWN},
    {"openmp", "acquire copyprivate", HIERA_STRAND_UNKNOWN},
    {"openmp", "detach", HIERA_STRAND_UNKNOWN},
    {"threads", "thread", HIERA_STRAND_THREAD},
    {"threads", "create", HIERA_STRAND_BEGIN_THREAD},
    {"threads", "join", HIERA_STRAND_JOIN},
    {"threads", "acquire mutex", HIERA_STRAND_UNKNOWN},
    {"threads", "acquire rwlock", HIERA_STRAND_UNKNOWN},
    {"threads", "wait condition", HIERA_STRAND_UNKNOWN},
    {"threads", "wait semaphore", HIERA_STRAND_UNKNOWN},
    {"threads", "barrier", HIERA_STRAND_UNKNOWN},
    {"openmp", "sections", HIERA_STRAND_SECTIONS},
    {"openmp", "section", HIERA_STRAND_SECTION},
};

typedef struct {
    HieraThreadStrands *strands;
    const HieraTrace *trace;
    const guint8 *part_of;
    guint32 processor;
    const HieraProcessor *of;
    guint32 *last; /* by row, from the first one on */
    guint32 *n_tasks;
    GHashTable *sections; /* row of sections → row + 1 of the last one that has begun */
} Search;

HieraThreadPart hiera_thread_part_find(const HieraSite *site)
{
    for (guint i = 0; i < G_N_ELEMENTS(parts); i++)
        if (strcmp(site->level, parts[i].level) == 0 && strcmp(site->operation, parts[i].name) == 0)
            return parts[i].part;
    return HIERA_STRAND_OTHER;
}

static HieraThreadPart part_at(const Search *search, guint32 row)
{
    return (HieraThreadPart)search->part_of[search->trace->site[row]];
}

guint32 hiera_thread_strands_peek(const HieraThreadStrands *strands, guint32 row)
{
    return strands->of_row ? strands->of_row[row] : hiera_trace_find_processor(strands->trace, row);
}

static guint32 add_strand(const Search *search)
{
    HieraThreadStrands *strands = search->strands;
    strands->processor = g_renew(guint32, strands->processor, strands->n + 1);
    strands->processor[strands->n] = search->processor;
    return strands->n++;
}

/* Whether a task begins where its thread waits, so that it is none of what the thread does by itself. */
static gboolean is_deferred(const Search *search, guint32 row)
{
    guint32 parent = search->trace->parent[row];
    HieraThreadPart around = parent == HIERA_NONE ? HIERA_STRAND_REGION : part_at(search, parent);
    return around == HIERA_STRAND_REGION || around == HIERA_STRAND_WAIT || around == HIERA_STRAND_BARRIER ||
           around == HIERA_STRAND_ATOMIC || around == HIERA_STRAND_ACQUIRE;
}

/* Each of the sections that a thread runs has a strand; the first one that of the thread, which other ones do not
 * follow.
 */
static guint32 begin_section(Search *search, guint32 row)
{
    guint32 parent = search->trace->parent[row];
    if (*search->n_tasks >= TASKS_MOST)
        return search->strands->of_row[parent];
    (*search->n_tasks)++;
    g_hash_table_insert(search->sections, GUINT_TO_POINTER(parent), GUINT_TO_POINTER(row + 1));
    return add_strand(search);
}

/* Return the strand of what is inside an operation. */
static guint32 find_inner_strand(const Search *search, guint32 parent)
{
    guint32 section = GPOINTER_TO_UINT(g_hash_table_lookup(search->sections, GUINT_TO_POINTER(parent)));
    return search->strands->of_row[section > 0 ? section - 1 : parent];
}

static guint32 find_strand(Search *search, guint32 row, GHashTable *threads)
{
    const HieraTrace *trace = search->trace;
    guint32 parent = trace->parent[row];
    if (part_at(search, row) == HIERA_STRAND_TASK && is_deferred(search, row) && *search->n_tasks < TASKS_MOST) {
        (*search->n_tasks)++;
        return add_strand(search);
    }
    if (part_at(search, row) == HIERA_STRAND_SECTION && parent != HIERA_NONE &&
        part_at(search, parent) == HIERA_STRAND_SECTIONS)
        return begin_section(search, row);
    if (parent != HIERA_NONE)
        return find_inner_strand(search, parent);
    if (trace->thread[row] == 0)
        return search->processor;
    gpointer key = GUINT_TO_POINTER(trace->thread[row]);
    guint32 strand = GPOINTER_TO_UINT(g_hash_table_lookup(threads, key));
    if (strand == 0) {
        strand = add_strand(search) + 1;
        g_hash_table_insert(threads, key, GUINT_TO_POINTER(strand));
    }
    return strand - 1;
}

static void find_strands(Search *search)
{
    g_autoptr(GHashTable) threads = g_hash_table_new(NULL, NULL);
    guint32 first = (guint32)search->of->first, behind = first + (guint32)search->of->n_operations;
    for (guint32 row = first; row < behind; row++)
        search->strands->of_row[row] = find_strand(search, row, threads);
    for (guint32 row = behind; row-- > first;) {
        guint32 parent = search->trace->parent[row], *last = &search->last[row - first];
        *last = MAX(*last, row);
        if (parent != HIERA_NONE)
            search->last[parent - first] = MAX(search->last[parent - first], *last);
    }
}

guint32 *hiera_thread_strands_find(HieraThreadStrands *strands, const guint8 *part_of, guint32 processor,
                                   guint32 *n_tasks)
{
    const HieraTrace *trace = strands->trace;
    Search search = {.strands = strands,
                     .trace = trace,
                     .part_of = part_of,
                     .processor = processor,
                     .of = &trace->processors[processor],
                     .n_tasks = n_tasks};
    search.last = g_new0(guint32, search.of->n_operations);
    search.sections = g_hash_table_new(NULL, NULL);
    find_strands(&search);
    g_hash_table_unref(search.sections);
    return search.last;
}
