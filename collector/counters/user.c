/* See user.h. A counter may be registered again while another thread reads it: its type, address and function stand in
 * one object, which is replaced by a single pointer and never freed, so a reader sees either the old or the new one. */
#include "user.h"

#include "base/lock.h"
#include "base/variable.h"
#include "counters.h"
#include "hiera.h"
#include "memory/signal_safe_memory.h"

#include <math.h>
#include <string.h>

static const char NOT_YET[] = "the program has not registered it";

/* Where the value of a user's counter comes from; only `sample` changes later. */
typedef struct Source {
    unsigned type;
    const volatile void *address;
    double (*function)(void *data);
    void *data;
    double sample;
} Source;

static const char *missing(void)
{
    return NULL;
}

/* Visit the counters that the program has registered and not removed. */
static void each(HieraCounterVisit *visit, void *data)
{
    HieraNamedCounter *counter;
    for (int i = 1; (counter = hiera_counter_of(i)); i++)
        if (counter->family == &hiera_counters_user && !counter->is_pending)
            visit(data, counter);
}

static void open_counter(HieraNamedCounter *counter, const char *rest)
{
    counter->reason = rest[0] ? NOT_YET : "a name is missing";
    counter->is_pending = rest[0] != '\0';
    counter->is_real = true;
}

static void read_counters(HieraNamedCounter *const *counters, unsigned n, double *values)
{
    for (unsigned i = 0; i < n; i++) {
        const Source *source = __atomic_load_n(&counters[i]->data, __ATOMIC_ACQUIRE);
        if (!source)
            continue;
        values[i] = source->function  ? source->function(source->data)
                    : source->address ? hiera_variable_read(source->address, source->type)
                                      : source->sample;
    }
}

/* Find or make the counter of this name, given with or without its family; NULL if the name cannot stand in a list, or
 * there is no memory. */
static HieraNamedCounter *find(const char *name)
{
    char full[HIERA_COUNTER_NAME + 8] = "user:";
    const char *reason;
    name += strncmp(name, full, 5) == 0 ? 5 : 0;
    size_t n = strcspn(name, " \t\n,=()*?\"<>&");
    if (n == 0 || n >= HIERA_COUNTER_NAME - 5 || name[n])
        return NULL;
    memcpy(full + 5, name, n + 1);
    return hiera_counters_find(full, n + 5, &reason);
}

static void publish(HieraNamedCounter *counter, Source *source)
{
    __atomic_store_n(&counter->data, source, __ATOMIC_RELEASE);
    __atomic_store_n(&counter->reason, source ? NULL : NOT_YET, __ATOMIC_RELAXED);
    counter->is_pending = !source;
}

static bool is_real_type(unsigned type)
{
    return type == HIERA_TYPE_FLOAT || type == HIERA_TYPE_DOUBLE || type == HIERA_TYPE_LDOUBLE;
}

static Source *new_source(void)
{
    if (!hiera_lock_enter())
        return NULL;
    Source *source = hiera_memory_new(sizeof *source);
    hiera_lock_leave();
    return source;
}

HieraNamedCounter *hiera_user_register(const HieraUserCounter *asked)
{
    HieraNamedCounter *counter = find(asked->name ? asked->name : "");
    Source *source = counter ? new_source() : NULL;
    bool is_number = asked->function || (asked->address && asked->type > HIERA_TYPE_NONE &&
                                         asked->type != HIERA_TYPE_POINTER && asked->type <= HIERA_TYPE_FORTRAN_INT);
    if (!source || !is_number)
        return NULL;
    *source = (Source){asked->type, asked->address, asked->function, asked->data, (double)NAN};
    hiera_counter_describe(counter, asked->unit ? asked->unit : "", asked->help ? asked->help : "");
    counter->is_level = asked->is_level;
    __atomic_store_n(&counter->is_real, asked->function || is_real_type(asked->type), __ATOMIC_RELAXED);
    publish(counter, source);
    return counter;
}

void hiera_user_remove(const char *name)
{
    HieraNamedCounter *counter = find(name);
    if (counter)
        publish(counter, NULL);
}

HieraNamedCounter *hiera_user_sample(const char *name, double value)
{
    HieraNamedCounter *counter = find(name);
    Source *source = counter ? __atomic_load_n(&counter->data, __ATOMIC_ACQUIRE) : NULL;
    if (!counter || (source && (source->function || source->address)))
        return counter;
    if (source) {
        __atomic_store(&source->sample, &value, __ATOMIC_RELAXED);
        return counter;
    }
    source = new_source();
    if (!source)
        return NULL;
    source->sample = value;
    counter->is_level = true;
    publish(counter, source);
    return counter;
}

const HieraCounterFamily hiera_counters_user = {
    .name = "user",
    .help = "variables and functions that the program registers (hiera.h)",
    .missing = missing,
    .each = each,
    .open = open_counter,
    .read = read_counters,
};
