/* Writes the buffers before an MPI error handler ends the program.
 *
 * The default handler is MPI_ERRORS_ARE_FATAL. With it, MPI asks the launcher to end the job and waits in a function
 * that does not return. The launcher may send SIGKILL; then neither a signal handler nor a destructor runs. An error
 * handler of Hiera would change MPI's message and the result of MPI_Comm_get_errhandler. Instead, this file intercepts
 * the internal function to which all calls of the MPI library report errors. It looks at the error handler, writes the
 * buffers if the handler is fatal, and calls MPI's function. If an MPI library has no such function, or does not export
 * it, this file has no effect. libhiera-abi has the functions of Open MPI and of MPICH, since either may be there.
 *
 * The functions are weak: if MPI is linked statically, the linker takes MPI's own, and this file has no effect. */
#include "base/life.h"
#include "loaded/elf.h"
#include "loaded/loaded_symbols.h"
#include "mpi/call/call_record.h"
#include "mpi/call/own_calls.h"
#include "process/session.h"

#include <dlfcn.h>
#include <errno.h>
#include <mpi.h>

#define HIERA_ENTRY __attribute__((visibility("default"), weak))

/* For how many errors the buffers are written: a handler that seems fatal may let the program continue. */
enum { MOST_WRITTEN = 3 };

/* The error classes of MPI-3, without the prefix MPI_ERR_. */
/* clang-format off */
#define ERROR_CLASSES(X) \
    X(BUFFER) X(COUNT) X(TYPE) X(TAG) X(COMM) X(RANK) X(REQUEST) X(ROOT) X(GROUP) X(OP) X(TOPOLOGY) X(DIMS) X(ARG) \
    X(UNKNOWN) X(TRUNCATE) X(OTHER) X(INTERN) X(IN_STATUS) X(PENDING) X(KEYVAL) X(NO_MEM) X(BASE) X(INFO_KEY) \
    X(INFO_VALUE) X(INFO_NOKEY) X(SPAWN) X(PORT) X(SERVICE) X(NAME) X(WIN) X(SIZE) X(DISP) X(INFO) X(LOCKTYPE) \
    X(ASSERT) X(RMA_CONFLICT) X(RMA_SYNC) X(FILE) X(ACCESS) X(AMODE) X(BAD_FILE) X(FILE_EXISTS) X(FILE_IN_USE) \
    X(NO_SPACE) X(NO_SUCH_FILE) X(IO) X(READ_ONLY) X(QUOTA) X(NOT_SAME) X(CONVERSION) X(DUP_DATAREP) \
    X(UNSUPPORTED_DATAREP) X(UNSUPPORTED_OPERATION) X(RMA_RANGE) X(RMA_ATTACH) X(RMA_SHARED) X(RMA_FLAVOR)
/* clang-format on */

static const char *name_of(int error_class)
{
#define X(name) {MPI_ERR_##name, "MPI_ERR_" #name},
    static const struct {
        int error_class;
        const char *name;
    } rows[] = {ERROR_CLASSES(X)};
#undef X
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].error_class == error_class)
            return rows[i].name;
    return NULL;
}

/* The function of MPI that has this name and that MPI calls from `site`, instead of Hiera's. A process may have loaded
 * MPI for a module alone. */
static void *function_of_mpi(const char *name, const void *site)
{
    void *next = dlsym(RTLD_NEXT, name);
    return next ? next : hiera_symbols_find_for(site, name);
}

static int class_of(int error)
{
    int error_class = error;
    hiera_own.Error_class(error, &error_class);
    return error_class;
}

/* Write the record buffers. Returns whether the trace now says that this error ended the program. */
static bool write_before_end(int error_class)
{
    static int written;
    int saved_errno = errno;
    if (!hiera_life.joined || hiera_life.closed || __atomic_fetch_add(&written, 1, __ATOMIC_RELAXED) >= MOST_WRITTEN)
        return false;
    bool noted = hiera_session_write_before_end("MPI error", error_class, name_of(error_class));
    errno = saved_errno;
    return noted;
}

static bool ends_program(MPI_Errhandler handler)
{
#ifdef MPI_ERRORS_ABORT
    if (handler == MPI_ERRORS_ABORT)
        return true;
#endif
    return handler == MPI_ERRORS_ARE_FATAL;
}

#if defined(OPEN_MPI) || defined(HIERA_ABI)

typedef int Invoke(MPI_Errhandler, void *, int, int, const char *);
Invoke ompi_errhandler_invoke;

#ifdef HIERA_ABI

/* Open MPI reports its own numbers. Up to 45 they are those of the ABI, but for two. */
static int class_for_open_mpi(int error)
{
    static const int others[] = {
        [18] = MPI_ERR_IN_STATUS,
        MPI_ERR_PENDING,
        [46] = MPI_ERR_RMA_CONFLICT,
        MPI_ERR_RMA_SYNC,
        MPI_ERR_SERVICE,
        MPI_ERR_SIZE,
        MPI_ERR_SPAWN,
        MPI_ERR_UNSUPPORTED_DATAREP,
        MPI_ERR_UNSUPPORTED_OPERATION,
        MPI_ERR_WIN,
        [68] = MPI_ERR_RMA_RANGE,
        MPI_ERR_RMA_ATTACH,
        MPI_ERR_RMA_FLAVOR,
        MPI_ERR_RMA_SHARED,
        [74] = MPI_ERR_PROC_ABORTED,
        [78] = MPI_ERR_SESSION,
        MPI_ERR_VALUE_TOO_LARGE,
        MPI_ERR_ERRHANDLER,
        [83] = MPI_ERR_ABI,
    };
    const int n = sizeof others / sizeof others[0];
    if (error > 0 && error < n && others[error])
        return others[error];
    return error > 0 && error < 46 ? error : MPI_ERR_UNKNOWN;
}

