#include "readable.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* gfortran writes `name_` for a procedure outside modules, and `__module_MOD_name` for one in a module. */
void hiera_readable_symbol(char *to, size_t room, const char *symbol, const char *file)
{
    const char *inside = strncmp(symbol, "__", 2) == 0 ? strstr(symbol, "_MOD_") : NULL,
               *dot = file ? strrchr(file, '.') : NULL;
    if (inside) {
        snprintf(to, room, "%.*s::%s", (int)(inside - symbol - 2), symbol + 2, inside + 5);
    } else if (strncmp(symbol, "_Z", 2) == 0) {
        typedef char *Demangle(const char *, char *, size_t *, int *);
        Demangle *demangle = (Demangle *)dlsym(RTLD_DEFAULT, "__cxa_demangle");
        int status = -1;
        char *readable = demangle ? demangle(symbol, NULL, NULL, &status) : NULL;
        snprintf(to, room, "%s", readable && status == 0 ? readable : symbol);
        free(readable);
    } else {
        int n = snprintf(to, room, "%s", symbol);
        if (dot && (dot[1] == 'f' || dot[1] == 'F') && n > 1 && (size_t)n < room && to[n - 1] == '_' &&
            to[n - 2] != '_')
            to[n - 1] = '\0';
    }
}
