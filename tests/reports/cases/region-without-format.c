/* ingredient: regions and methods without a format, in C and in C++, with a name that a macro gives
 * source: found from outside, P1
 * mpi: mpich
 * build: mpicc -std=c99 -pedantic -Wall -Wextra -Werror -g -I $(dirname %f)/../../../collector %f -o app
 * build: mpicxx -x c++ -std=c++98 -Wall -Wextra -Werror -Wno-cast-function-type -g -I $(dirname %f)/../../../collector %f -o app
 * build: mpicc -DHIERA_DISABLE -Wall -Wextra -Werror -g -I $(dirname %f)/../../../collector %f -o without
 * run: hiera-run mpirun -n 1 ./app
 * expect: calls barrier 3
 * expect: answer ./without && echo good => good
 * expect: answer grep 'operation="plain"' trace0.xml => level="app" operation="plain" file[^=]*="[^"]*" line="\d+" start_time="[\d.]+" finish_time="[\d.]+">
 * expect: answer cat trace0.xml => (?s)operation="named"[^>]*>.*operation="method".*operation="counted"[^>]* args="n=3"
 */
#include <hiera.h>
#include <mpi.h>

#define NAME "app", "named"

static void method(void)
{
    HIERA_CALL("app", "method");
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int n, char **words)
{
    MPI_Init(&n, &words);
    {
        HIERA_REGION("app", "plain");
        MPI_Barrier(MPI_COMM_WORLD);
    }
    {
        HIERA_REGION(NAME);
        method();
    }
    hiera_begin("app", "by itself", NULL); /* no other header is needed */
    hiera_end();
    {
        HIERA_REGION("app", "counted", "n=%d", 3);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
