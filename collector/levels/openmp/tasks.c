/* See openmp.h. Tasks and what they depend on, for all runtimes. */
#include "numbers.h"

#include "dtd/constructs.h"

/* Numbers of tasks that have not ended: a bit is set while its number is in use. Each thread looks for a free one
 * from a word of its own on, a cache line from those of others. */
enum { BITS = 64, WORDS = 256, LINE = 8 /* words */ };
static uint64_t in_use[WORDS];

static unsigned find_number(void)
{
    static unsigned n_threads;
    static __thread unsigned home; /* index behind its first word */
    if (home == 0)
        home = (__atomic_fetch_add(&n_threads, 1, __ATOMIC_RELAXED) * LINE + 1) % WORDS;
    for (unsigned i = 0; i < WORDS; i++) {
        unsigned at = (home - 1 + i) % WORDS;
        for (uint64_t word; ~(word = __atomic_load_n(&in_use[at], __ATOMIC_RELAXED)) != 0;) {
            unsigned bit = (unsigned)__builtin_ctzll(~word);
            if (!(__atomic_fetch_or(&in_use[at], UINT64_C(1) << bit, __ATOMIC_RELAXED) >> bit & 1))
                return at * BITS + bit + 1;
        }
    }
    return 0;
}

unsigned openmp_create_task(const void *site)
{
    static __thread OpenmpNumbers kept;
    unsigned number = find_number();
    openmp_mark(site, OPENMP_CREATE, openmp_args(&kept, HIERA_CONSTRUCT_TASK, number, 0));
    return number;
}

void openmp_free_task(unsigned number)
{
    if (number > 0)
        __atomic_fetch_and(&in_use[(number - 1) / BITS], ~(UINT64_C(1) << (number - 1) % BITS), __ATOMIC_RELAXED);
}

void openmp_begin_task(const void *site, unsigned number)
{
    static __thread OpenmpNumbers kept;
    openmp_begin(site, OPENMP_TASK, openmp_args(&kept, HIERA_CONSTRUCT_TASK, number, 0));
}

void openmp_depend(const void *site, OpenmpDepend how, const void *data)
{
    enum { ENTRIES = 32768 };
    static const char *const names[] = {
        [OPENMP_DEPEND_IN] = "depend in",        [OPENMP_DEPEND_OUT] = "depend out",
        [OPENMP_DEPEND_INOUT] = "depend out",    [OPENMP_DEPEND_MUTEX] = "depend mutexinoutset",
        [OPENMP_DEPEND_SET] = "depend inoutset", [OPENMP_DEPEND_ALL] = "depend all",
    };
    static uint64_t entries[ENTRIES];
    static OpenmpThings all = {entries, ENTRIES, 0};
    static __thread OpenmpNumbers kept;
    unsigned number = how == OPENMP_DEPEND_ALL || !data ? 0 : openmp_number(&all, data);
    if ((unsigned)how < sizeof names / sizeof *names && names[how])
        openmp_mark(site, names[how], openmp_args(&kept, HIERA_CONSTRUCT_DATA, number, 0));
}
