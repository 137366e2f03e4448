/* Records function entries and exits of a process for a follower. Recorded are functions in which the process reaches
 * MPI calls, and others that last; not functions called in a loop with skipped iterations, since these calls would be
 * only some of many. See process.h. */
#include "process.h"

#define SHORT_PS 1e6 /* least duration of a call of a function without MPI calls to be recorded */
enum {
    MOST_WITHOUT_MPI = 1 << 16
}; /* with more moves since the last MPI call, functions without MPI calls are not recorded */

static HieraFrameOfCall *innermost(HieraProcess *process)
{
    return &g_array_index(process->frames, HieraFrameOfCall, process->frames->len - 1);
}

static void keep(HieraProcess *process, guint graph, guint from)
{
    const HieraMove move = {graph, from, process->cycles};
    innermost(process)->kept = TRUE;
    g_array_append_val(process->moves, move);
}

void hiera_process_keep_moves(HieraProcess *process)
{
    process->moves = g_array_new(FALSE, FALSE, sizeof(HieraMove));
    keep(process, process->execution->main, HIERA_NO_VERTEX);
}

void hiera_process_note_entry(HieraProcess *process, guint graph)
{
    if (process->moves && process->n_skipped_runs == 0)
        keep(process, graph, process->at);
}

void hiera_process_note_exit(HieraProcess *process)
{
    const HieraMove move = {HIERA_NO_VERTEX, HIERA_NO_VERTEX, process->cycles};
    if (!process->moves || !innermost(process)->kept)
        return;
    guint n = process->moves->len;
    const HieraMove *last = n > 0 ? &g_array_index(process->moves, HieraMove, n - 1) : NULL;
    gboolean is_empty = last && last->graph != HIERA_NO_VERTEX;
    gdouble ps =
        is_empty ? (process->cycles - last->cycles) * process->options->cycle_ps * process->options->factor : 0;
    if (is_empty && (ps < SHORT_PS || n > MOST_WITHOUT_MPI))
        g_array_set_size(process->moves, n - 1);
    else
        g_array_append_val(process->moves, move);
}

void hiera_process_forget_moves(HieraProcess *process, HieraLoopRun *run)
{
    if (process->moves && process->moves->len > run->n_moves)
        g_array_set_size(process->moves, run->n_moves);
    process->n_skipped_runs += !run->skipped;
    run->skipped = TRUE;
}
