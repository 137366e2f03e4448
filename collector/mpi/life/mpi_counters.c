/* Counters of MPI: its performance variables, and its control variables as mpi:cvar/NAME (MPI_T).
 *
 * MPI_T is initialised only if such a counter is asked for, and after MPI_Init, so that MPI itself begins as without
 * Hiera. A child process finds the names that exist before. Variables of communicators are those of MPI_COMM_WORLD.
 * From MPI_Finalize on the counters keep the values that they had at its begin. */
#include "mpi_counters.h"

#include "base/settings.h"
#include "base/variable.h"
#include "counters/counter.h"
#include "helper/helper.h"
#include "hiera.h"
#include "mpi/call/own_calls.h"
#include "mpi_library.h"
#include "mpi_parts.h"

#include <dlfcn.h>
#include <math.h>
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PERFORMANCE, CONTROL }; /* kinds of MPI_T variables */
enum { MOST = 256, ELEMENTS = 512, TEXT = 512 };

static const char NOT_YET[] = "it can be read after MPI_Init";

/* The opened counters; the index is HieraNamedCounter.item. */
static struct {
    MPI_T_pvar_handle performance;
    MPI_T_cvar_handle control;
    int n;
    bool is_control;
    unsigned type; /* HIERA_TYPE_… of the variable; HIERA_TYPE_NONE: the counter cannot be read */
    double last;   /* value when MPI_Finalize was called */
} handles[MOST];
static uint32_t n_handles;
static bool has_ended; /* whether MPI_Finalize was called: then `last` is set in all handles */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *begin_reason = "MPI_T does not begin";
static int provided;
static MPI_T_pvar_session session;

static void begin(void)
{
    int n;
    if (!hiera_mpi_is_there())
        return;
    hiera_parts_note(hiera_own.T_cvar_get_num(&n) ==
                     MPI_SUCCESS); /* success: the program has initialised MPI_T before */
    if (hiera_own.T_init_thread(MPI_THREAD_MULTIPLE, &provided) == MPI_SUCCESS &&
        hiera_own.T_pvar_session_create(&session) == MPI_SUCCESS)
        begin_reason = NULL;
    hiera_parts_compare();
}

static const char *begin_once(void)
{
    pthread_once(&once, begin);
    return begin_reason;
}

static const char *missing(void)
{
    return NULL;
}

static bool is_running(void)
{
    int begun = 0, ended = 0;
    if (!hiera_mpi_is_there())
        return false;
    hiera_own.Initialized(&begun);
    hiera_own.Finalized(&ended);
    return begun && !ended;
}

/* --- list of MPI_T variables --- */

typedef struct Variable {
    char name[HIERA_COUNTER_NAME], help[TEXT];
    int class, bind, is_continuous;
    unsigned type; /* HIERA_TYPE_… of the value; HIERA_TYPE_NONE: the value is not a number */
    bool is_control;
} Variable;

