#include "counters.h"

#include "base/lock.h"
#include "base/message.h"
#include "counter_names.h"
#include "helper/helper.h"
#include "memory/signal_safe_memory.h"

#include <errno.h>
#include <fenv.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

enum { MOST = 1024 };

const HieraCounterFamily *const hiera_counter_families[] = {&hiera_counters_proc,
                                                            &hiera_counters_perf,
                                                            &hiera_counters_papi,
                                                            &hiera_counters_malloc,
                                                            &hiera_counters_mpi,
                                                            &hiera_counters_user,
                                                            NULL};

/* All counters, by number - 1. Entries are appended with the lock held, never removed, and read without the lock. */
static HieraNamedCounter *counters[MOST];
static unsigned n_counters;

HieraNamedCounter *hiera_counter_of(int number)
{
    unsigned n = __atomic_load_n(&n_counters, __ATOMIC_ACQUIRE);
    return number >= 1 && (unsigned)number <= n ? counters[number - 1] : NULL;
}

/* --- name, unit and help of a counter --- */

static void copy(char *to, size_t room, const char *from)
{
    size_t n = strnlen(from, room - 1);
    memcpy(to, from, n);
    to[n] = '\0';
}

void hiera_counter_name(HieraNamedCounter *counter, const char *family, const char *rest)
{
    copy(counter->name, HIERA_COUNTER_NAME, family);
    size_t n = strlen(counter->name);
    copy(counter->name + n, 2, ":");
    copy(counter->name + n + 1, HIERA_COUNTER_NAME - n - 1, rest);
}

void hiera_counter_describe(HieraNamedCounter *counter, const char *unit, const char *help)
{
    copy(counter->unit, HIERA_COUNTER_UNIT, unit);
    copy(counter->help, HIERA_COUNTER_HELP, help);
}

void hiera_counter_table_each(const HieraCounterTable *table, HieraCounterVisit *visit, void *data)
{
    for (unsigned i = 0; i < table->n; i++) {
        HieraNamedCounter counter = {.reason = NULL};
        hiera_counter_name(&counter, table->family, table->name(i));
        table->fill(&counter, i);
        visit(data, &counter);
    }
}

void hiera_counter_table_open(const HieraCounterTable *table, HieraNamedCounter *counter, const char *rest)
{
    counter->reason = "there is no such counter: hiera-run --counters lists them";
    for (unsigned i = 0; i < table->n; i++)
        if (strcmp(rest, table->name(i)) == 0)
            table->fill(counter, i);
}

/* --- finding or making a counter by its name --- */

static HieraNamedCounter *search(const char *name, size_t length)
{
    unsigned n = __atomic_load_n(&n_counters, __ATOMIC_ACQUIRE);
    for (unsigned i = 0; i < n; i++)
        if (strncmp(counters[i]->name, name, length) == 0 && counters[i]->name[length] == '\0')
            return counters[i];
    return NULL;
}

static const HieraCounterFamily *family_of(const char *name, size_t length)
{
    const char *inner;
    size_t inner_length;
    if (hiera_names_aggregate(name, length, &inner, &inner_length) != HIERA_COUNTER_NONE)
        return &hiera_counters_aggregate;
    for (size_t i = 0; hiera_counter_families[i]; i++) {
        size_t n = strlen(hiera_counter_families[i]->name);
        if (length > n && name[n] == ':' && strncmp(name, hiera_counter_families[i]->name, n) == 0)
            return hiera_counter_families[i];
    }
    return NULL;
}

/* Append a copy of a counter, or return the counter of that name which another thread has appended meanwhile. */
static HieraNamedCounter *append(const HieraNamedCounter *made, const char **reason)
{
    HieraNamedCounter *counter = NULL;
    *reason = "there is no memory";
    if (!hiera_lock_enter())
        return NULL;
    counter = search(made->name, strlen(made->name));
    if (!counter && n_counters < MOST && (counter = hiera_memory_new(sizeof *counter))) {
        *counter = *made;
        counter->number = n_counters + 1;
        counters[n_counters] = counter;
        __atomic_store_n(&n_counters, n_counters + 1, __ATOMIC_RELEASE);
    }
    hiera_lock_leave();
    return counter;
}

/* Copy a name without blanks, as names in traces have none: sum(a, b) becomes sum(a,b). Returns its length; `length` if
 * it is too long. */
static size_t put_name(char *to, const char *name, size_t length)
{
    size_t n = 0;
    for (size_t i = 0; i < length && n < HIERA_COUNTER_NAME - 1; i++)
        if (name[i] != ' ' && name[i] != '\t')
            to[n++] = name[i];
    to[n] = '\0';
    return n < HIERA_COUNTER_NAME - 1 ? n : length;
}

HieraNamedCounter *hiera_counters_find(const char *name, size_t length, const char **reason)
{
    int saved_errno = errno;
    HieraNamedCounter made = {.reason = NULL}, *counter = search(name, length);
    if (counter)
        return counter;
    length = put_name(made.name, name, length);
    counter = search(made.name, length);
    if (counter)
        return counter;
    const HieraCounterFamily *family = family_of(made.name, length);
    *reason = !family ? "counters begin with proc:, perf:, papi:, malloc:, mpi: or user:" : "the name is too long";
    if (!family || length >= HIERA_COUNTER_NAME - 1)
        return NULL;
    made.family = family;
    family->open(&made, made.name + (family->name[0] ? strlen(family->name) + 1 : 0));
    counter = append(&made, reason);
    if (counter)
        *reason = NULL;
    errno = saved_errno;
    return counter;
}

