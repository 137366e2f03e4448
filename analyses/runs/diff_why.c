/* A text on why a row of the measure diff is slower or faster; see diff_parts.h. It has the parts that explain much of
 * the change, in a fixed order: ranks, calls, bytes, computation, waiting with its cause, other time inside MPI. */
#include "calls/call_paths.h"
#include "calls/call_times.h"
#include "diff_parts.h"
#include <string.h>

enum {
    LEAST_OF_RUN = 100,  /* a change of less than 1/100 of the run is not explained */
    LEAST_OF_CHANGE = 10 /* a part of less than 1/10 of a row's change is not named */
};

typedef struct {
    const HieraDiff *diff;
    const HieraDiffRow *row;
    GString *text;
} Why;

static gint64 size_of(gint64 number)
{
    return number < 0 ? hiera_minus(0, number) : number;
}

/* Begin a new part of the sentence, after "; ". @return the text, for appending */
static GString *begin(const Why *why)
{
    if (why->text->len > 0)
        g_string_append(why->text, "; ");
    return why->text;
}

static void append_time(GString *text, gint64 ns)
{
    char time[HIERA_NUMBER_BYTES];
    hiera_time_format(time, ns);
    g_string_append(text, time);
}

/* Append two times to a text: "12.6 ms instead of 10.1 ms". */
static void append_times(GString *text, gint64 b_ns, gint64 a_ns)
{
    append_time(text, b_ns);
    g_string_append(text, " instead of ");
    append_time(text, a_ns);
}

/* Append ranks to a text, with a noun: "rank 3", "ranks 0-2". */
static void append_ranks(GString *text, const char *ranks)
{
    g_string_append_printf(text, "%s %s", ranks[strspn(ranks, "0123456789")] ? "ranks" : "rank", ranks);
}

/* Append the number of calls per rank to a text, like "3" or "2.5". */
static void append_calls(GString *text, const HieraDiffSide *side)
{
    gint64 ranks = MAX(side->ranks, 1);
    if (side->calls % ranks == 0)
        g_string_append_printf(text, "%" G_GINT64_FORMAT, side->calls / ranks);
    else
        g_string_append_printf(text, "%.1f", (double)side->calls / (double)ranks);
}

/* Begin a part of the sentence with the number of calls, like "3 calls per rank". */
static void begin_calls(const Why *why, const HieraDiffSide *side)
{
    append_calls(begin(why), side);
    g_string_append_printf(why->text, " call%s per rank", side->calls == side->ranks ? "" : "s");
}

static gint64 per_call(const HieraDiffSide *side)
{
    return side->calls > 0 ? (gint64)((__int128)side->time_ns * MAX(side->ranks, 1) / side->calls) : 0;
}

static gboolean is_part(const Why *why, gint64 part_ns)
{
    return size_of(part_ns) >= size_of(why->row->change_ns) / LEAST_OF_CHANGE && part_ns != 0;
}

static void say_only(const Why *why, gboolean in_a)
{
    if (why->row->a.calls + why->row->b.calls == 0)
        return; /* the node of further threads */
    begin_calls(why, in_a ? &why->row->a : &why->row->b);
    g_string_append_printf(why->text, ", none in %s", in_a ? "b" : "a");
}

static double threads_of(const HieraRunThreads *threads)
{
    return threads->regions > 0 ? (double)threads->parts / (double)threads->regions : 0;
}

/* Say how many threads regions of OpenMP have on average, if that differs; of the repeats, in the first of them. */
static void say_threads(const Why *why)
{
    const HieraDiff *diff = why->diff;
    double a = threads_of(&diff->threads[0]), b = threads_of(&diff->threads[diff->first_b]);
    if (a > 0 && b > 0 && size_of((gint64)(b * 100) - (gint64)(a * 100)) >= 5)
        g_string_append_printf(begin(why), "%.3g thread%s per region of OpenMP instead of %.3g", b,
                               b < 1.005 ? "" : "s", a);
}

