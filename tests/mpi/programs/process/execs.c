/* Replaces itself by another program: execs FUNCTION FILE [FUNCTION FILE PATH]... Each triple with a PATH (- for none)
 * runs in a child process. The new program prints its arguments. If it cannot be started, the error is printed. */
#include <mpi.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int execveat(int fd, const char *path, char *const argv[], char *const envp[], int flags);

static void barriers(int n)
{
    for (int i = 0; i < n; i++)
        MPI_Barrier(MPI_COMM_SELF);
}

static void become(const char *function, char *file)
{
    char one[] = "one", two[] = "two", name[] = "NAME=value", *const argv[] = {file, one, two, NULL}, *const envp[] = {name, NULL};
    int fd = open(file, O_RDONLY);
    if (strcmp(function, "execve") == 0)
        execve(file, argv, envp);
    if (strcmp(function, "execv") == 0)
        execv(file, argv);
    if (strcmp(function, "execvp") == 0)
        execvp(file, argv);
    if (strcmp(function, "execvpe") == 0)
        execvpe(file, argv, envp);
    if (strcmp(function, "execl") == 0)
        execl(file, file, one, two, (char *)NULL);
    if (strcmp(function, "execle") == 0)
        execle(file, file, one, two, (char *)NULL, envp);
    if (strcmp(function, "execlp") == 0)
        execlp(file, file, one, two, (char *)NULL);
    if (strcmp(function, "fexecve") == 0)
        fexecve(fd, argv, envp);
    if (strcmp(function, "execveat") == 0)
        execveat(AT_FDCWD, file, argv, envp, 0);
}

/* Run exec in a child process. A child of vfork shares our memory; its calls must not get into our trace. */
static void in_child(bool shares, const char *function, char *file)
{
    fflush(NULL);
    pid_t pid = shares ? vfork() : fork();
    if (pid == 0) {
        become(function, file);
        if (!shares)
            printf("%s\n", strerror(errno));
        fflush(NULL);
        _exit(1);
    }
    waitpid(pid, NULL, 0);
}

static void set_path(const char *path)
{
    if (strcmp(path, "-") == 0)
        unsetenv("PATH");
    else
        setenv("PATH", path, 1);
}

int main(int argc, char **argv)
{
    char nowhere[] = "/nowhere/at/all";
    if (argc < 3)
        return 1;
    MPI_Init(&argc, &argv);
    barriers(5);
    in_child(true, argv[1], argv[2]);
    in_child(false, argv[1], argv[2]);
    for (int i = 3; i + 2 < argc; i += 3) {
        set_path(argv[i + 2]);
        in_child(false, argv[i], argv[i + 1]);
    }
    become(argv[1], nowhere); /* fails, so the program goes on */
    printf("%s\n", strerror(errno));
    fflush(NULL);
    barriers(5);
    become(argv[1], argv[2]);
    int error = errno;
    barriers(5);
    printf("%s\n", strerror(error));
    MPI_Finalize();
    return 4;
}
