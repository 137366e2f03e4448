/* Programs that end or behave in unusual ways. The first argument says which. The case checks the output. */
#include <hiera.h>
#include <mpi.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static int rank, size, argument;

static void barriers(int n)
{
    for (int i = 0; i < n; i++)
        MPI_Barrier(MPI_COMM_SELF);
}

static int plain(void)
{
    int sum = 0, error = 0;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    errno = 42;
    fesetround(FE_UPWARD);
    feclearexcept(FE_ALL_EXCEPT);
    for (int i = 0; i < 20000; i++) { /* more operations than the buffer can hold */
        hiera_begin("app", "step", "i=%d", i);
        MPI_Comm_size(MPI_COMM_WORLD, &size);
        hiera_end();
    }
    error += errno != 42;
    error += fegetround() != FE_UPWARD || fetestexcept(FE_ALL_EXCEPT) != 0;
    printf("rank %d of %d: sum %d, %d errors\n", rank, size, sum, error);
    return error ? 97 : 0;
}

static int without_finalize(void)
{
    barriers(10);
    exit(0);
}

static int code(void)
{
    barriers(10);
    MPI_Finalize();
    exit(3);
}

static int abort_mpi(void)
{
    barriers(10);
    hiera_begin(NULL, "last", NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Abort(MPI_COMM_WORLD, 7);
    pause();
    return 0;
}

/* Rank 0 kills itself after some flushes; the argument is the number of calls before that. The launcher kills the
 * others: if one of them came to its own end first, rank 0 would be killed too early. */
static int killed(void)
{
    hiera_begin("app", "never \"ended\"", NULL);
    barriers(argument);
    fflush(NULL);
    while (rank > 0)
        pause();
    raise(SIGKILL);
    return 0;
}

static int signalled(void)
{
    hiera_begin("app", "never ended", NULL);
    barriers(10);
    raise(argument);
    return 0;
}

static volatile int deep;
static volatile int *volatile nowhere = (volatile int *)8;

/* Written so that the compiler makes neither a tail call nor a loop of it. */
static int overflow(int n)
{
    volatile char room[4096];
    room[0] = (char)n;
    deep = n;
    return deep < 0 ? 0 : overflow(n + 1) + room[0];
}

/* Signals that the processor raises because of faults; none is sent. */
static int faults(void)
{
    hiera_begin("app", "never ended", NULL);
    barriers(10);
    if (argument == 0)
        *nowhere = 1;
    else if (argument == 1)
        abort();
    else
        overflow(0);
    return 0;
}

static sigjmp_buf again;

static void on_fault(int number, siginfo_t *info, void *context)
{
    (void)context;
    siglongjmp(again, number == SIGSEGV && info->si_addr == (void *)nowhere ? 1 : 2);
}

/* Handles a fault and goes on. */
static int recovers(void)
{
    struct sigaction mine = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO}, seen;
    sigaction(SIGSEGV, &mine, NULL);
    for (volatile int i = 0; i < 3; i++) {
        int how = sigsetjmp(again, 1);
        if (how == 0)
            *nowhere = 1;
        barriers(2500);
        printf("fault %d\n", how);
    }
    sigaction(SIGSEGV, NULL, &seen);
    return seen.sa_sigaction == on_fault ? 0 : 94;
}

static int child(void)
{
    fflush(NULL);
    barriers(5);
    pid_t pid = fork();
    if (pid == 0) {
        hiera_begin("app", "in the child", NULL);
        hiera_end();
        if (argument == 1)
            execl("/bin/true", "true", (char *)NULL);
        exit(0);
    }
    int status = -1;
    waitpid(pid, &status, 0);
    if (argument == 2)
        raise(SIGKILL);
    barriers(5);
    printf("child %d\n", status);
    return 0;
}

static int elsewhere(void)
{
    barriers(5);
    if (chdir("/") != 0)
        return 1;
    barriers(20000);
    return 0;
}

/* Closes all descriptors above standard error, as servers do when they start. */
static int closes_all(void)
{
    char text[64] = "";
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    barriers(20000);
    for (int fd = argument; fd < 1000; fd++)
        close(fd);
    /* This file gets the same descriptors: no byte of the trace may appear in it. */
    FILE *file = tmpfile();
    int high = file ? fcntl(fileno(file), F_DUPFD, 500) : -1;
    for (int i = 0; i < 20000; i++) {
        hiera_begin("app", "step", NULL);
        hiera_end();
    }
    fprintf(file, "mine");
    fflush(file);
    rewind(file);
    size_t n = fread(text, 1, sizeof text, file);
    printf("%d %zu %s\n", high >= 500, n, text);
    fflush(NULL);
    _exit(n == 4 ? 0 : 96);
}

