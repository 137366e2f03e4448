/* Parallel regions of GNU's runtime. The runtime calls a function of ours in each thread of the team, and that one the
 * program's. */
#include "gomp.h"

enum { OLD_NESTED = 32 };

/* What the threads of a region need. */
typedef struct Team {
    uintptr_t first; /* GOMP_parallel_reductions() reads the first word of the program's data */
    GompBody *body;
    void *data;
    const void *site;
    const char *work; /* worksharing construct that is the whole region; NULL: none */
    const HieraPrepared *schedule;
    unsigned number; /* of the region (openmp.h) */
} Team;

MARKER_PUBLIC int omp_get_num_threads(void);

static OpenmpPart begin_part(const Team *team)
{
    GOMP_FIND(omp_get_num_threads, team->site);
    OpenmpPart around = openmp_begin_part(team->site, (unsigned)next_(), team->number);
    if (team->work)
        openmp_begin_work(team->site, team->work, team->schedule);
    return around;
}

static void run(void *data)
{
    const Team *team = data;
    OpenmpPart around = begin_part(team);
    team->body(team->data);
    openmp_end_part(around);
}

/* Define a wrapper: MORE are the parameters behind the number of threads, with a comma before them, ARGUMENTS their
 * names; `work` and `schedule` as in Team. */
#define PARALLEL(function, work, schedule, MORE, ARGUMENTS)                                                            \
    MARKER_PUBLIC void function(GompBody *body, void *data, unsigned threads MORE);                                    \
    void function(GompBody *body, void *data, unsigned threads MORE)                                                   \
    {                                                                                                                  \
        GOMP_NEXT(function);                                                                                           \
        Team team = {0, body, data, openmp_gomp_site(body), work, schedule, 0};                                        \
        if (is_recorded)                                                                                               \
            team.number = openmp_begin_region(team.site, threads);                                                     \
        next_(is_recorded ? run : body, is_recorded ? &team : data, threads ARGUMENTS);                                \
        if (is_recorded)                                                                                               \
            openmp_end_region();                                                                                       \
    }

#define COMMA  ,
#define FLAGS  COMMA unsigned flags
#define BOUNDS COMMA long from COMMA long to COMMA long step
#define LOOP(name, schedule)                                                                                           \
    PARALLEL(GOMP_parallel_loop_##name, OPENMP_LOOP, OPENMP_ARGS("schedule=" schedule), BOUNDS COMMA long chunk FLAGS, \
             COMMA from COMMA to COMMA step COMMA chunk COMMA flags)
#define LOOP_OF_RUNTIME(name)                                                                                          \
    PARALLEL(GOMP_parallel_loop_##name, OPENMP_LOOP, OPENMP_ARGS("schedule=runtime"), BOUNDS FLAGS,                    \
             COMMA from COMMA to COMMA step COMMA flags)

PARALLEL(GOMP_parallel, NULL, NULL, FLAGS, COMMA flags)
PARALLEL(GOMP_parallel_sections, OPENMP_SECTIONS, NULL, COMMA unsigned count FLAGS, COMMA count COMMA flags)
LOOP(static, "static")
LOOP(dynamic, "dynamic")
LOOP(guided, "guided")
LOOP(nonmonotonic_dynamic, "dynamic")
LOOP(nonmonotonic_guided, "guided")
LOOP_OF_RUNTIME(runtime)
LOOP_OF_RUNTIME(nonmonotonic_runtime)
LOOP_OF_RUNTIME(maybe_nonmonotonic_runtime)

MARKER_PUBLIC unsigned GOMP_parallel_reductions(GompBody *body, void *data, unsigned threads, unsigned flags);
unsigned GOMP_parallel_reductions(GompBody *body, void *data, unsigned threads, unsigned flags)
{
    GOMP_NEXT(GOMP_parallel_reductions);
    Team team = {*(const uintptr_t *)data, body, data, openmp_gomp_site(body), NULL, NULL, 0};
    if (is_recorded)
        team.number = openmp_begin_region(team.site, threads);
    unsigned result = next_(is_recorded ? run : body, is_recorded ? &team : data, threads, flags);
    if (is_recorded)
        openmp_end_region();
    return result;
}

/* --- programs of compilers before GCC 4.9: the region begins with one call and ends with another, and the program
 * itself calls its function in the first thread --- */

static __thread Team old_teams[OLD_NESTED];
static __thread OpenmpPart old_around[OLD_NESTED];
static __thread unsigned n_old;

/* Return what the threads need; NULL: too many nested regions, which are not recorded. */
static Team *old_begin(GompBody *body, void *data, unsigned threads, const char *work, const HieraPrepared *schedule)
{
    unsigned n = n_old++;
    if (n >= OLD_NESTED)
        return NULL;
    old_teams[n] = (Team){0, body, data, openmp_gomp_site(body), work, schedule, 0};
    old_teams[n].number = openmp_begin_region(old_teams[n].site, threads);
    return &old_teams[n];
}

#define OLD(function, work, schedule, MORE, ARGUMENTS)                                                                 \
    MARKER_PUBLIC void function(GompBody *body, void *data, unsigned threads MORE);                                    \
    void function(GompBody *body, void *data, unsigned threads MORE)                                                   \
    {                                                                                                                  \
        GOMP_NEXT(function);                                                                                           \
        Team *team = is_recorded ? old_begin(body, data, threads, work, schedule) : NULL;                              \
        next_(team ? run : body, team ? team : data, threads ARGUMENTS);                                               \
        if (team)                                                                                                      \
            old_around[team - old_teams] = begin_part(team);                                                           \
    }
#define OLD_LOOP(name)                                                                                                 \
    OLD(GOMP_parallel_loop_##name##_start, OPENMP_LOOP, OPENMP_ARGS("schedule=" #name), BOUNDS COMMA long chunk,       \
        COMMA from COMMA to COMMA step COMMA chunk)

OLD(GOMP_parallel_start, NULL, NULL, , )
OLD_LOOP(static)
OLD_LOOP(dynamic)
OLD_LOOP(guided)
OLD(GOMP_parallel_loop_runtime_start, OPENMP_LOOP, OPENMP_ARGS("schedule=runtime"), BOUNDS,
    COMMA from COMMA to COMMA step)
OLD(GOMP_parallel_sections_start, OPENMP_SECTIONS, NULL, COMMA unsigned count, COMMA count)

MARKER_PUBLIC void GOMP_parallel_end(void);
void GOMP_parallel_end(void)
{
    GOMP_NEXT(GOMP_parallel_end);
    bool is_ours = is_recorded && n_old > 0 && --n_old < OLD_NESTED;
    if (is_ours)
        openmp_end_part(old_around[n_old]);
    next_();
    if (is_ours)
        openmp_end_region();
}

/* --- teams on the host --- */

MARKER_PUBLIC void GOMP_teams_reg(GompBody *body, void *data, unsigned teams, unsigned limit, unsigned flags);
void GOMP_teams_reg(GompBody *body, void *data, unsigned teams, unsigned limit, unsigned flags)
{
    GOMP_NEXT(GOMP_teams_reg);
    if (is_recorded)
        openmp_begin(openmp_gomp_site(body), OPENMP_TEAMS, NULL);
    next_(body, data, teams, limit, flags);
    if (is_recorded)
        openmp_end();
}
