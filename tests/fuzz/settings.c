/* Fuzz driver: the values of all settings of the collector, one a line, in the order of their table. The last line is
 * the rest of the name of an unknown setting. */
#include "../../collector/base/settings.c"
#include "../../collector/base/unknown_settings.h"

#include "fuzz.h"

#include <stdarg.h>

/* Messages of the parser are not printed. */
void hiera_message(const char *format, ...)
{
    static char text[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
}

void hiera_message_write(const char *text, size_t n)
{
    static char copy[1 << 16];
    memcpy(copy, text, n);
}

void hiera_message_set_quiet(bool quiet)
{
    (void)quiet;
}

static const char *const variables[] = {
#define X(field, kind, variable, value, help) variable,
    HIERA_SETTINGS(X)
#undef X
};

/* Sets a variable whose name is HIERA_ and this text. */
static void set_unknown(const char *text)
{
    static char name[300];
    unsetenv(name[0] ? name : "HIERA_");
    snprintf(name, sizeof name, "HIERA_%.200s", text ? text : "");
    name[strcspn(name, "=\n")] = '\0';
    setenv(name, "1", 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1), *line = text;
    memcpy(text, data, size);
    text[size] = '\0';
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        size_t n = line ? strcspn(line, "\n") : 0;
        unsetenv(variables[i]);
        if (!line)
            continue;
        char *next = line[n] ? line + n + 1 : NULL;
        line[n] = '\0';
        if (n > 0)
            setenv(variables[i], line, 1);
        line = next;
    }
    set_unknown(line);
    n_blamed = n_unknown = n_values = 0;
    hiera_settings_read();
    hiera_unknown_find();
    hiera_settings_complain();
    hiera_settings_has_word(hiera_settings.levels, "mpi");
    free(text);
    return 0;
}
