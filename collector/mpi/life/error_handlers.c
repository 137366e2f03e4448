/* Writes the buffers before an MPI error handler ends the program.
 *
 * The default handler is MPI_ERRORS_ARE_FATAL. With it, MPI asks the launcher to end the job and waits in a function
 * that does not return. The launcher may send SIGKILL; then neither a signal handler nor a destructor runs. An error
 * handler of Hiera would change MPI's message and the result of MPI_Comm_get_errhandler. Instead, this file intercepts
 * the internal function to which all calls of the MPI library report errors. It looks at the error handler, writes the
 * buffers if the handler is fatal, and calls MPI's function. If an MPI library has no such function, or does not export
 * it, this file has no effect.
 *
 * The functions are weak: if MPI is linked statically, the linker takes MPI's own, and this file has no effect. */
#include "base/life.h"
#include "mpi/call/call_record.h"
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
    X(UNSUPPORTED_DATAREP) X(UNSUPPORTED_OPERATION)
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

/* Write the record buffers. Returns whether the trace now says that this error ended the program. */
static bool write_before_end(int error)
{
    static int written;
    int error_class = error, saved_errno = errno;
    if (!hiera_life.joined || hiera_life.closed || __atomic_fetch_add(&written, 1, __ATOMIC_RELAXED) >= MOST_WRITTEN)
        return false;
    PMPI_Error_class(error, &error_class);
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

#if defined(OPEN_MPI)

typedef int Invoke(MPI_Errhandler, void *, int, int, const char *);
Invoke ompi_errhandler_invoke;

/* `object` is the communicator, window or file that has this handler; `type` says which of the three. */
HIERA_ENTRY int ompi_errhandler_invoke(MPI_Errhandler handler, void *object, int type, int error, const char *function)
{
    Invoke *next = (Invoke *)dlsym(RTLD_NEXT, "ompi_errhandler_invoke");
    bool noted = (!handler || ends_program(handler)) && write_before_end(error);
    int result = next ? next(handler, object, type, error, function) : error;
    if (noted)
        hiera_session_live_on();
    return result;
}

#elif defined(MPICH_NAME)

typedef int Report(void *, const char *, int);
Report MPIR_Err_return_comm, MPIR_Err_return_win;

static __thread bool is_asking __attribute__((tls_model(
    "initial-exec"))); /* while Hiera asks MPI for the handler, MPI may report an error, which is then ignored */

/* Whether MPI may be asked for the error handler. MPICH reports errors with its lock held, and it has a lock with
 * MPI_THREAD_MULTIPLE only: then asking would be an error. In that case each error is treated as fatal. */
static bool may_ask(void)
{
    int level = MPI_THREAD_MULTIPLE;
    return PMPI_Query_thread(&level) == MPI_SUCCESS && level < MPI_THREAD_MULTIPLE;
}

static bool is_fatal(int (*get)(int, MPI_Errhandler *), int handle)
{
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    is_asking = true;
    bool known = get(handle, &handler) == MPI_SUCCESS;
    bool fatal = known && ends_program(handler);
    if (known)
        PMPI_Errhandler_free(&handler);
    is_asking = false;
    return fatal;
}

/* Whether the error handler of an object is fatal: an object of MPICH begins with its handle. An error without object
 * goes to the handler of MPI_COMM_SELF or MPI_COMM_WORLD. */
static bool is_fatal_for(int (*get)(int, MPI_Errhandler *), const void *object)
{
    if (object)
        return is_fatal(get, *(const int *)object);
    return is_fatal(PMPI_Comm_get_errhandler, MPI_COMM_SELF) && is_fatal(PMPI_Comm_get_errhandler, MPI_COMM_WORLD);
}

static int report(const char *name, int (*get)(int, MPI_Errhandler *), void *object, const char *function, int error)
{
    Report *next = (Report *)dlsym(RTLD_NEXT, name);
    bool noted =
        hiera_life.joined && !is_asking && (!may_ask() || is_fatal_for(get, object)) && write_before_end(error);
    int result = next ? next(object, function, error) : error;
    if (noted)
        hiera_session_live_on();
    return result;
}

HIERA_ENTRY int MPIR_Err_return_comm(void *comm, const char *function, int error)
{
    return report("MPIR_Err_return_comm", PMPI_Comm_get_errhandler, comm, function, error);
}

HIERA_ENTRY int MPIR_Err_return_win(void *win, const char *function, int error)
{
    return report("MPIR_Err_return_win", PMPI_Win_get_errhandler, win, function, error);
}

#endif
