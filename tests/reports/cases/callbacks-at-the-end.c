/* source: found from outside, R3
 * ingredient: the process ends before the thread's next event, after an MPI call with a callback that calls MPI, or in one
 * build: mpicc -g -pthread -I$(dirname %f)/../../../collector %f -o app
 * run: for how in _exit abort finalize thread inside; do hiera-run --dir=$how mpirun -n 1 ./app $how >/dev/null 2>&1; done; HIERA_MODE=profile hiera-run --dir=profile mpirun -n 1 ./app profile; HIERA_FOLD=statistics hiera-run --dir=sums mpirun -n 1 ./app sums
 * expect: other output
 * expect: findings
 * expect: answer for how in _exit abort finalize; do grep -c '^ *<hieraMPI operation="send"' $how/trace0.xml; done => ^1\n1\n1$
 * expect: answer for how in thread inside; do hiera-transform --validate $how | grep lost; done => (?s)(lost 1 operations: call in a callback of MPI.*){2}
 * expect: answer grep -c '^    <hieraMPI operation="send"' profile/trace0.xml => ^1$
 * expect: answer hiera-transform --validate sums => errors: 0
 * expect: answer cat sums/trace0.xml => (?s)"comm_free".*\n  <hieraRegion[^>]*"step1"
 */
#include <hiera.h>
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int key;
static const char *how;

static int on_delete(MPI_Comm comm, int which, void *value, void *extra)
{
    (void)comm, (void)value, (void)extra;
    MPI_Send(&which, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
    if (strcmp(how, "inside") == 0)
        exit(5);
    return MPI_SUCCESS;
}

static MPI_Comm make(void)
{
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_SELF, &copy);
    MPI_Comm_set_attr(copy, key, &key);
    return copy;
}

static void *work(void *comm)
{
    MPI_Comm_free(comm);
    if (strcmp(how, "thread") == 0)
        for (;;)
            pause();
    return NULL;
}

static void free_many(void)
{
    for (int i = 0; i < 40; i++) {
        MPI_Comm copy = make();
        MPI_Comm_free(&copy);
    }
    work(&(MPI_Comm){make()});
    hiera_begin("app", "step1", NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    hiera_end();
}

int main(int argc, char **argv)
{
    int provided;
    pthread_t thread;
    how = argv[argc - 1];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_delete, &key, NULL);
    MPI_Comm copy = make();
    if (strcmp(how, "sums") == 0)
        free_many();
    if (strcmp(how, "thread") == 0) {
        pthread_create(&thread, NULL, work, &copy);
        sleep(1);
        MPI_Barrier(MPI_COMM_WORLD);
        exit(0);
    }
    MPI_Comm_free(&copy);
    if (strcmp(how, "_exit") == 0)
        _exit(2);
    if (strcmp(how, "abort") == 0)
        abort();
    MPI_Finalize();
    if (strcmp(how, "finalize") == 0)
        _exit(0);
    return 0;
}