/* Whether a handler of Open MPI, which is no handle of the ABI, ends the program. */
static bool ends_open_mpi(const void *handler, const void *site)
{
    return handler == function_of_mpi("ompi_mpi_errors_are_fatal", site) ||
           handler == function_of_mpi("ompi_mpi_errors_abort", site);
}

#else

static int class_for_open_mpi(int error)
{
    return class_of(error);
}

static bool ends_open_mpi(MPI_Errhandler handler, const void *unused)
{
    (void)unused;
    return ends_program(handler);
}

#endif

/* `object` is the communicator, window or file that has this handler; `type` says which of the three. */
HIERA_ENTRY int ompi_errhandler_invoke(MPI_Errhandler handler, void *object, int type, int error, const char *function)
{
    const void *site = __builtin_return_address(0);
    Invoke *next = (Invoke *)function_of_mpi("ompi_errhandler_invoke", site);
    bool noted =
        hiera_life.joined && (!handler || ends_open_mpi(handler, site)) && write_before_end(class_for_open_mpi(error));
    int result = next ? next(handler, object, type, error, function) : error;
    if (noted)
        hiera_session_live_on();
    return result;
}

#endif

#if defined(MPICH_NAME) || defined(HIERA_ABI)

typedef int Report(void *, const char *, int);
typedef int GetHandler(MPI_Comm, MPI_Errhandler *); /* of MPICH's windows too: its handles are of one type */
Report MPIR_Err_return_comm, MPIR_Err_return_win;

static __thread bool is_asking __attribute__((tls_model(
    "initial-exec"))); /* while Hiera asks MPI for the handler, MPI may report an error, which is then ignored */

/* Whether MPI may be asked for the error handler. MPICH reports errors with its lock held, and it has a lock with
 * MPI_THREAD_MULTIPLE only: then asking would be an error. In that case each error is treated as fatal. */
static bool may_ask(void)
{
    int level = MPI_THREAD_MULTIPLE;
    return hiera_own.Query_thread(&level) == MPI_SUCCESS && level < MPI_THREAD_MULTIPLE;
}

static bool has_fatal(GetHandler *get, MPI_Comm handle)
{
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    is_asking = true;
    bool known = get(handle, &handler) == MPI_SUCCESS;
    bool fatal = known && ends_program(handler);
    if (known)
        hiera_own.Errhandler_free(&handler);
    is_asking = false;
    return fatal;
}

/* Whether the handler of errors without an object is fatal: that of MPI_COMM_SELF or MPI_COMM_WORLD. */
static bool is_default_fatal(void)
{
    return has_fatal(hiera_own.Comm_get_errhandler, MPI_COMM_SELF) &&
           has_fatal(hiera_own.Comm_get_errhandler, MPI_COMM_WORLD);
}

#ifdef HIERA_ABI

/* An object of MPICH is no handle of the ABI, so that MPI cannot be asked for its handler. */
static bool is_fatal_for_comm(const void *comm)
{
    return comm || is_default_fatal();
}

static bool is_fatal_for_win(const void *win)
{
    return win || is_default_fatal();
}

/* An MPICH below a layer has other classes than the ABI. */
static int class_for_mpich(int error, const void *reporter)
{
    HieraSymbols object;
    bool is_abi = hiera_symbols_at(reporter, &object) && hiera_elf_is_abi(hiera_symbols_library(&object));
    return is_abi ? class_of(error) : MPI_ERR_UNKNOWN;
}

#else

/* An object of MPICH begins with its handle. */
static bool is_fatal_for_comm(const void *comm)
{
    return comm ? has_fatal(hiera_own.Comm_get_errhandler, *(const int *)comm) : is_default_fatal();
}

static bool is_fatal_for_win(const void *win)
{
    return win ? has_fatal(hiera_own.Win_get_errhandler, *(const int *)win) : is_default_fatal();
}

static int class_for_mpich(int error, const void *unused)
{
    (void)unused;
    return class_of(error);
}

#endif

static int report(const char *name, const void *site, bool is_fatal(const void *), void *object, const char *function,
                  int error)
{
    Report *next = (Report *)function_of_mpi(name, site);
    bool noted = hiera_life.joined && !is_asking && (!may_ask() || is_fatal(object)) &&
                 write_before_end(class_for_mpich(error, (const void *)(uintptr_t)next));
    int result = next ? next(object, function, error) : error;
    if (noted)
        hiera_session_live_on();
    return result;
}

HIERA_ENTRY int MPIR_Err_return_comm(void *comm, const char *function, int error)
{
    return report("MPIR_Err_return_comm", __builtin_return_address(0), is_fatal_for_comm, comm, function, error);
}

HIERA_ENTRY int MPIR_Err_return_win(void *win, const char *function, int error)
{
    return report("MPIR_Err_return_win", __builtin_return_address(0), is_fatal_for_win, win, function, error);
}

#endif
