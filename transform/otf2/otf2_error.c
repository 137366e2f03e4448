#include "otf2_error.h"
#include <otf2/otf2.h>
#include <string.h>

static GPrivate first_error = G_PRIVATE_INIT(g_free);

static OTF2_ErrorCode keep(void *user, const char *file, uint64_t line, const char *function, OTF2_ErrorCode code,
                           const char *format, va_list arguments)
{
    (void)user, (void)file, (void)line, (void)function;
    if (code <= OTF2_SUCCESS || g_private_get(&first_error)) /* warnings have negative codes, and are ignored */
        return code;
    g_autofree char *detail = format ? g_strdup_vprintf(format, arguments) : g_strdup("");
    const char *description = OTF2_Error_GetDescription(code);
    g_private_set(&first_error, *detail ? g_strdup_printf("%s (%s)", description, detail) : g_strdup(description));
    return code;
}

void hiera_otf2_error_clear(void)
{
    static gsize registered;
    if (g_once_init_enter(&registered)) {
        OTF2_Error_RegisterCallback(keep, NULL);
        g_once_init_leave(&registered, 1);
    }
    g_private_replace(&first_error, NULL);
}

const char *hiera_otf2_error_peek(void)
{
    return g_private_get(&first_error);
}
