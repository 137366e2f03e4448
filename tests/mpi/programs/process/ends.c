/* Jobs that end with an error. The first argument says how. The case checks the output. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BARRIERS = 10, RECEIVES = 5 };

static int rank;

static void say_handler(MPI_Comm comm)
{
    MPI_Errhandler handler;
    MPI_Comm_get_errhandler(comm, &handler);
    printf("fatal: %d\n", handler == MPI_ERRORS_ARE_FATAL);
    MPI_Errhandler_free(&handler);
    fflush(stdout);
}

/* Print into a file. The launcher may lose the output of a process that it ends. Its pipes stay open, because Open
 * MPI's launcher may crash if one is closed. */
static void print_into(const char *file)
{
    if (dup(STDOUT_FILENO) < 0 || dup(STDERR_FILENO) < 0 || !freopen(file, "w", stdout) ||
        dup2(STDOUT_FILENO, STDERR_FILENO) < 0)
        puts("no file");
}

/* Rank 1 makes a mistake while the others wait for it. */
static void make_error(const char *what, const char *file)
{
    MPI_Comm comm;
    int value = 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (rank != 1) {
        MPI_Barrier(comm);
        return;
    }
    print_into(file);
    say_handler(comm);
    if (strcmp(what, "rank") == 0)
        MPI_Send(&value, 1, MPI_INT, 99, 5, comm);
    else if (strcmp(what, "type") == 0)
        MPI_Bcast(&value, 1, MPI_DATATYPE_NULL, 0, comm);
    else
        MPI_Type_commit(&(MPI_Datatype){MPI_DATATYPE_NULL});
}

/* A wait for three of five receives. Only two messages are sent, so it never returns. */
static void hang(void)
{
    int values[RECEIVES], done;
    sigset_t term;
    MPI_Request requests[RECEIVES];
    for (int i = 0; i < RECEIVES; i++)
        MPI_Irecv(&values[i], 1, MPI_INT, rank, i, MPI_COMM_WORLD, &requests[i]);
    for (int i = 1; i < RECEIVES; i += 2) {
        MPI_Send(&rank, 1, MPI_INT, rank, i, MPI_COMM_WORLD);
        MPI_Waitany(RECEIVES, requests, &done, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    printf("ready %d %d\n", rank, (int)getpid());
    fflush(stdout);
    sigemptyset(&term);
    sigaddset(&term, SIGTERM);
    sigprocmask(SIG_UNBLOCK, &term, NULL);
    MPI_Waitall(RECEIVES, requests, MPI_STATUSES_IGNORE);
}

/* Block SIGTERM in all threads, also in those of MPI, until the program is ready for the launcher's signal. */
static void block_term(void)
{
    sigset_t term;
    sigemptyset(&term);
    sigaddset(&term, SIGTERM);
    sigprocmask(SIG_BLOCK, &term, NULL);
}

/* Counts errors that the program handles. There are more than a rank may delay the end for. */
static int handled;

static void handle(MPI_Comm *comm, int *code, ...)
{
    char text[MPI_MAX_ERROR_STRING];
    int length;
    (void)comm;
    MPI_Error_string(*code, text, &length);
    handled++;
}

static void handle_all(void)
{
    MPI_Errhandler handler;
    MPI_Comm comm;
    int value = 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_create_errhandler(handle, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int i = 0; i < 5; i++) {
        MPI_Send(&value, 1, MPI_INT, 99, 5, comm);
        handled += MPI_Type_commit(&(MPI_Datatype){MPI_DATATYPE_NULL}) != MPI_SUCCESS;
    }
    MPI_Errhandler_free(&handler);
    MPI_Comm_free(&comm);
    printf("handled %d\n", handled);
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    int provided;
    if (strcmp(how, "hang") == 0)
        block_term();
    MPI_Init_thread(&argc, &argv, strcmp(how, "handled") == 0 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < BARRIERS; i++)
        MPI_Barrier(MPI_COMM_SELF);
    if (strcmp(how, "error") == 0)
        make_error(argv[2], argv[3]);
    else if (strcmp(how, "handled") == 0)
        handle_all();
    else
        hang();
    MPI_Finalize();
    return 0;
}