static unsigned type_of(MPI_Datatype type)
{
    const struct {
        MPI_Datatype mpi;
        unsigned type;
    } types[] = {{MPI_INT, HIERA_TYPE_INT},
                 {MPI_UNSIGNED, HIERA_TYPE_UINT},
                 {MPI_UNSIGNED_LONG, HIERA_TYPE_ULONG},
                 {MPI_UNSIGNED_LONG_LONG, HIERA_TYPE_ULLONG},
                 {MPI_COUNT, HIERA_TYPE_LLONG},
                 {MPI_LONG, HIERA_TYPE_LONG},
                 {MPI_LONG_LONG, HIERA_TYPE_LLONG},
                 {MPI_DOUBLE, HIERA_TYPE_DOUBLE}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (types[i].mpi == type)
            return types[i].type;
    return HIERA_TYPE_NONE;
}

static bool find_out(bool is_control, int index, Variable *variable)
{
    int name = sizeof variable->name, help = sizeof variable->help, nothing, scope;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_T_enum words;
    *variable = (Variable){.is_control = is_control};
    int error = is_control ? hiera_own.T_cvar_get_info(index, variable->name, &name, &nothing, &type, &words,
                                                       variable->help, &help, &variable->bind, &scope)
                           : hiera_own.T_pvar_get_info(index, variable->name, &name, &nothing, &variable->class, &type,
                                                       &words, variable->help, &help, &variable->bind, &nothing,
                                                       &variable->is_continuous, &nothing);
    variable->type = type_of(type);
    return error == MPI_SUCCESS && variable->name[0];
}

/* Whether MPI takes a communicator for a variable. In Open MPI 6 the functions of the ABI take it for one of Open MPI,
 * and crash. */
static bool takes_communicators(void)
{
#ifdef HIERA_ABI
    return !dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world");
#else
    return true;
#endif
}

static void describe(HieraNamedCounter *counter, const Variable *variable)
{
    bool grows = !variable->is_control &&
                 (variable->class == MPI_T_PVAR_CLASS_COUNTER || variable->class == MPI_T_PVAR_CLASS_AGGREGATE ||
                  variable->class == MPI_T_PVAR_CLASS_TIMER);
    const char *unit = !variable->is_control && variable->class == MPI_T_PVAR_CLASS_PERCENTAGE ? "%" : "";
    counter->is_level = !grows;
    counter->is_real = variable->type == HIERA_TYPE_DOUBLE;
    counter->reason = NULL;
    if (variable->type == HIERA_TYPE_NONE)
        counter->reason = "it is no number";
    else if (variable->bind != MPI_T_BIND_NO_OBJECT && variable->bind != MPI_T_BIND_MPI_COMM)
        counter->reason = "it belongs to single objects of MPI";
    else if (variable->bind == MPI_T_BIND_MPI_COMM && !takes_communicators())
        counter->reason = "Open MPI takes handles of the ABI for its own";
    counter->source = variable->is_control ? CONTROL : PERFORMANCE;
    hiera_counter_describe(counter, unit, variable->help);
}

static int count_of(bool is_control)
{
    int n = 0;
    if (is_control)
        hiera_own.T_cvar_get_num(&n);
    else
        hiera_own.T_pvar_get_num(&n);
    return n;
}

/* Whether a child process survives allocating a handle of this variable. The caller's process does nothing else. */
static bool can_be_taken(int index)
{
    MPI_T_pvar_handle handle;
    int n, status = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        signal(SIGSEGV, SIG_DFL);
        _exit(hiera_own.T_pvar_handle_alloc(session, index, NULL, &handle, &n) != MPI_SUCCESS);
    }
    return child < 0 || (waitpid(child, &status, 0) == child && status == 0);
}

static bool is_list(void)
{
    return strcmp(hiera_settings.help, "counters-end") == 0;
}

static void each_of(bool is_control, HieraCounterVisit *visit, void *data)
{
    Variable variable;
    char name[HIERA_COUNTER_NAME + 8];
    for (int i = 0; i < count_of(is_control); i++) {
        HieraNamedCounter counter = {.reason = NULL};
        if (!find_out(is_control, i, &variable))
            continue;
        strcpy(name, is_control ? "cvar/" : "");
        strcat(name, variable.name);
        hiera_counter_name(&counter, "mpi", name);
        describe(&counter, &variable);
        if (!counter.reason && is_list() && !is_control && variable.bind == MPI_T_BIND_NO_OBJECT && !can_be_taken(i))
            counter.reason = "it can be read only in a job that uses the part of MPI that has it";
        visit(data, &counter);
    }
}

static void each_here(HieraCounterVisit *visit, void *data)
{
    if (begin_once())
        return;
    each_of(false, visit, data);
    each_of(true, visit, data);
}

static void tell(void *file, const HieraNamedCounter *counter)
{
    fwrite(counter, sizeof *counter, 1, file);
}

/* List the variables in a child process. Texts that the list points to are at the same addresses in this process. */
static void each_there(HieraCounterVisit *visit, void *data)
{
    HieraNamedCounter counter;
    int ends[2];
    if (pipe(ends) != 0)
        return;
    pid_t child = fork();
    FILE *file = fdopen(ends[child == 0], child == 0 ? "w" : "r");
    close(ends[child != 0]);
    if (child == 0 && file) {
        each_here(tell, file);
        fflush(file);
    }
    if (child == 0)
        _exit(0);
    while (file && child > 0 && fread(&counter, sizeof counter, 1, file) == 1)
        visit(data, &counter);
    if (file)
        fclose(file);
    if (child > 0)
        waitpid(child, NULL, 0);
}

static void each(HieraCounterVisit *visit, void *data)
{
    if (is_running() || is_list())
        each_here(visit, data);
    else
        each_there(visit, data);
}

/* --- opening a counter (MPI_T variable) --- */

