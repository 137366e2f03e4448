/* ingredient: the process forks before MPI_Init, and the child is the rank (a harness that forks for each test; Python's multiprocessing)
 * source: found from outside, R4
 * mpi: openmpi
 * build: mpicc -g %f -o app
 * build: mpicc -g %f -o linked $LIBHIERA -Wl,-rpath,$(dirname $LIBHIERA)
 * run: for how in exit _exit server grandchild many; do hiera-run --dir=$how mpirun -n 2 ./app $how; done; HIERA_DIR=linked-in HIERA_SUMMARY=1 mpirun -n 2 ./linked exit; hiera-run mpirun -n 2 ./app exit
 * expect: calls allreduce 20
 * expect: says (?s)(2 ranks traced; rank 0: 10 operations.*){5}
 * expect: never no trace
 * expect: answer for how in exit _exit server grandchild many linked-in; do hiera-transform $how --measure counts --format csv --quiet; done | grep -c allreduce,20 => ^6$
 * expect: answer find . -name 'trace*.xml' | wc -l => ^14$
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void work(void)
{
    int rank, sum = 0, all;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 10; i++) {
        MPI_Allreduce(&rank, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        sum += all;
    }
    MPI_Finalize();
    printf("rank %d, sum %d\n", rank, sum);
    fflush(stdout);
}

static int wait_for(pid_t pid)
{
    int status = 0;
    return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : 99;
}

/* The parent is the rank; the child helps it, and ends after it. */
static int serve(void)
{
    int ends[2];
    char byte;
    if (pipe(ends) != 0)
        return 1;
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[1]);
        while (read(ends[0], &byte, 1) > 0)
            ;
        exit(0);
    }
    work();
    close(ends[1]);
    return wait_for(pid);
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    if (strcmp(how, "server") == 0)
        return serve();
    for (int i = 0; i < 5 && strcmp(how, "many") == 0; i++) {
        pid_t other = fork(); /* none of these is a rank */
        if (other == 0)
            exit(0);
        wait_for(other);
    }
    pid_t pid = fork();
    if (pid == 0 && strcmp(how, "grandchild") == 0) {
        pid_t inner = fork();
        if (inner != 0)
            return wait_for(inner);
    }
    if (pid != 0)
        return wait_for(pid);
    work();
    if (strcmp(how, "_exit") == 0)
        _exit(0);
    return 0;
}
