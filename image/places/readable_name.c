#include "readable_name.h"
#include "lines/readable.h"
#include <dlfcn.h>
#include <string.h>

/* Load the demangler if present: it is part of libstdc++, which C programs lack. */
static void load_demangler(void)
{
    static gboolean tried;
    if (!tried)
        dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_GLOBAL);
    tried = TRUE;
}

char *hiera_readable_name(const char *symbol, const char *file)
{
    char name[4096];
    if (g_str_has_prefix(symbol, "_Z"))
        load_demangler();
    hiera_readable_symbol(name, sizeof name, symbol, file);
    return g_strdup(name);
}

gboolean hiera_name_means(const char *name, const char *symbol)
{
    if (strcmp(name, symbol) == 0)
        return TRUE;
    g_autofree char *readable = hiera_readable_name(symbol, NULL);
    gsize length = strlen(name);
    return strncmp(name, readable, length) == 0 && (readable[length] == '\0' || readable[length] == '(');
}
