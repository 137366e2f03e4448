/* source: found from outside, R6
 * ingredient: an error handler leaves MPI calls by longjmp, as C++ error handlers do by exceptions
 * run: hiera-run mpirun -n 1 ./app
 * expect: calls comm_call_errhandler 3
 * expect: answer grep -c 'left="true"' trace0.xml => ^3$
 * expect: answer grep comm_call_errhandler trace0.xml => ^( *<hieraMPI [^>]*finish_time="[^>]*left="true"/>\n){3}$
 */
#include <mpi.h>
#include <setjmp.h>
#include <stdio.h>

static jmp_buf before;

static void on_error(MPI_Comm *comm, int *error, ...)
{
    (void)comm, (void)error;
    longjmp(before, 1);
}

int main(int argc, char **argv)
{
    static volatile int left;
    MPI_Errhandler handler;
    MPI_Init(&argc, &argv);
    MPI_Comm_create_errhandler(on_error, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
    for (int i = 0; i < 3; i++) {
        if (setjmp(before) == 0)
            MPI_Comm_call_errhandler(MPI_COMM_SELF, MPI_ERR_OTHER);
        else
            left++;
        MPI_Barrier(MPI_COMM_WORLD);
    }
    printf("left %d\n", left);
    MPI_Finalize();
    return 0;
}