static void say_calls(const Why *why)
{
    const HieraDiffSide *a = &why->row->a, *b = &why->row->b;
    if (why->row->place == 0) {
        say_threads(why);
        if (a->ranks != b->ranks)
            g_string_append_printf(begin(why), "%" G_GINT64_FORMAT " ranks instead of %" G_GINT64_FORMAT, b->ranks,
                                   a->ranks);
        return;
    }
    gboolean differ = (__int128)a->calls * b->ranks != (__int128)b->calls * a->ranks;
    gboolean longer =
        is_part(why, (gint64)((__int128)hiera_minus(per_call(b), per_call(a)) * b->calls / MAX(b->ranks, 1)));
    if (differ) {
        begin_calls(why, b);
        g_string_append(why->text, " instead of ");
        append_calls(why->text, a);
    }
    /* If there is one call per rank, the time of a call is in the columns already. */
    if (longer && (differ || b->calls > b->ranks)) {
        g_string_append(differ ? why->text : begin(why), differ ? ", each takes " : "each call takes ");
        append_times(why->text, per_call(b), per_call(a));
    }
}

static void say_bytes(const Why *why)
{
    char bytes[2][HIERA_NUMBER_BYTES];
    const HieraDiffSide *a = &why->row->a, *b = &why->row->b;
    gint64 in_a = a->bytes / MAX(a->ranks, 1), in_b = b->bytes / MAX(b->ranks, 1);
    if (size_of(hiera_minus(in_b, in_a)) <= MAX(in_a, in_b) / 100)
        return;
    hiera_bytes_format(bytes[0], in_b);
    hiera_bytes_format(bytes[1], in_a);
    g_string_append_printf(begin(why), "%s of messages per rank instead of %s", bytes[0], bytes[1]);
}

/* Append a part of the row's change, like "7.53 ms more computation". @return FALSE: too small, nothing was appended */
static gboolean say_part(const Why *why, gint64 part_ns, const char *what)
{
    if (!is_part(why, part_ns))
        return FALSE;
    append_time(begin(why), size_of(part_ns));
    g_string_append_printf(why->text, " %s %s", part_ns > 0 ? "more" : "less", what);
    return TRUE;
}

static void append_cause(const Why *why, const HieraDiffCause *cause)
{
    const HieraRun *run = &why->diff->runs[cause->run];
    const HieraCallTree *tree = ((const HieraCallTimes *)run->all)->tree;
    guint32 node = hiera_tree_alignment_node(&why->diff->alignment, cause->place, cause->run);
    const char *in_a = cause->ranks[HIERA_SIDE_A], *in_b = cause->ranks[HIERA_SIDE_B];
    g_string_append(why->text, ", caused by ");
    append_ranks(why->text, in_b ? in_b : in_a);
    if (node == 0)
        g_string_append(why->text, " outside of all operations");
    else {
        g_string_append(why->text, cause->before ? " before " : " in ");
        hiera_call_step_append(why->text, run->catalog, hiera_call_tree_peek(tree, node)->site);
    }
    g_string_append(why->text, " (");
    append_times(why->text, cause->time_ns[HIERA_SIDE_B], cause->time_ns[HIERA_SIDE_A]);
    if (in_a && in_b && strcmp(in_a, in_b) != 0) {
        g_string_append(why->text, ", in a by ");
        append_ranks(why->text, in_a);
    }
    g_string_append_c(why->text, ')');
}

/* Append which class of waiting has changed most, and what causes that. */
static void append_class(const Why *why, gint64 part_ns)
{
    const HieraDiffWaits *waits = why->diff->waits;
    guint32 place = why->row->place;
    gint sign = part_ns > 0 ? 1 : -1;
    HieraDiffCause cause;
    HieraWaitClass class = hiera_diff_waits_class(waits, place, sign);
    const gint64 *times = waits->by_class[place][class];
    gint64 change_ns = sign * hiera_minus(times[HIERA_SIDE_B], times[HIERA_SIDE_A]);
    if (change_ns <= 0)
        return;
    g_string_append_printf(why->text, ": %s%s", hiera_wait_name(class),
                           change_ns < size_of(part_ns) / 10 * 9 ? " above all" : "");
    if (!hiera_diff_waits_cause(waits, place, sign, &cause))
        return;
    if (cause.place != HIERA_NONE)
        append_cause(why, &cause);
    else
        g_string_append(why->text, ", for ranks that wait elsewhere themselves");
}

