/* MPI's error handler ends the program: what is in the buffers is written before it does.
 *
 * MPI_ERRORS_ARE_FATAL is the default. MPI then asks the launcher to end the job and waits, in a function that does not
 * return: the launcher may answer with SIGKILL, and neither a signal handler nor a destructor runs. A handler of our
 * own in its place would change MPI's message and what MPI_Comm_get_errhandler says. So we stand before the function of
 * the MPI library that all its calls report their errors to, look at the handler, write if it is a fatal one, and go
 * on to MPI's. An MPI without such a function, or one that cannot be reached from outside, never comes here.
 *
 * Weak: where MPI is linked statically, the linker takes MPI's own, and this does nothing. */
#include "base/life.h"
#include "mpi/call/call_record.h"
#include "process/session.h"

#include <dlfcn.h>
#include <errno.h>
#include <mpi.h>

#define HIERA_ENTRY __attribute__((visibility("default"), weak))

/* A handler that is thought to be fatal and lets the program live is not waited for again and again. */
enum { MOST_WRITTEN = 3 };

/* The error classes of MPI 3, without their prefix. */
#define ERROR_CLASSES(X)                                                                                               \
    X(BUFFER)                                                                                                          \
    X(COUNT)                                                                                                           \
    X(TYPE) X(TAG) X(COMM) X(RANK) X(REQUEST) X(ROOT) X(GROUP) X(OP) X(TOPOLOGY) X(DIMS) X(ARG) X(UNKNOWN) X(TRUNCATE) \
        X(OTHER) X(INTERN) X(IN_STATUS) X(PENDING) X(KEYVAL) X(NO_MEM) X(BASE) X(INFO_KEY) X(INFO_VALUE) X(INFO_NOKEY) \
            X(SPAWN) X(PORT) X(SERVICE) X(NAME) X(WIN) X(SIZE) X(DISP) X(INFO) X(LOCKTYPE) X(ASSERT) X(RMA_CONFLICT)   \
                X(RMA_SYNC) X(FILE) X(ACCESS) X(AMODE) X(BAD_FILE) X(FILE_EXISTS) X(FILE_IN_USE) X(NO_SPACE)           \
                    X(NO_SUCH_FILE) X(IO) X(READ_ONLY) X(QUOTA) X(NOT_SAME) X(CONVERSION) X(DUP_DATAREP)               \
                        X(UNSUPPORTED_DATAREP) X(UNSUPPORTED_OPERATION)

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

/* Returns whether the trace says now that this error has ended the program. */
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

/* `object` is what the handler is attached to, of which sort tells `type`. */
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

static __thread bool is_asking __attribute__((tls_model("initial-exec"))); /* which may be an error itself */

/* MPICH reports errors with its lock held, which MPI_THREAD_MULTIPLE has alone: asking would be an error there. Then
 * each error may be the last. */
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

/* MPICH's objects begin with their handle. Errors that belong to none are the business of these two communicators. */
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
