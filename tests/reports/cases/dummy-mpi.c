/* ingredient: a serial program with a library that has a dummy MPI for C, run as one process with Hiera all the same
 * source: found from outside, R1: siblings
 * build: gcc -g -DDUMMY -shared -fPIC %f -o libdummy.so
 * build: gcc -g -DPLUG -shared -fPIC %f -o plug.so -L. -ldummy -Wl,-rpath,.
 * build: gcc -g -DLINKED %f -o linked -L. -ldummy -Wl,-rpath,.
 * build: gcc -g %f -o app -ldl
 * run: hiera-run --library=$LIBHIERA sh -c './app; ./linked'
 * expect: no trace
 */
#include <stdio.h>

int MPI_Init(int *argc, char ***argv);
int MPI_Comm_size(int comm, int *size);
int MPI_Bcast(void *data, int n, int type, int root, int comm);
int MPI_Finalize(void);

#if defined(DUMMY)
int MPI_Init(int *argc, char ***argv)
{
    printf("dummy init %d\n", argc != NULL && argv != NULL);
    return 0;
}

int MPI_Comm_size(int comm, int *size)
{
    *size = 1;
    return comm != 77;
}

int MPI_Bcast(void *data, int n, int type, int root, int comm)
{
    printf("dummy bcast %d %d %d %d\n", data != NULL, n, type, root);
    return comm != 77;
}

int MPI_Finalize(void)
{
    printf("dummy end\n");
    return 0;
}
#elif defined(PLUG) || defined(LINKED)
int solve(int argc, char **argv);

int solve(int argc, char **argv)
{
    int size = 0, x = 1, wrong = 0;
    MPI_Init(&argc, &argv);
    wrong += MPI_Comm_size(77, &size);
    wrong += MPI_Bcast(&x, 1, 5, 0, 77);
    printf("size %d wrong %d\n", size, wrong);
    return MPI_Finalize();
}
#endif
#if defined(LINKED)
int main(int argc, char **argv)
{
    return solve(argc, argv);
}
#elif !defined(DUMMY) && !defined(PLUG)
#include <dlfcn.h>

int main(int argc, char **argv)
{
    void *plug = dlopen("./plug.so", RTLD_NOW);
    return ((int (*)(int, char **))dlsym(plug, "solve"))(argc, argv);
}
#endif
