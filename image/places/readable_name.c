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

char *hiera_name_without_clone(const char *symbol)
{
    const char *dot = *symbol ? strchr(symbol + 1, '.') : NULL;
    return dot && !strstr(symbol, ".cold") ? g_strndup(symbol, (gsize)(dot - symbol)) : g_strdup(symbol);
}

gboolean hiera_name_means(const char *name, const char *symbol)
{
    g_autofree char *whole = hiera_name_without_clone(symbol);
    if (strcmp(name, symbol) == 0 || strcmp(name, whole) == 0)
        return TRUE;
    g_autofree char *readable = hiera_readable_name(whole, NULL);
    gsize length = strlen(name);
    return strncmp(name, readable, length) == 0 && (readable[length] == '\0' || readable[length] == '(');
}
