/* ingredient: the process records regions, forks, and the child is the rank, and is killed: it shares memory and files with its parent
 * source: found from outside, R4
 * mpi: mpich
 * build: mpicc -g -I$(dirname %f)/../../../collector %f -o app
 * run: hiera-run --dir=killed mpirun -n 1 ./app kill | grep ended; hiera-run mpirun -n 2 ./app
 * expect: calls allreduce 20
 * expect: calls step 20
 * expect: says 1 rank died: trace complete
 * expect: says traces of children are in \S+, that of this process in \S+/parent-
 * expect: answer hiera-transform killed --measure counts --format csv --quiet => allreduce,10
 * expect: answer for f in parent-*; do hiera-transform $f --measure counts --format csv --quiet; done | grep -c early,5 => ^2$
 * expect: answer hiera-transform . --validate => lost 2 operations: region in a child of fork before MPI_Init
 * expect: findings
 */
#include <hiera.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static void work(int killed)
{
    int one = 1, all;
    hiera_begin("app", "all of the child", NULL);
    MPI_Init(NULL, NULL);
    for (int i = 0; i < 10; i++) {
        hiera_begin("app", "step", NULL);
        MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        hiera_end();
    }
    if (killed)
        raise(SIGKILL);
    MPI_Finalize();
    hiera_end();
}

int main(int argc, char **argv)
{
    int status = 0;
    (void)argv;
    hiera_begin("app", "all of the parent", NULL);
    for (int i = 0; i < 5; i++) {
        hiera_begin("app", "early", NULL);
        hiera_end();
    }
    pid_t pid = fork();
    if (pid == 0) {
        hiera_begin("app", "in between", NULL);
        hiera_end();
        work(argc > 1);
        hiera_end(); /* of the parent's region, which is open here, too */
        return 0;
    }
    waitpid(pid, &status, 0);
    hiera_end();
    printf("ended: %x\n", (unsigned)status);
    return 0;
}
