/* Serial sections; see serial_sections.h. The run is divided into windows, each with few computations of every
 * rank. Within a window, a row of steps says who computes: nobody, one rank, or several. The rows of two ranks are
 * merged into one, those of two pairs into one of four ranks, and so on. Where several ranks compute, a merged row has
 * one step, however many computations begin and end, so rows become shorter. */
#include "serial_sections.h"

enum { AHEAD = 64 }; /* number of computations of a rank that are read ahead */

typedef struct {
    gint64 begin_ns, end_ns;
} Computation;

/* A step: from its time on, this rank computes alone, or NOBODY does, or SEVERAL do. The last step of a row is at
 * HIERA_TIME_OPEN. */
#define NOBODY  HIERA_NONE
#define SEVERAL (HIERA_NONE - 1)
typedef struct {
    gint64 at_ns;
    guint32 who;
} Step;

typedef struct {
    guint32 rank; /* rank that computes alone; NOBODY: there is no section */
    gint64 begin_ns, end_ns;
} Section;

typedef struct {
    const HieraComputations *of;
    Computation *ahead;   /* by rank, AHEAD elements each: computations that end after the begin of the window */
    guint32 *n_ahead;     /* by rank: number of elements in `ahead`; fewer than AHEAD: there are no more */
    Step *steps, *merged; /* rows of Step, one after another; `merged`: output of merge_pairs */
    guint32 *n_steps;     /* by row: number of its steps */
    Section last, busy;   /* last section, last time when any rank computes: may go on in the next window */
} Sweep;

/* --- windows of time, and the row of each rank --- */

/* Request computations of a rank until AHEAD are known. */
static void look_ahead(const Sweep *sweep, guint32 rank)
{
    Computation *ahead = &sweep->ahead[(gsize)rank * AHEAD], next;
    guint32 n = sweep->n_ahead[rank];
    while (n < AHEAD && (next.begin_ns = sweep->of->next(rank, &next.end_ns, sweep->of->user)) != HIERA_TIME_OPEN)
        ahead[n++] = next;
    sweep->n_ahead[rank] = n;
}

/* Read ahead of all ranks. @return the time until which all computations of all ranks are known: end of the window */
static gint64 find_end(const Sweep *sweep)
{
    gint64 end_ns = HIERA_TIME_OPEN;
    for (guint32 rank = 0; rank < sweep->of->n_ranks; rank++) {
        look_ahead(sweep, rank);
        if (sweep->n_ahead[rank] == AHEAD)
            end_ns = MIN(end_ns, sweep->ahead[(gsize)rank * AHEAD + AHEAD - 1].end_ns);
    }
    return end_ns;
}

/* Append the begin of a computation to the row of a rank. If it begins where the previous one ends, that end is
 * dropped. */
static guint32 begin(Step *to, guint32 n, gint64 at_ns, guint32 rank)
{
    if (n > 0 && to[n - 1].at_ns == at_ns)
        return n - 1;
    to[n] = (Step){at_ns, rank};
    return n + 1;
}

/* Make the row of a rank, and drop its computations that end in the window. @return the number of steps */
static guint32 make_row(const Sweep *sweep, guint32 rank, gint64 until_ns, Step *to)
{
    Computation *ahead = &sweep->ahead[(gsize)rank * AHEAD];
    guint32 n = 0, done = 0, *n_ahead = &sweep->n_ahead[rank];
    for (; done < *n_ahead && ahead[done].end_ns <= until_ns; done++) {
        n = begin(to, n, ahead[done].begin_ns, rank);
        to[n++] = (Step){ahead[done].end_ns, NOBODY};
    }
    if (done < *n_ahead && ahead[done].begin_ns < until_ns) {
        n = begin(to, n, ahead[done].begin_ns, rank);
        ahead[done].begin_ns = until_ns;
    }
    to[n++] = (Step){HIERA_TIME_OPEN, NOBODY};
    *n_ahead -= done;
    memmove(ahead, ahead + done, *n_ahead * sizeof *ahead);
    return n;
}

/* --- merging rows of ranks --- */

/* Merge two rows. Which row has the next step is unpredictable, so the loop avoids branches. @return the number
 * of steps */
