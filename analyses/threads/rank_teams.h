/** The search for the teams of a processor (thread_spans.h): its regions, and which implicit tasks belong to them.
 * Private to rank_teams.c and rank_threads.c. */
#pragma once

#include "thread_spans.h"

/** Names of constructs of OpenMP. */
#define HIERA_PARALLEL      "parallel"
#define HIERA_IMPLICIT_TASK "implicit task"

/** An implicit task of a thread that did not begin the region. */
typedef struct {
    guint32 row, thread, team;
    gint64 from_ns, until_ns; /* the time of the team in which the thread is not in the one before or behind */
} HieraWorker;

typedef struct {
    const HieraTrace *trace;
    guint32 first, behind; /* rows of the processor */
    HieraRankThreads *found;
    guint32 *team_of; /* by row: team of the thread there; HIERA_NONE: none */
    GArray *workers;  /* HieraWorker */
    GHashTable *last; /* thread → index of its last worker + 1 */
    gint64 init_ns, finalize_ns;
    gboolean of_one; /* whether the rank has one thread, and its regions count as teams */
} HieraTeamSearch;

static inline HieraTeam *hiera_search_team(const HieraTeamSearch *search, guint32 team)
{
    return &g_array_index(search->found->teams, HieraTeam, team);
}

static inline guint32 *hiera_search_team_of(const HieraTeamSearch *search, guint32 row)
{
    return &search->team_of[row - search->first];
}

/** Find `teams` of what is searched for, `workers` and `team_of`. @return FALSE if there are no teams of several
 * threads */
gboolean hiera_search_teams(const HieraTeamSearch *search);

/** Return the next outermost operation of a worker's thread that is part of the team, though its implicit task has
 * ended: a task that runs while the thread waits for the others; HIERA_NONE: none. */
guint32 hiera_search_late(const HieraTeamSearch *search, const HieraWorker *worker, guint32 row);