static int lots(void)
{
    for (int i = 0; i < argument; i++) {
        hiera_begin("app", "step", NULL);
        MPI_Barrier(MPI_COMM_SELF);
        hiera_end();
    }
    printf("done %d\n", argument);
    return 0;
}

/* Limit the file size to some hundred kilobytes. For this process it is like a full disk. */
static int limited(void)
{
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){300000, 300000});
    return lots();
}

static int errors(void)
{
    int class, code;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN); /* for errors that belong to no communicator */
    code = MPI_Send(&rank, 1, MPI_INT, 99, 0, MPI_COMM_WORLD);
    MPI_Error_class(code, &class);
    printf("send: %d\n", class == MPI_ERR_RANK);
    code = MPI_Bcast(&rank, -1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Error_class(code, &class);
    printf("bcast: %d\n", class == MPI_ERR_COUNT);
    int full[2] = {1, 2}, one[1];
    MPI_Request request;
    MPI_Isend(full, 2, MPI_INT, rank, 1, MPI_COMM_WORLD, &request);
    code = MPI_Recv(one, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Error_class(code, &class);
    printf("recv: %d\n", class == MPI_ERR_TRUNCATE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    /* missing lists and requests */
    int done, which[1], failed[] = {MPI_Startall(1, NULL), MPI_Waitall(1, NULL, MPI_STATUSES_IGNORE),
                                    MPI_Testall(1, NULL, &done, MPI_STATUSES_IGNORE), MPI_Waitany(1, NULL, which, MPI_STATUS_IGNORE),
                                    MPI_Testsome(1, NULL, &done, which, MPI_STATUSES_IGNORE)};
    printf("lists: %d %d %d %d %d\n", failed[0] != 0, failed[1] != 0, failed[2] != 0, failed[3] != 0, failed[4] != 0);
    int missing[] = {MPI_Start(NULL), MPI_Cancel(NULL), MPI_Wait(NULL, MPI_STATUS_IGNORE), MPI_Request_free(NULL)};
    printf("requests: %d %d %d %d\n", missing[0] != 0, missing[1] != 0, missing[2] != 0, missing[3] != 0);
    return 0;
}

/* Ends that bypass destructors. The first two go on, and have children that share or copy their memory. */
static int leaves(void)
{
    char program_name[] = "true", *const program[] = {program_name, NULL}, *const environment[] = {NULL};
    int status = -1;
    fflush(NULL);
    barriers(10);
    if (argument == 0) {
        pid_t pid = vfork();
        if (pid == 0)
            _exit(0);
        waitpid(pid, &status, 0);
        pid = vfork();
        if (pid == 0) {
            execv("/bin/true", program);
            _exit(1);
        }
        waitpid(pid, &status, 0);
        pid = fork();
        if (pid == 0)
            quick_exit(0);
        waitpid(pid, &status, 0);
        return status;
    }
    if (argument == 1) {
        errno = 0;
        execve("/nowhere/true", program, environment);
        status = errno;
        barriers(5);
        exit(status == ENOENT ? 4 : 1);
    }
    if (argument == 2)
        _exit(4);
    if (argument == 3)
        _Exit(4);
    if (argument == 4)
        quick_exit(4);
    execvp("true", program);
    return 1;
}

/* A locale with a decimal comma and translated messages. */
static int locale(void)
{
    if (!setlocale(LC_ALL, "comma"))
        return 93;
    hiera_begin("app", "step", "dt=%g", 0.5);
    printf("dt=%g\n", 0.5);
    hiera_end();
    hiera_begin("app", "wide", "dt=%g unit=%ls", 0.5, L"\u00b5s");
    hiera_end();
    return lots();
}

static const struct {
    const char *name;
    int (*run)(void);
} modes[] = {
    {"plain", plain},   {"without-finalize", without_finalize}, {"code", code},           {"abort", abort_mpi}, {"killed", killed},
    {"signalled", signalled}, {"child", child},   {"elsewhere", elsewhere},             {"closes-all", closes_all}, {"lots", lots},
    {"errors", errors}, {"limited", limited}, {"faults", faults}, {"recovers", recovers}, {"locale", locale}, {"leaves", leaves},
};

int main(int argc, char **argv)
{
    argument = argc > 2 ? atoi(argv[2]) : 0;
    if (argc > 1 && strcmp(argv[1], "no-mpi") == 0) {
        for (int i = 0; i < argument; i++) {
            hiera_begin("app", "alone", "i=%d", i);
            hiera_end();
        }
        puts("no MPI");
        return 5;
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int result = 95;
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++)
        if (argc > 1 && strcmp(argv[1], modes[i].name) == 0)
            result = modes[i].run();
    MPI_Finalize();
    return result;
}
