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
} Team;

static void run(void *data)
{
    const Team *team = data;
    OPENMP_BEGIN(team->site, OPENMP_IMPLICIT_TASK, NULL);
    team->body(team->data);
    OPENMP_END();
}

static void begin(const void *site, unsigned threads)
{
    if (threads > 0)
        OPENMP_BEGIN(site, OPENMP_PARALLEL, "requested=%u", threads);
    else
        OPENMP_BEGIN(site, OPENMP_PARALLEL, NULL);
}

/* Define a wrapper: MORE are the parameters behind the number of threads, with a comma before them, ARGUMENTS their
 * names. */
#define PARALLEL(function, MORE, ARGUMENTS)                                                                            \
    MARKER_PUBLIC void function(GompBody *body, void *data, unsigned threads MORE);                                    \
    void function(GompBody *body, void *data, unsigned threads MORE)                                                   \
    {                                                                                                                  \
        GOMP_NEXT(function);                                                                                           \
        Team team = {0, body, data, openmp_gomp_site(body)};                                                           \
        if (is_recorded)                                                                                               \
            begin(team.site, threads);                                                                                 \
        next_(is_recorded ? run : body, is_recorded ? &team : data, threads ARGUMENTS);                                \
        if (is_recorded)                                                                                               \
            OPENMP_END();                                                                                              \
    }

#define COMMA  ,
#define FLAGS  COMMA unsigned flags
#define BOUNDS COMMA long from COMMA long to COMMA long step
#define LOOP(name)                                                                                                     \
    PARALLEL(GOMP_parallel_loop_##name, BOUNDS COMMA long chunk FLAGS,                                                 \
             COMMA from COMMA to COMMA step COMMA chunk COMMA flags)
#define LOOP_WITHOUT_CHUNK(name)                                                                                       \
    PARALLEL(GOMP_parallel_loop_##name, BOUNDS FLAGS, COMMA from COMMA to COMMA step COMMA flags)

PARALLEL(GOMP_parallel, FLAGS, COMMA flags)
PARALLEL(GOMP_parallel_sections, COMMA unsigned count FLAGS, COMMA count COMMA flags)
LOOP(static)
LOOP(dynamic)
LOOP(guided)
LOOP(nonmonotonic_dynamic)
LOOP(nonmonotonic_guided)
LOOP_WITHOUT_CHUNK(runtime)
LOOP_WITHOUT_CHUNK(nonmonotonic_runtime)
LOOP_WITHOUT_CHUNK(maybe_nonmonotonic_runtime)

MARKER_PUBLIC unsigned GOMP_parallel_reductions(GompBody *body, void *data, unsigned threads, unsigned flags);
unsigned GOMP_parallel_reductions(GompBody *body, void *data, unsigned threads, unsigned flags)
{
    GOMP_NEXT(GOMP_parallel_reductions);
    Team team = {*(const uintptr_t *)data, body, data, openmp_gomp_site(body)};
    if (is_recorded)
        begin(team.site, threads);
    unsigned result = next_(is_recorded ? run : body, is_recorded ? &team : data, threads, flags);
    if (is_recorded)
        OPENMP_END();
    return result;
}

/* --- programs of compilers before GCC 4.9: the region begins with one call and ends with another, and the program
 * itself calls its function in the first thread --- */

static __thread Team old_teams[OLD_NESTED];
static __thread unsigned n_old;

/* Return what the threads need; NULL: too many nested regions, which are not recorded. */
static Team *old_begin(GompBody *body, void *data, unsigned threads)
{
    unsigned n = n_old++;
    if (n >= OLD_NESTED)
        return NULL;
    old_teams[n] = (Team){0, body, data, openmp_gomp_site(body)};
    begin(old_teams[n].site, threads);
    return &old_teams[n];
}

#define OLD(function, MORE, ARGUMENTS)                                                                                 \
    MARKER_PUBLIC void function(GompBody *body, void *data, unsigned threads MORE);                                    \
    void function(GompBody *body, void *data, unsigned threads MORE)                                                   \
    {                                                                                                                  \
        GOMP_NEXT(function);                                                                                           \
        Team *team = is_recorded ? old_begin(body, data, threads) : NULL;                                              \
        next_(team ? run : body, team ? team : data, threads ARGUMENTS);                                               \
        if (team)                                                                                                      \
            OPENMP_BEGIN(team->site, OPENMP_IMPLICIT_TASK, NULL);                                                      \
    }

OLD(GOMP_parallel_start, , )
OLD(GOMP_parallel_loop_static_start, BOUNDS COMMA long chunk, COMMA from COMMA to COMMA step COMMA chunk)
OLD(GOMP_parallel_loop_dynamic_start, BOUNDS COMMA long chunk, COMMA from COMMA to COMMA step COMMA chunk)
OLD(GOMP_parallel_loop_guided_start, BOUNDS COMMA long chunk, COMMA from COMMA to COMMA step COMMA chunk)
OLD(GOMP_parallel_loop_runtime_start, BOUNDS, COMMA from COMMA to COMMA step)
OLD(GOMP_parallel_sections_start, COMMA unsigned count, COMMA count)

MARKER_PUBLIC void GOMP_parallel_end(void);
void GOMP_parallel_end(void)
{
    GOMP_NEXT(GOMP_parallel_end);
    bool is_ours = is_recorded && n_old > 0 && --n_old < OLD_NESTED;
    if (is_ours)
        OPENMP_END();
    next_();
    if (is_ours)
        OPENMP_END();
}

/* --- teams on the host --- */

MARKER_PUBLIC void GOMP_teams_reg(GompBody *body, void *data, unsigned teams, unsigned limit, unsigned flags);
void GOMP_teams_reg(GompBody *body, void *data, unsigned teams, unsigned limit, unsigned flags)
{
    GOMP_NEXT(GOMP_teams_reg);
    if (is_recorded)
        OPENMP_BEGIN(openmp_gomp_site(body), OPENMP_TEAMS, NULL);
    next_(body, data, teams, limit, flags);
    if (is_recorded)
        OPENMP_END();
}
