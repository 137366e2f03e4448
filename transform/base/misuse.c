#include "misuse.h"
#include "hiera_trace.h"

gboolean misuse(GError **error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *message = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_set_error_literal(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE, message);
    return FALSE;
}
