/* loader MODULE [SIGNAL]: a program that is not linked with MPI loads a module that is, as interpreters do. Then it
 * unloads the module and raises the signal. */
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    void *module = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    int (*run)(int, char **) = module ? (int (*)(int, char **))dlsym(module, "run") : NULL;
    if (!run) {
        printf("%s\n", dlerror());
        return 1;
    }
    int result = run(argc, argv);
    fflush(stdout);
    if (argc > 2)
        return dlclose(module) == 0 && raise(atoi(argv[2])) == 0 ? result : 1;
    return result;
}
