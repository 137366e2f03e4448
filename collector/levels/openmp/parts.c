/* See openmp.h. Parts of parallel regions and what is open in them, for all runtimes. */
#include "numbers.h"

#include "dtd/constructs.h"

#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define KEY (MARKER_PROCESS << 1) /* first key; those of libhiera-markers are lower */

static const char LEVEL[] = "openmp";

enum { NESTED = 16, REGIONS_MAX = UINT16_MAX };

static __thread unsigned depth;     /* how many constructs are open in this thread, whichever runtime they are of */
static __thread OpenmpPart part;    /* the innermost one of this thread */
static __thread unsigned n_regions; /* how many parallel regions are open that this thread began */

/* Whether libhiera is in the process. */
static bool is_recorded(void)
{
    return hiera_open_prepared != NULL;
}

const HieraPrepared openmp_no_args;

/* How constructs are recorded; NULL: they are not. With HIERA_CHECK what the thread did before is recorded first. */
static __typeof__(&hiera_open_prepared) opens, marks;
static __typeof__(&hiera_close_scope) closes;
static bool looks; /* whether that is so */

static void look_and_open(void *scope, const void *site, const char *level, const char *name, const HieraPrepared *args)
{
    hiera_level_report();
    hiera_open_prepared(scope, site, level, name, args);
}

static void look_and_mark(void *scope, const void *site, const char *level, const char *name, const HieraPrepared *args)
{
    hiera_level_report();
    hiera_mark_prepared(scope, site, level, name, args);
}

static void look_and_close(void *scope)
{
    hiera_level_report();
    hiera_close_scope(scope);
}

__attribute__((constructor)) static void choose(void)
{
    const char *check = getenv("HIERA_CHECK");
    looks = is_recorded() && check && *check && hiera_level_report;
    opens = looks ? look_and_open : hiera_open_prepared;
    marks = looks ? look_and_mark : hiera_mark_prepared;
    closes = looks ? look_and_close : hiera_close_scope;
}

void openmp_section(const void *site)
{
    if (looks)
        openmp_mark(site, OPENMP_SECTION, &openmp_no_args);
}

void openmp_begin(const void *site, const char *name, const HieraPrepared *args)
{
    if (opens)
        opens(MARKER_KEY((unsigned)KEY + depth++), site, LEVEL, name, args ? args : &openmp_no_args);
}

void openmp_mark(const void *site, const char *name, const HieraPrepared *args)
{
    if (marks)
        marks(MARKER_KEY((unsigned)KEY + depth), site, LEVEL, name, args);
}

void openmp_end(void)
{
    if (closes && depth > 0)
        closes(MARKER_KEY((unsigned)KEY + --depth));
}

unsigned openmp_count_open(void)
{
    return depth;
}

void openmp_end_down_to(unsigned n)
{
    while (depth > n)
        openmp_end();
}

/* --- parallel regions --- */

static bool is_main_thread(void)
{
    static __thread enum { UNKNOWN, MAIN, OTHER } kind;
    if (kind == UNKNOWN)
        kind = syscall(SYS_gettid) == getpid() ? MAIN : OTHER;
    return kind == MAIN;
}

/* Return a number that no other region has while this one is open: that of the thread that begins it, and of how many
 * of its regions are around. The outermost one of the main thread needs none. */
static unsigned find_number(void)
{
    static __thread uint16_t numbers[NESTED];
    static unsigned last;
    if (n_regions >= NESTED || (n_regions == 0 && is_main_thread()))
        return 0;
    uint16_t *number = &numbers[n_regions];
    if (*number == 0 && __atomic_load_n(&last, __ATOMIC_RELAXED) < REGIONS_MAX) {
        unsigned found = __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
        *number = (uint16_t)(found > REGIONS_MAX ? 0 : found);
    }
    return *number;
}

unsigned openmp_begin_region(const void *site, unsigned requested)
{
    static __thread OpenmpNumbers kept;
    unsigned region = find_number();
    n_regions++;
    openmp_begin(site, OPENMP_PARALLEL, openmp_args(&kept, "requested=", requested, region));
    return region;
}

void openmp_end_region(void)
{
    n_regions -= n_regions > 0;
    openmp_end();
}

OpenmpPart openmp_begin_part(const void *site, unsigned threads, unsigned region)
{
    static __thread OpenmpNumbers kept;
    OpenmpPart around = part;
    openmp_begin(site, OPENMP_IMPLICIT_TASK, openmp_args(&kept, "threads=", threads, region));
    part = (OpenmpPart){depth, 0};
    return around;
}

void openmp_end_part(OpenmpPart around)
{
    if (part.inside > 0)
        openmp_end_down_to(part.inside - 1);
    part = around;
}

bool openmp_is_in_part(void)
{
    return part.inside > 0;
}

void openmp_begin_work(const void *site, const char *name, const HieraPrepared *schedule)
{
    openmp_end_work();
    openmp_begin(site, name, schedule);
    part.work = depth;
}

void openmp_end_work(void)
{
    if (part.work > 0)
        openmp_end_down_to(part.work - 1);
    part.work = 0;
}

/* --- locks --- */

__thread bool openmp_tries_lock;

/* Return the arguments of a construct that has to do with a lock. */
static const HieraPrepared *args_of_lock(const void *lock)
{
    enum { ENTRIES = 4096 };
    static uint64_t entries[ENTRIES];
    static OpenmpThings locks = {entries, ENTRIES, 0};
    static __thread const void *last;
    static __thread unsigned number;
    static __thread OpenmpNumbers kept;
    if (last != lock) {
        number = openmp_number(&locks, lock);
        last = lock;
    }
    return openmp_args(&kept, HIERA_CONSTRUCT_LOCK, number, 0);
}

void openmp_begin_on_lock(const void *site, const char *name, const void *lock)
{
    openmp_begin(site, name, args_of_lock(lock));
}

void openmp_mark_lock(const void *site, const char *name, const void *lock)
{
    openmp_mark(site, name, args_of_lock(lock));
}