static guint32 merge(const Step *a, const Step *b, Step *to)
{
    guint32 by_a = NOBODY, by_b = NOBODY, before = NOBODY, n = 0;
    for (gint64 at_ns; (at_ns = MIN(a->at_ns, b->at_ns)) != HIERA_TIME_OPEN;) {
        gboolean in_a = a->at_ns == at_ns, in_b = b->at_ns == at_ns;
        by_a = in_a ? a->who : by_a;
        by_b = in_b ? b->who : by_b;
        a += in_a;
        b += in_b;
        guint32 who = by_b == NOBODY ? by_a : SEVERAL;
        who = by_a == NOBODY ? by_b : who;
        to[n] = (Step){at_ns, who};
        n += who != before;
        before = who;
    }
    to[n++] = (Step){HIERA_TIME_OPEN, NOBODY};
    return n;
}

/* Merge each two neighbouring rows into one. @return the number of rows now */
static guint32 merge_pairs(Sweep *sweep, guint32 n_rows)
{
    const Step *from = sweep->steps;
    Step *to = sweep->merged;
    guint32 n = 0;
    for (guint32 row = 0; row < n_rows; row += 2) {
        const Step *second = from + sweep->n_steps[row];
        gboolean pair = row + 1 < n_rows;
        guint32 n_from = sweep->n_steps[row] + (pair ? sweep->n_steps[row + 1] : 0);
        if (pair)
            sweep->n_steps[n] = merge(from, second, to);
        else
            memcpy(to, from, (sweep->n_steps[n] = n_from) * sizeof *to);
        from += n_from;
        to += sweep->n_steps[n++];
    }
    Step *free_steps = sweep->steps;
    sweep->steps = sweep->merged;
    sweep->merged = free_steps;
    return n;
}

/* --- serial sections in a window --- */

static void tell(const Sweep *sweep)
{
    const Section *last = &sweep->last;
    if (last->rank != NOBODY)
        sweep->of->alone(last->rank, last->begin_ns, last->end_ns, sweep->of->user);
}

static void add_section(Sweep *sweep, guint32 rank, gint64 begin_ns, gint64 end_ns)
{
    if (rank != sweep->last.rank || begin_ns != sweep->last.end_ns) {
        tell(sweep);
        sweep->last = (Section){rank, begin_ns, end_ns};
    }
    sweep->last.end_ns = end_ns;
}

static void tell_busy(const Sweep *sweep)
{
    if (sweep->of->busy && sweep->busy.rank != NOBODY)
        sweep->of->busy(sweep->busy.begin_ns, sweep->busy.end_ns, sweep->of->user);
}

static void add_busy(Sweep *sweep, gint64 begin_ns, gint64 end_ns)
{
    if (sweep->busy.rank == NOBODY || begin_ns != sweep->busy.end_ns) {
        tell_busy(sweep);
        sweep->busy = (Section){SEVERAL, begin_ns, end_ns};
    }
    sweep->busy.end_ns = end_ns;
}

/* Find the serial sections in a window that ends at until_ns. */
static void search_window(Sweep *sweep, gint64 until_ns)
{
    Step *to = sweep->steps;
    guint32 n_rows = sweep->of->n_ranks;
    for (guint32 rank = 0; rank < n_rows; rank++)
        to += sweep->n_steps[rank] = make_row(sweep, rank, until_ns, to);
    while (n_rows > 1)
        n_rows = merge_pairs(sweep, n_rows);
    for (const Step *step = sweep->steps; step->at_ns != HIERA_TIME_OPEN; step++) {
        gint64 end_ns = MIN(step[1].at_ns, until_ns);
        if (step->who != NOBODY && step->who != SEVERAL && step->at_ns < end_ns)
            add_section(sweep, step->who, step->at_ns, end_ns);
        if (step->who != NOBODY && step->at_ns < end_ns)
            add_busy(sweep, step->at_ns, end_ns);
    }
}

void hiera_serial_sections_find(const HieraComputations *of)
{
    gsize n = of->n_ranks, n_steps = n * (2 * AHEAD + 1);
    if (n == 0 || (n == 1 && !of->others))
        return;
    g_autofree guint32 *lengths = g_new(guint32, n), *n_ahead = g_new0(guint32, n);
    Sweep sweep = {of,
                   g_new(Computation, n * AHEAD),
                   n_ahead,
                   g_new(Step, n_steps),
                   g_new(Step, n_steps),
                   lengths,
                   {NOBODY, 0, 0},
                   {NOBODY, 0, 0}};
    for (gint64 until_ns = 0; until_ns != HIERA_TIME_OPEN;) {
        until_ns = find_end(&sweep);
        search_window(&sweep, until_ns);
    }
    tell(&sweep);
    tell_busy(&sweep);
    g_free(sweep.ahead);
    g_free(sweep.steps);
    g_free(sweep.merged);
}
