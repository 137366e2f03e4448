/* Finds the cause of a deadlock: a cycle of ranks that wait for each other, or a chain to a rank that has ended. A
 * depth-first search over the ranks that each rank waits for; a receive from any rank waits for all. */
#include "simulation.h"

typedef enum { NEW, ON_PATH, LEFT } Colour;

typedef struct {
    guint32 rank;
    GArray *needed; /* guint32: ranks for which the step's rank waits */
    guint next;     /* index in `needed` of the next rank to visit */
} Step;

typedef struct {
    const Simulation *of;
    guint8 *colour; /* Colour, by rank */
    GArray *path;   /* Step: path of the depth-first search, from the rank at which it started */
    GArray *chain;  /* HieraSimStuck: the first path found that leads to a rank that has ended */
} Walk;

/* Append the ranks that have not begun a collective. @param request  a member's request for it: tag = number of the
 * collective */
static void add_missing(const Simulation *of, const Request *request, GArray *needed)
{
    const Group *group = g_hash_table_lookup(of->groups, GUINT_TO_POINTER(request->group & ~INTERNAL));
    for (guint32 i = 0; i < group->n; i++) {
        if (group->turn[i] <= (guint32)request->tag)
            g_array_append_val(needed, group->ranks[i]);
    }
}

/* Append the ranks for which a rank's request waits. */
static void add_needed(const Simulation *of, guint32 rank, const Request *request, GArray *needed)
{
    if (request->peer < 0 && request->group & INTERNAL) {
        add_missing(of, request, needed);
        return;
    }
    guint32 first = request->peer < 0 ? 0 : (guint32)request->peer;
    guint32 behind = request->peer < 0 ? of->machine->n_ranks : first + 1;
    for (guint32 other = first; other < behind; other++) {
        if (request->peer >= 0 || other != rank)
            g_array_append_val(needed, other);
    }
}

static GArray *find_needed(const Simulation *of, guint32 rank)
{
    GArray *needed = g_array_new(FALSE, FALSE, sizeof(guint32));
    const Rank *stuck = &of->ranks[rank];
    for (guint32 i = 0; stuck->state == BLOCKED && i < stuck->n_wait; i++) {
        if (of->requests.at[stuck->wait[i]].done_ps == UNKNOWN)
            add_needed(of, rank, &of->requests.at[stuck->wait[i]], needed);
    }
    return needed;
}

static GArray *copy_path(const Walk *walk, guint first, guint32 last)
{
    GArray *stuck = g_array_new(FALSE, FALSE, sizeof(HieraSimStuck));
    for (guint i = first; i < walk->path->len; i++) {
        guint32 rank = g_array_index(walk->path, Step, i).rank;
        const HieraSimOperation *operation = &walk->of->ranks[rank].operation;
        const HieraSimStuck one = {rank, operation->kind, operation->token,
                                   i + 1 < walk->path->len ? g_array_index(walk->path, Step, i + 1).rank : last};
        g_array_append_val(stuck, one);
    }
    return stuck;
}

static guint place_on_path(const Walk *walk, guint32 rank)
{
    guint i = 0;
    while (g_array_index(walk->path, Step, i).rank != rank)
        i++;
    return i;
}

static void enter(Walk *walk, guint32 rank)
{
    const Step step = {rank, find_needed(walk->of, rank), 0};
    walk->colour[rank] = ON_PATH;
    g_array_append_val(walk->path, step);
}

static void leave(Walk *walk)
{
    g_array_unref(g_array_index(walk->path, Step, walk->path->len - 1).needed);
    g_array_set_size(walk->path, walk->path->len - 1);
}

/* Search depth-first from a rank, along ranks for which others wait. @return HieraSimStuck: a cycle; NULL: none */
static GArray *walk_from(Walk *walk, guint32 rank)
{
    enter(walk, rank);
    while (walk->path->len > 0) {
        Step *step = &g_array_index(walk->path, Step, walk->path->len - 1);
        if (step->next == step->needed->len) {
            walk->colour[step->rank] = LEFT;
            leave(walk);
            continue;
        }
        guint32 needed = g_array_index(step->needed, guint32, step->next++);
        if (walk->colour[needed] == ON_PATH) {
            return copy_path(walk, place_on_path(walk, needed), needed);
        } else if (walk->of->ranks[needed].state == ENDED) {
            walk->chain = walk->chain ? walk->chain : copy_path(walk, 0, needed);
        } else if (walk->colour[needed] == NEW) {
            enter(walk, needed);
        }
    }
    return NULL;
}

static void fail(Simulation *of, const HieraSimStuck *first, guint n)
{
    if (of->result->circle && n == 1)
        g_set_error(&of->error, HIERA_SIMULATOR_ERROR, HIERA_SIMULATOR_ERROR_DEADLOCK,
                    "deadlock: rank %u waits for itself in operation %" G_GUINT64_FORMAT " (%s)", first->rank,
                    first->token, hiera_sim_kind_name(first->kind));
    else if (of->result->circle)
        g_set_error(&of->error, HIERA_SIMULATOR_ERROR, HIERA_SIMULATOR_ERROR_DEADLOCK,
                    "deadlock: %u ranks wait for each other in a circle, among them rank %u in operation "
                    "%" G_GUINT64_FORMAT " (%s)",
                    n, first->rank, first->token, hiera_sim_kind_name(first->kind));
    else
        g_set_error(&of->error, HIERA_SIMULATOR_ERROR, HIERA_SIMULATOR_ERROR_DEADLOCK,
                    "rank %u waits in operation %" G_GUINT64_FORMAT " (%s) for a rank that has ended",
                    first[n - 1].rank, first[n - 1].token, hiera_sim_kind_name(first[n - 1].kind));
}

/* Say that somebody waits at a gate that nobody opens any more, if none is found to wait for others. Who that is only
 * the feeder knows: threads are numbered as ranks. */
static void find_shut(Simulation *of)
{
    for (guint32 i = 0; i < of->machine->n_ranks && !of->error; i++) {
        if (of->ranks[i].state == BLOCKED && of->ranks[i].operation.kind == HIERA_SIM_GATE)
            g_set_error(&of->error, HIERA_SIMULATOR_ERROR, HIERA_SIMULATOR_ERROR_DEADLOCK,
                        "threads of a rank wait for each other, and none lets them go on");
    }
}

void deadlock_find(Simulation *of)
{
    guint32 n = of->machine->n_ranks;
    g_autofree guint8 *colour = g_new0(guint8, n);
    g_autoptr(GArray) path = g_array_new(FALSE, FALSE, sizeof(Step));
    Walk walk = {of, colour, path, NULL};
    GArray *circle = NULL;
    for (guint32 i = 0; i < n && !circle; i++) {
        if (of->ranks[i].state != ENDED && colour[i] == NEW)
            circle = walk_from(&walk, i);
    }
    while (path->len > 0)
        leave(&walk);
    of->result->circle = circle != NULL;
    GArray *found = circle ? circle : walk.chain;
    if (found) {
        of->result->n_stuck = found->len;
        fail(of, &g_array_index(found, HieraSimStuck, 0), found->len);
        of->result->stuck = (HieraSimStuck *)(void *)g_array_free(found, FALSE);
    }
    if (circle && walk.chain)
        g_array_unref(walk.chain);
    if (!found)
        find_shut(of);
}
