/* Parallel regions of GNU's runtime. The runtime calls a function of ours in each thread of the team, and that one the
 * program's. */
#include "gomp.h"

enum { OLD_NESTED = 32, KEPT = 16, CACHE_LINE = 64 };

static const char sections[] = OPENMP_SECTIONS;

/* What the threads of a region need. */
typedef struct Team {
    uintptr_t first; /* GOMP_parallel_reductions() reads the first word of the program's data */
    GompBody *body;
    void *data;
    const char *work; /* worksharing construct that is the whole region; NULL: none */
    const HieraPrepared *schedule;
    unsigned number;  /* of the region (openmp.h) */
    unsigned threads; /* how many it has; 0: not known */
} Team;

MARKER_PUBLIC int omp_get_num_threads(void);
MARKER_PUBLIC int omp_get_max_threads(void);
MARKER_PUBLIC int omp_get_thread_limit(void);
MARKER_PUBLIC int omp_get_dynamic(void);

/* Ask the runtime of libgomp that a call from `site` means. */
#define ASK(function, site)                                                                                            \
    __extension__({                                                                                                    \
        GOMP_FIND(function, site);                                                                                     \
        next_();                                                                                                       \
    })

static const void *site_of(const Team *team)
{
    return openmp_gomp_site(team->body);
}

/* Return how many threads a region will have that asks for so many (0: for none); 0: the standard leaves it open. Each
 * thread could ask once it is there, but all but the first would wait for a cache line of the first one. */
static unsigned find_threads(const void *site, unsigned requested)
{
    if (openmp_is_in_part() || ASK(omp_get_dynamic, site))
        return 0;
    if (requested == 0)
        requested = (unsigned)ASK(omp_get_max_threads, site);
    return requested <= (unsigned)ASK(omp_get_thread_limit, site) ? requested : 0;
}

static OpenmpPart begin_part(const Team *team)
{
    unsigned threads = team->threads > 0 ? team->threads : (unsigned)ASK(omp_get_num_threads, site_of(team));
    OpenmpPart around = openmp_begin_part(site_of(team), threads, team->number);
    if (team->work)
        openmp_begin_work(site_of(team), team->work, team->schedule);
    return around;
}

static void run(void *data)
{
    const Team *team = data;
    OpenmpPart around = begin_part(team);
    team->body(team->data);
    openmp_end_part(around);
}

/* Teams of this thread's last regions. One is written only if it has changed, since all threads read it: after a write
 * each of them has to get the cache line from this one's processor. */
static __thread struct {
    _Alignas(CACHE_LINE) Team team;
} kept[KEPT];
static __thread bool is_open[KEPT]; /* is for a region that is open */

static unsigned slot_of(GompBody *body)
{
    return (unsigned)((uintptr_t)body >> 4) % KEPT;
}

static bool is_same(const Team *a, const Team *b)
{
    return a->body == b->body && a->data == b->data && a->work == b->work && a->schedule == b->schedule &&
           a->number == b->number && a->threads == b->threads && a->first == b->first;
}

/* Return a team that is equal to this one, and kept as long as the region is open. */
static Team *keep(Team *team)
{
    unsigned slot = slot_of(team->body);
    if (is_open[slot]) /* a region inside a region */
        return team;
    is_open[slot] = true;
    if (!is_same(&kept[slot].team, team))
        kept[slot].team = *team;
    return &kept[slot].team;
}

/* Begin a region that asks for so many threads, and return what they need. */
static Team *begin(Team *team, unsigned requested)
{
    team->number = openmp_begin_region(site_of(team), requested);
    /* There are no more threads than sections, which are counted elsewhere. */
    team->threads = team->work != sections ? find_threads(site_of(team), requested) : 0;
    return keep(team);
}

/* End the region in which the threads used `given`. */
static void end(const Team *team, const Team *given)
{
    if (given != team)
        is_open[slot_of(team->body)] = false;
    openmp_end_region();
}

/* Define a wrapper: MORE are the parameters behind the number of threads, with a comma before them, ARGUMENTS their
 * names; `work` and `schedule` as in Team. What is not recorded is passed on by a jump: LLVM's runtime reports the
 * place to which it returns. */
#define PARALLEL(function, work, schedule, MORE, ARGUMENTS)                                                            \
    MARKER_PUBLIC void function(GompBody *body, void *data, unsigned threads MORE);                                    \
    static __attribute__((noinline)) void in_##function(__typeof__(&function) next, GompBody *body, void *data,        \
                                                        unsigned threads MORE)                                         \
    {                                                                                                                  \
        Team team = {0, body, data, work, schedule, 0, 0}, *given = begin(&team, threads);                             \
        next(run, given, threads ARGUMENTS);                                                                           \
        end(&team, given);                                                                                             \
    }                                                                                                                  \
    void function(GompBody *body, void *data, unsigned threads MORE)                                                   \
    {                                                                                                                  \
        GOMP_NEXT(function);                                                                                           \
        if (is_recorded)                                                                                               \
            in_##function(next_, body, data, threads ARGUMENTS);                                                       \
        else                                                                                                           \
            next_(body, data, threads ARGUMENTS);                                                                      \
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
PARALLEL(GOMP_parallel_sections, sections, NULL, COMMA unsigned count FLAGS, COMMA count COMMA flags)
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
    Team team = {*(const uintptr_t *)data, body, data, NULL, NULL, 0, 0};
    Team *given = is_recorded ? begin(&team, threads) : NULL;
    unsigned result = next_(given ? run : body, given ? given : data, threads, flags);
    if (given)
        end(&team, given);
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
    old_teams[n] = (Team){0, body, data, work, schedule, 0, 0};
    old_teams[n].number = openmp_begin_region(site_of(&old_teams[n]), threads);
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
OLD(GOMP_parallel_sections_start, sections, NULL, COMMA unsigned count, COMMA count)

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
