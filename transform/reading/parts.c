#include "base/threads.h"
#include "base/vocabulary.h"
#include "hiera_parts.h"
#include "part_agreement.h"
#include <string.h>
#include <sys/resource.h>

/* Most files that are read in parts: runs with more are read as a whole, since each file takes a thread and memory. */
enum { MOST_FILES = 256 };

struct HieraParts {
    HieraCatalog *catalog;
    HieraFindings *findings;
    const GPtrArray *paths;
    HieraPartsOptions options;
    GThread *thread;       /* thread that runs hiera_load */
    GArray *processors;    /* what hiera_load returned; NULL: it has not returned */
    HieraBuilder *builder; /* collects the operations of the current part */
    PartReaders readers;
    GPtrArray *readings; /* PartReading of usable files, in the order in which they began; later by rank */
    GMutex lock;         /* protects the following members */
    GCond changed;
    guint n_waiting, n_read; /* number of files whose threads wait; number of files that are read */
    guint turn;              /* number of times that waiting threads were woken */
    gboolean has_begun;
    guint64 step;   /* number of collectives of all ranks from one stop to the next */
    gboolean ended; /* whether hiera_parts_next has returned the last part */
};

/* --- functions called by the threads that read files --- */

static gboolean is_given_up(const HieraParts *parts)
{
    return g_atomic_int_get(&parts->readers.given_up);
}

static void wait_for_turn(gpointer user)
{
    HieraParts *parts = user;
    g_mutex_lock(&parts->lock);
    guint turn = parts->turn;
    parts->n_waiting++;
    g_cond_broadcast(&parts->changed);
    while (parts->turn == turn && !is_given_up(parts))
        g_cond_wait(&parts->changed, &parts->lock);
    g_mutex_unlock(&parts->lock);
}

static void give_up(gpointer user)
{
    HieraParts *parts = user;
    g_mutex_lock(&parts->lock);
    g_atomic_int_set(&parts->readers.given_up, TRUE);
    g_cond_broadcast(&parts->changed);
    g_mutex_unlock(&parts->lock);
}

static void note_read(gpointer user)
{
    HieraParts *parts = user;
    g_mutex_lock(&parts->lock);
    parts->n_read++;
    g_cond_broadcast(&parts->changed);
    g_mutex_unlock(&parts->lock);
}

/* --- the sink for hiera_load --- */

static gpointer begin(gpointer user, const HieraProcessor *processor)
{
    HieraParts *parts = user;
    if (processor->before)
        give_up(parts);
    PartReading *reading = part_reading_new(&parts->readers, processor);
    g_mutex_lock(&parts->lock);
    g_ptr_array_add(parts->readings, reading);
    g_mutex_unlock(&parts->lock);
    return reading;
}

static void add_attribute(gpointer reading, const HieraAttributeValue *value)
{
    part_reading_add_attribute(reading, value);
}

static void add(gpointer reading, const HieraOperation *operation)
{
    part_reading_add(reading, operation);
}

static void end(gpointer user, gpointer reading, const HieraProcessor *processor, gboolean keep)
{
    (void)user;
    (void)reading;
    (void)processor;
    (void)keep;
}

/* Add calls that were only counted. As their part is unknown, give up if they could communicate. */
static void add_filtered(gpointer reading, const HieraFiltered *filtered)
{
    const HieraSite *site = filtered->site;
    if (site->kind != HIERA_KIND_LOCAL || site->starts != HIERA_KIND_LOCAL ||
        (site->mpi && strcmp(site->operation, HIERA_OPERATION_CANCEL) == 0))
        part_reading_give_up(reading);
    else
        part_reading_add_filtered(reading, filtered);
}

static void add_timed(gpointer reading, const HieraTimed *timed)
{
    part_reading_add_timed(reading, timed);
}

static gpointer load(gpointer user)
{
    HieraParts *parts = user;
    const HieraSink sink = {.begin = begin,
                            .operation = add,
                            .end = end,
                            .user = parts,
                            .attribute = add_attribute,
                            .filtered = add_filtered,
                            .timed = add_timed};
    const HieraLoadOptions options = {.threads = parts->paths->len,
                                      .progress = parts->options.progress,
                                      .progress_user = parts->options.progress_user,
                                      .validate = parts->options.validate,
                                      .keep_lines = (parts->options.keep & HIERA_KEEP_LINES) != 0,
                                      .file_read = note_read,
                                      .too_few = give_up,
                                      .file_user = parts};
    return hiera_load(parts->paths, &options, &sink, 1, parts->catalog, parts->findings);
}

