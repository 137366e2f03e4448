/* Not linked with MPI: loader MODULE loads what is, as interpreters do with their modules. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    void *module = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    int (*run)(int, char **) = module ? (int (*)(int, char **))dlsym(module, "run") : NULL;
    if (!run) {
        printf("%s\n", dlerror());
        return 1;
    }
    return run(argc, argv);
}