void hiera_counters_join(void)
{
    HieraNamedCounter *counter;
    int saved_errno = errno;
    for (int i = 1; (counter = hiera_counter_of(i)); i++)
        if (counter->family == &hiera_counters_mpi && counter->is_pending)
            counter->family->open(counter, counter->name + strlen("mpi:"));
    errno = saved_errno;
}

static bool is_to_be_reported(const HieraNamedCounter *counter)
{
    return counter->family == &hiera_counters_mpi && counter->is_awaited && counter->reason;
}

/* Report, once, all counters that have the same reason as this one. Texts of reasons are constants, so pointers are
 * compared. */
static void complain_of(int number)
{
    enum { NAMED = 4 };
    const HieraNamedCounter *counter;
    const char *reason = hiera_counter_of(number)->reason;
    char names[NAMED * (HIERA_COUNTER_NAME + 2)] = "";
    unsigned n = 0;
    for (int i = 1; (counter = hiera_counter_of(i)); i++) {
        if (!is_to_be_reported(counter) || counter->reason != reason)
            continue;
        if (i < number)
            return;
        if (n++ < NAMED) {
            strcat(names, n > 1 ? ", " : "");
            strcat(names, counter->name);
        }
    }
    if (n <= NAMED)
        hiera_message("there is no counter %s: %s", names, reason);
    else
        hiera_message("there is no counter %s and %u more: %s", names, n - NAMED, reason);
}

void hiera_counters_complain(void)
{
    const HieraNamedCounter *counter;
    for (int i = 1; (counter = hiera_counter_of(i)); i++)
        if (is_to_be_reported(counter))
            complain_of(i);
}

/* --- counters of the thread or the process, and the end of a thread --- */

static __thread bool of_process __attribute__((tls_model("initial-exec")));
static pthread_key_t key;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;

void hiera_counters_set_of_process(bool of)
{
    of_process = of;
}

bool hiera_counters_are_of_process(void)
{
    return of_process || hiera_helper_is_me();
}

void hiera_counters_end_thread(void)
{
    int saved_errno = errno;
    for (size_t i = 0; hiera_counter_families[i]; i++)
        if (hiera_counter_families[i]->end_thread)
            hiera_counter_families[i]->end_thread();
    errno = saved_errno;
}

static void on_thread_exit(void *nothing)
{
    (void)nothing;
    hiera_counters_end_thread();
}

static void make_key(void)
{
    pthread_key_create(&key, on_thread_exit);
}

void hiera_counters_note_thread(void)
{
    pthread_once(&key_once, make_key);
    pthread_setspecific(key, "");
}

/* --- reading counters --- */

void (*hiera_counters_observer)(HieraNamedCounter *counter, double value);

bool hiera_counter_read_one(HieraNamedCounter *counter, double *value)
{
    int saved_errno = errno;
    fenv_t environment;
    bool is_real = counter->is_real;
    if (is_real)
        feholdexcept(&environment);
    *value = (double)NAN;
    if (!counter->reason)
        counter->family->read(&counter, 1, value);
    if (is_real)
        fesetenv(&environment);
    errno = saved_errno;
    return !isnan(*value);
}

/* Read the counters from order[begin] on that have the same source. Returns how many these are. */
static unsigned read_run(const HieraCounterSet *set, unsigned begin, double *values)
{
    HieraNamedCounter *run[HIERA_COUNTER_SET];
    double read[HIERA_COUNTER_SET];
    unsigned n = 0;
    HieraNamedCounter *const first = set->counters[set->order[begin]], *next = first;
    do {
        run[n] = next;
        read[n++] = (double)NAN;
        next = begin + n < set->n ? set->counters[set->order[begin + n]] : NULL;
    } while (next && next->family == first->family && next->source == first->source);
    first->family->read(run, n, read);
    for (unsigned i = 0; i < n; i++)
        values[set->order[begin + i]] = __atomic_load_n(&run[i]->reason, __ATOMIC_RELAXED) ? (double)NAN : read[i];
    return n;
}

static bool has_real(const HieraCounterSet *set)
{
    bool has = false;
    for (unsigned i = 0; i < set->n; i++)
        has |= __atomic_load_n(&set->counters[i]->is_real, __ATOMIC_RELAXED); /* a counter's type may change */
    return has;
}

void hiera_counters_subtract(const HieraCounterSet *set, double *values, const double *before)
{
    fenv_t environment;
    bool is_real = has_real(set);
    if (is_real)
        feholdexcept(&environment);
    for (unsigned i = 0; i < set->n; i++)
        if (!set->counters[i]->is_level)
            values[i] -= before[i];
    if (is_real)
        fesetenv(&environment);
}

void hiera_counters_read(const HieraCounterSet *set, double *values)
{
    int saved_errno = errno;
    fenv_t environment;
    bool is_real = has_real(set);
    if (is_real)
        feholdexcept(&environment);
    for (unsigned i = 0; i < set->n;)
        i += read_run(set, i, values);
    if (is_real)
        fesetenv(&environment);
    errno = saved_errno;
}

int hiera_counters_detail(const HieraCounterFamily *family, const char *name)
{
    const char *begins = family->details;
    name += strlen(family->name) + 1;
    for (size_t i = 0, n; begins && *begins; begins += n + (begins[n] == ','), i++) {
        n = strcspn(begins, ",");
        if (strncmp(name, begins, n) == 0)
            return (int)i;
    }
    return -1;
}