/* --- ending a part and beginning the next one --- */

static void begin_part(HieraParts *parts)
{
    hiera_builder_free(parts->builder);
    parts->builder = hiera_builder_new(parts->catalog, parts->options.keep);
    parts->readers.to = hiera_builder_sink(parts->builder);
}

/* Whether this process can have n more threads: each takes much of the address space, though little memory. */
static gboolean can_have_threads(guint n)
{
    struct rlimit space;
    return n > 0 && n <= MOST_FILES && getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur == RLIM_INFINITY;
}

HieraParts *hiera_parts_open(const GPtrArray *paths, const HieraPartsOptions *options, HieraCatalog *catalog,
                             HieraFindings *findings)
{
    HieraParts *parts = g_new0(HieraParts, 1);
    parts->options = *options;
    parts->catalog = catalog;
    parts->findings = findings;
    parts->paths = paths;
    parts->readings = g_ptr_array_new_with_free_func((GDestroyNotify)part_reading_free);
    parts->step = 1;
    parts->readers = (PartReaders){.catalog = catalog,
                                   .together = options->together,
                                   .stop = parts->step,
                                   .goal = MAX(options->rows / (2 * (paths->len + 1)), 1),
                                   .wait = wait_for_turn,
                                   .give_up = give_up,
                                   .user = parts};
    g_mutex_init(&parts->lock);
    g_cond_init(&parts->changed);
    begin_part(parts);
    parts->readers.given_up = !can_have_threads(paths->len);
    if (!parts->readers.given_up)
        parts->thread = g_thread_try_new("load", load, parts, NULL);
    if (!parts->thread)
        parts->readers.given_up = TRUE;
    return parts;
}

static void join(HieraParts *parts)
{
    if (parts->thread)
        parts->processors = g_thread_join(g_steal_pointer(&parts->thread));
}

void hiera_parts_close(HieraParts *parts)
{
    give_up(parts);
    join(parts);
    g_ptr_array_unref(parts->readings);
    hiera_builder_free(parts->builder);
    g_clear_pointer(&parts->processors, g_array_unref);
    g_cond_clear(&parts->changed);
    g_mutex_clear(&parts->lock);
    g_free(parts);
}

static PartReading *peek_reading(const HieraParts *parts, guint i)
{
    return g_ptr_array_index(parts->readings, i);
}

static gint compare_ranks(gconstpointer a, gconstpointer b)
{
    guint32 left = part_reading_rank(*(PartReading *const *)a), right = part_reading_rank(*(PartReading *const *)b);
    return (left > right) - (left < right);
}

/* Let the ranks continue (the first time they do by themselves), and wait until each one waits again, or has been read.
 * @return whether all have been read */
static gboolean go_on(HieraParts *parts)
{
    g_mutex_lock(&parts->lock);
    if (parts->has_begun) {
        parts->readers.stop += parts->step;
        parts->n_waiting = 0;
        parts->turn++;
        g_cond_broadcast(&parts->changed);
    }
    parts->has_begun = TRUE;
    while (parts->n_waiting + parts->n_read < parts->paths->len && !is_given_up(parts))
        g_cond_wait(&parts->changed, &parts->lock);
    gboolean read = parts->n_waiting == 0;
    g_mutex_unlock(&parts->lock);
    return read;
}

/* Whether the part can end at the collective where all ranks wait. @param rows  becomes its number of rows */
static gboolean can_end(HieraParts *parts, guint64 *rows)
{
    g_autoptr(GHashTable) sent = g_hash_table_new(NULL, NULL);
    GHashTableIter iterator;
    gpointer sum;
    gboolean done = TRUE;
    *rows = 0;
    for (guint i = 0; i < parts->readings->len; i++) {
        const PartReading *reading = peek_reading(parts, i);
        if (!part_reading_is_at_stop(reading)) {
            give_up(parts);
            return FALSE;
        }
        done &= part_reading_is_done(reading, sent);
        *rows += part_reading_count(reading);
    }
    g_hash_table_iter_init(&iterator, sent);
    while (done && g_hash_table_iter_next(&iterator, NULL, &sum))
        done = sum == NULL;
    return done;
}

/* Whether the part can end where each rank waits, at no common collective. @param rows  becomes its number of rows */
static gboolean can_end_apart(HieraParts *parts, guint64 *rows)
{
    *rows = 0;
    for (guint i = 0; i < parts->readings->len; i++)
        *rows += part_reading_count(peek_reading(parts, i));
    PartAgreement found = part_agreement_find(parts->readings, parts->catalog);
    if (found == PART_AGREEMENT_NEVER)
        give_up(parts);
    else if (found == PART_AGREEMENT_LAST)
        parts->readers.goal = G_MAXUINT64;
    return found == PART_AGREEMENT_NOW;
}

