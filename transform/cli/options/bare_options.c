#include "bare_options.h"
#include <string.h>

void bare_options_fill(int argc, char **argv)
{
    static char serve[] = "--serve=";
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--serve") == 0)
            argv[i] = serve;
    }
}