/* Append how much of the row's change is computation, waiting, and other time inside MPI. */
static void say_parts(const Why *why)
{
    const HieraDiffSide *a = &why->row->a, *b = &why->row->b;
    gint64 mpi_ns = hiera_minus(b->mpi_ns, a->mpi_ns), waiting_ns = hiera_minus(b->waiting_ns, a->waiting_ns);
    gboolean only_mpi = a->mpi_ns == a->time_ns && b->mpi_ns == b->time_ns, known = why->diff->waits != NULL;
    gint64 idle_ns = hiera_minus(b->idle_ns, a->idle_ns);
    if (a->mpi_ns > 0 || b->mpi_ns > 0 || idle_ns != 0 || why->text->len == 0)
        say_part(why, hiera_diff_computation(why->row), "computation");
    say_part(why, idle_ns, "idle time in OpenMP");
    if (known && say_part(why, waiting_ns, "waiting"))
        append_class(why, waiting_ns);
    if (known)
        say_part(why, hiera_minus(mpi_ns, waiting_ns), "inside MPI without waiting");
    else if (!only_mpi)
        say_part(why, mpi_ns, "inside MPI");
}

/* Append which rank takes longest, if its time has grown more than twice as much as the mean. */
static void say_slowest(const Why *why)
{
    const HieraDiffSide *a = &why->row->a, *b = &why->row->b;
    gint64 most_ns = hiera_minus(b->max_ns, a->max_ns);
    if (a->runs == 0 || b->runs == 0 || a->ranks < 2 || b->ranks < 2 || why->row->change_ns < 0 ||
        b->mpi_ns > b->time_ns / 2 || most_ns / 2 < why->row->change_ns)
        return;
    g_string_append_printf(begin(why), "most on rank %" G_GINT64_FORMAT ", with ", b->slowest);
    append_times(why->text, b->max_ns, a->max_ns);
    if (a->slowest != b->slowest)
        g_string_append_printf(why->text, " on rank %" G_GINT64_FORMAT, a->slowest);
}

static gboolean is_explained(const HieraDiff *diff, const HieraDiffRow *row)
{
    const HieraDiffRow *whole = &g_array_index(diff->rows, HieraDiffRow, 0);
    gboolean changed = row->verdict != HIERA_DIFF_SAME && row->verdict != HIERA_DIFF_NOISE;
    /* The longest time counts too, because one slow rank of many hardly changes the mean. */
    gint64 most_ns = MAX(size_of(row->change_ns), size_of(hiera_minus(row->b.max_ns, row->a.max_ns)));
    return changed && most_ns >= MAX(whole->a.time_ns, whole->b.time_ns) / LEAST_OF_RUN;
}

const char *hiera_diff_why(const HieraDiff *diff, const HieraDiffRow *row, HieraTable *table)
{
    g_autoptr(GString) text = g_string_new(NULL);
    Why why = {diff, row, text};
    if (!is_explained(diff, row)) {
        if (row->place == 0)
            say_threads(&why);
        return hiera_table_keep(table, text->str);
    }
    if (row->verdict == HIERA_DIFF_ONLY_A || row->verdict == HIERA_DIFF_ONLY_B)
        say_only(&why, row->verdict == HIERA_DIFF_ONLY_A);
    else {
        say_calls(&why);
        say_bytes(&why);
    }
    say_parts(&why);
    say_slowest(&why);
    return hiera_table_keep(table, text->str);
}
