/* See otf2_names.h. Names of operations are those of MPI functions in lower case, with two exceptions. */
#include "otf2_names.h"
#include <string.h>

#define MPI_PREFIX    "MPI_"
#define NS_PER_SECOND G_GINT64_CONSTANT(1000000000)

/* Operations that Hiera names otherwise than MPI. */
static const struct {
    const char *operation, *function;
} names[] = {{"broadcast", "MPI_Bcast"}, {"receive", "MPI_Recv"}};

char *hiera_otf2_function(const char *operation)
{
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        if (strcmp(operation, names[i].operation) == 0)
            return g_strdup(names[i].function);
    }
    char *function = g_strconcat(MPI_PREFIX, operation, NULL);
    function[strlen(MPI_PREFIX)] = g_ascii_toupper(function[strlen(MPI_PREFIX)]);
    return function;
}

char *hiera_otf2_seconds(gint64 ns)
{
    return g_strdup_printf("%" G_GINT64_FORMAT ".%09" G_GINT64_FORMAT, ns / NS_PER_SECOND, ns % NS_PER_SECOND);
}

char *hiera_otf2_operation(const char *function)
{
    if (g_ascii_strncasecmp(function, MPI_PREFIX, strlen(MPI_PREFIX)) != 0)
        return NULL;
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        if (g_ascii_strcasecmp(function, names[i].function) == 0)
            return g_strdup(names[i].operation);
    }
    char *operation = g_ascii_strdown(function + strlen(MPI_PREFIX), -1);
    gsize length = strlen(operation);
    if (length > 0 && operation[length - 1] == '_') /* remove the suffix of Fortran functions */
        operation[length - 1] = '\0';
    return operation;
}