/* Change `goal`, which decides how large the next part is. @param ends  the current part can end */
static void set_goal(HieraParts *parts, guint64 rows, gboolean ends)
{
    guint64 least = MAX(parts->options.rows / (2 * parts->paths->len), 1), goal = parts->readers.goal;
    if (goal == G_MAXUINT64) /* ranks are read to their end */
        return;
    if (ends && rows < parts->options.rows / 2)
        goal *= 2;
    else if (rows > parts->options.rows)
        goal /= 2;
    parts->readers.goal = CLAMP(goal, MAX(least / 64, 1), MAX(parts->options.rows, 1));
}

static const HieraProcessor *peek_processor(const HieraParts *parts, guint i)
{
    return &g_array_index(parts->processors, HieraProcessor, i);
}

/* Whether a trace has all calls of its rank, as single operations; known only when it has been read. */
static gboolean has_all_calls(const HieraProcessor *of)
{
    return of->lost_calls == 0 && of->paused_calls == 0 && of->n_summed == 0 && !*of->seam;
}

/* Whether there is one usable trace for each rank, the same ones that hiera_load has returned. */
static gboolean are_ranks_good(const HieraParts *parts)
{
    guint n = parts->readings->len;
    gboolean good = n > 0 && (!parts->processors || parts->processors->len == n);
    for (guint i = 0; i < n && good; i++) {
        guint32 rank = part_reading_rank(peek_reading(parts, i));
        good =
            (i == 0 || part_reading_rank(peek_reading(parts, i - 1)) != rank) &&
            (!parts->processors || (peek_processor(parts, i)->rank == rank && has_all_calls(peek_processor(parts, i))));
    }
    return good;
}

static HieraTrace *take_part(HieraParts *parts)
{
    g_autoptr(GArray) processors = g_array_new(FALSE, TRUE, sizeof(HieraProcessor));
    guint64 first = 0;
    for (guint i = 0; i < parts->readings->len; i++) {
        HieraProcessor of =
            part_reading_end(peek_reading(parts, i), parts->processors ? peek_processor(parts, i) : NULL);
        of.number = i;
        of.first = first;
        first += of.n_operations;
        g_array_append_val(processors, of);
    }
    HieraTrace *part = hiera_builder_take_trace(parts->builder, processors, NULL);
    begin_part(parts);
    for (guint i = 0; i < parts->readings->len; i++)
        part_reading_begin(peek_reading(parts, i));
    parts->ended = parts->processors != NULL;
    if (part && !is_given_up(parts))
        return part;
    hiera_trace_free(part);
    give_up(parts);
    return NULL;
}

/* Change `step`, how many collectives ranks read at a time, so that the part gets about the wanted number of rows. */
static void set_step(HieraParts *parts, guint64 rows)
{
    enum { MOST_TIMES = 8 };
    if (rows < parts->options.rows / 2)
        parts->step *= CLAMP(parts->options.rows / (rows + 1), 1, MOST_TIMES);
    else if (rows > parts->options.rows)
        parts->step = MAX(parts->step / 2, 1);
}

HieraTrace *hiera_parts_next(HieraParts *parts)
{
    guint64 rows;
    while (!parts->processors && !is_given_up(parts)) {
        gboolean read = go_on(parts);
        if (is_given_up(parts)) /* no result yet: threads may still be reading other ranks */
            return NULL;
        if (read)
            join(parts);
        g_ptr_array_sort(parts->readings, compare_ranks);
        if (!are_ranks_good(parts)) {
            give_up(parts);
            return NULL;
        }
        if (read)
            return take_part(parts);
        gboolean ends = parts->options.together ? can_end(parts, &rows) : can_end_apart(parts, &rows);
        gboolean takes = ends && rows >= parts->options.rows / 2;
        if (parts->options.together)
            set_step(parts, rows);
        else
            set_goal(parts, rows, ends);
        if (takes)
            return take_part(parts);
    }
    return NULL;
}

guint32 hiera_parts_count_around(const HieraParts *parts, guint32 processor)
{
    return part_reading_count_around(peek_reading(parts, processor));
}

void hiera_parts_give_up(HieraParts *parts)
{
    give_up(parts);
}

const GArray *hiera_parts_peek_processors(const HieraParts *parts)
{
    return parts->ended && !is_given_up(parts) ? parts->processors : NULL;
}