static void start(HieraNamedCounter *counter, const Variable *variable, int index)
{
    MPI_Comm world = MPI_COMM_WORLD;
    void *object = variable->bind == MPI_T_BIND_MPI_COMM ? &world : NULL;
    int error = MPI_ERR_OTHER;
    counter->reason = !variable->is_control && hiera_part_may_be_unused(variable->name)
                          ? "MPI may not use the part that has it"
                          : NULL;
    if (counter->reason)
        return;
    uint32_t item = __atomic_fetch_add(&n_handles, 1, __ATOMIC_RELAXED);
    if (item < MOST && variable->is_control)
        error = hiera_own.T_cvar_handle_alloc(index, object, &handles[item].control, &handles[item].n);
    else if (item < MOST)
        error = hiera_own.T_pvar_handle_alloc(session, index, object, &handles[item].performance, &handles[item].n);
    if (error == MPI_SUCCESS && !variable->is_control && !variable->is_continuous)
        hiera_own.T_pvar_start(session, handles[item].performance);
    counter->reason = item >= MOST                                        ? "there are too many counters of MPI"
                      : error != MPI_SUCCESS                              ? "MPI gives no access to it"
                      : handles[item].n < 1 || handles[item].n > ELEMENTS ? "it is no single number"
                                                                          : NULL;
    if (counter->reason)
        return;
    handles[item].is_control = variable->is_control;
    handles[item].type = variable->type;
    counter->item = item;
}

static void open_counter(HieraNamedCounter *counter, const char *rest)
{
    Variable variable;
    bool is_control = strncmp(rest, "cvar/", 5) == 0;
    counter->is_pending = !is_running();
    counter->reason = counter->is_pending ? NOT_YET : begin_once();
    if (counter->reason)
        return;
    counter->reason = "MPI has no such variable in this job; hiera-run --counters lists what there may be";
    for (int i = 0; i < count_of(is_control); i++) {
        if (!find_out(is_control, i, &variable) || strcmp(variable.name, rest + (is_control ? 5 : 0)) != 0)
            continue;
        describe(counter, &variable);
        if (!counter->reason)
            start(counter, &variable, i);
        return;
    }
}

/* --- reading counters --- */

/* Return the value of a counter, for an array the sum of its elements. NaN: MPI gives no value. */
static double read_one(uint32_t item)
{
    bool is_control = handles[item].is_control;
    _Alignas(16) char numbers[ELEMENTS * sizeof(double)];
    unsigned type = handles[item].type;
    size_t bytes = type == HIERA_TYPE_INT || type == HIERA_TYPE_UINT ? sizeof(int) : sizeof(double);
    int error = is_control ? hiera_own.T_cvar_read(handles[item].control, numbers)
                           : hiera_own.T_pvar_read(session, handles[item].performance, numbers);
    double sum = error == MPI_SUCCESS ? 0 : (double)NAN;
    for (int i = 0; i < handles[item].n && error == MPI_SUCCESS; i++)
        sum += hiera_variable_read(numbers + (size_t)i * bytes, type);
    return sum;
}

void hiera_mpi_counters_end(void)
{
    uint32_t n = __atomic_load_n(&n_handles, __ATOMIC_RELAXED);
    if (n == 0 || __atomic_load_n(&has_ended, __ATOMIC_RELAXED) || !is_running())
        return;
    for (uint32_t i = 0; i < n && i < MOST; i++)
        handles[i].last = handles[i].type ? read_one(i) : (double)NAN;
    __atomic_store_n(&has_ended, true, __ATOMIC_RELEASE);
}

static void read_counters(HieraNamedCounter *const *counters, unsigned n, double *values)
{
    bool ended = __atomic_load_n(&has_ended, __ATOMIC_ACQUIRE);
    for (unsigned i = 0; ended && i < n; i++)
        if (!counters[i]->reason)
            values[i] = handles[counters[i]->item].last;
    if (ended || !is_running() || (hiera_helper_is_me() && provided != MPI_THREAD_MULTIPLE))
        return;
    for (unsigned i = 0; i < n; i++)
        if (!counters[i]->reason)
            values[i] = read_one(counters[i]->item);
}

const HieraCounterFamily hiera_counters_mpi = {
    .name = "mpi",
    .help = "performance variables of MPI; mpi:cvar/NAME: its control variables",
    .details = "cvar/",
    .missing = missing,
    .each = each,
    .open = open_counter,
    .read = read_counters,
};
