/* Preloaded into a program under callgrind: it runs once for each command of its command line, with ";" between them,
 * and callgrind dumps what each takes, since a start costs as much as many commands. */
#include <dlfcn.h>
#include <string.h>
#include <valgrind/callgrind.h>

typedef int Main(int, char **, char **);
typedef int Start(Main *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);

__attribute__((visibility("default"))) Start __libc_start_main;

static Main *program;

static int run_each(int argc, char **argv, char **environment)
{
    int status = 0;
    for (int begin = 0, end; begin < argc && status == 0; begin = end) {
        argv[begin] = argv[0];
        for (end = begin + 1; end < argc && strcmp(argv[end], ";") != 0; end++)
            ;
        argv[end] = NULL;
        status = program(end - begin, argv + begin, environment);
        CALLGRIND_DUMP_STATS;
    }
    return status;
}

int __libc_start_main(Main *main, int argc, char **argv, void (*init)(void), void (*fini)(void), void (*end)(void),
                      void *stack)
{
    program = main;
    main = RUNNING_ON_VALGRIND ? run_each : main; /* valgrind is started by a program too */
    return ((Start *)dlsym(RTLD_NEXT, "__libc_start_main"))(main, argc, argv, init, fini, end, stack);
}
