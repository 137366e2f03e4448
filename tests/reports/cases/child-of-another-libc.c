/* ingredient: a rank starts a program of another C library (musl) in several ways; libhiera cannot be loaded into it
 * source: found from outside, R2
 * mpi: mpich
 * needs: musl-gcc
 * build: mpicc -g -DPARENT %f -o app
 * build: musl-gcc %f -o child
 * build: printf '\043!/bin/sh\nexec ./child "$@"\n' > script; printf '\043!./child\n' > interpreted; chmod +x script interpreted
 * run: hiera-run mpirun -n 2 ./app
 * expect: calls barrier 2
 * expect: never failed
 * expect: answer hiera-run mpirun -n 1 ./child => ./child: of another C library
 */
#ifdef PARENT
#include <fcntl.h>
#include <mpi.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WAYS = 10 };
extern char **environ;

static int run_by_popen(void)
{
    char line[80];
    FILE *from = popen("./child popen", "r");
    while (from && fgets(line, sizeof line, from))
        fputs(line, stdout);
    return from ? pclose(from) : -1;
}

typedef int Spawn(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *, char *const *,
                  char *const *);

static int run_by_spawn(Spawn *spawn, const char *file)
{
    char *const words[] = {(char *)"spawned", NULL};
    pid_t pid;
    int status = 1;
    return spawn(&pid, file, NULL, NULL, words, environ) != 0 || waitpid(pid, &status, 0) != pid ? -1 : status;
}

static void become(int way)
{
    char *const words[] = {(char *)"child", (char *)"x", NULL};
    switch (way) {
    case 0:
        execv("./child", words);
        break;
    case 1:
        setenv("PATH", ".", 1), execvp("child", words);
        break;
    case 2:
        fexecve(open("child", O_RDONLY), words, environ);
        break;
    case 3:
        execl("./script", "script", "y", NULL);
        break;
    case 4:
        execl("./interpreted", "interpreted", "z", NULL);
        break;
    case 5:
        execle("./child", "child", NULL, environ);
        break;
    case 6:
        exit(system("./child") != 0);
    case 7:
        exit(run_by_spawn(posix_spawn, "./child") != 0);
    case 8:
        setenv("PATH", ".", 1), exit(run_by_spawn(posix_spawnp, "child") != 0);
    default:
        exit(run_by_popen() != 0);
    }
}

int main(int argc, char **argv)
{
    int rank, status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int way = 0; way < WAYS && rank == 0; way++) {
        fflush(stdout);
        pid_t pid = fork();
        if (pid == 0) {
            become(way);
            _exit(127);
        }
        if (waitpid(pid, &status, 0) != pid || status != 0)
            printf("way %d failed: %x\n", way, (unsigned)status);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
#else
#include <stdio.h>

int main(int argc, char **argv)
{
    printf("%s with %d words\n", argv[0], argc);
    return 0;
}
#endif
