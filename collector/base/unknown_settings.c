#include "unknown_settings.h"

#include "settings.h"
#include "text/nearest.h"

#include <string.h>
#include <unistd.h>

enum { PREFIX = sizeof "HIERA_" - 1, NAME_LENGTH_MAX = 32 };

static const char *const known[] = {
#define X(field, kind, variable, value, help) variable,
    HIERA_SETTINGS(X)
#undef X
};

/* Find the setting to suggest for a misspelt name: at most a third of its letters differ; NULL: there is none. */
static const char *nearest(const char *name, size_t length)
{
    HieraNearest nearest = hiera_nearest_begin(name, length);
    nearest.fewest = length / 3 + 1;
    for (size_t i = 0; i < sizeof known / sizeof known[0] && length <= NAME_LENGTH_MAX; i++)
        hiera_nearest_offer(&nearest, known[i] + PREFIX);
    return nearest.best ? nearest.best - PREFIX : NULL;
}

static bool is_known(const char *variable, size_t length)
{
    char name[NAME_LENGTH_MAX + PREFIX + 1] = "";
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strlen(known[i]) == length && memcmp(known[i], variable, length) == 0)
            return true;
    if (hiera_settings_is_former(variable, length))
        return true;
    if (length < sizeof name)
        memcpy(name, variable, length);
    return hiera_settings_has_word(HIERA_SETTINGS_OF_OTHERS, name);
}

void hiera_unknown_find(void)
{
    for (char **variable = environ; variable && *variable; variable++) {
        size_t length = strcspn(*variable, "=");
        if (strncmp(*variable, "HIERA_", PREFIX) == 0 && !is_known(*variable, length))
            hiera_settings_note_unknown(*variable, length, nearest(*variable + PREFIX, length - PREFIX));
    }
}
