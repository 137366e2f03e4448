/* See unknown_settings.h. */
#include "unknown_settings.h"

#include "settings.h"

#include <string.h>
#include <unistd.h>

enum { PREFIX = sizeof "HIERA_" - 1, NAME_LENGTH_MAX = 32 };

static const char *const known[] = {
#define X(field, kind, variable, value, help) variable,
    HIERA_SETTINGS(X)
#undef X
};

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Edit distance of two names: letters to add, remove, change, or swap with their neighbour (Damerau, Levenshtein). */
static unsigned distance(const char *a, size_t n, const char *b, size_t m)
{
    unsigned row[NAME_LENGTH_MAX + 1]
                [NAME_LENGTH_MAX + 1]; /* distances of the first i letters from the first j letters */
    for (size_t i = 0; i <= n; i++)
        for (size_t k = 0; k <= m; k++) {
            if (i == 0 || k == 0) {
                row[i][k] = (unsigned)(i + k);
                continue;
            }
            row[i][k] = least(least(row[i - 1][k], row[i][k - 1]) + 1, row[i - 1][k - 1] + (a[i - 1] != b[k - 1]));
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
                row[i][k] = least(row[i][k], row[i - 2][k - 2] + 1);
        }
    return row[n][m];
}

/* A setting is suggested if at most a third of its letters must change. */
static const char *nearest(const char *name, size_t length)
{
    const char *best = NULL;
    unsigned best_distance = (unsigned)length / 3 + 1;
    for (size_t i = 0; i < sizeof known / sizeof known[0] && length <= NAME_LENGTH_MAX; i++) {
        unsigned d = distance(name, length, known[i] + PREFIX, strlen(known[i] + PREFIX));
        if (d < best_distance) {
            best_distance = d;
            best = known[i];
        }
    }
    return best;
}

static bool is_known(const char *variable, size_t length)
{
    char name[NAME_LENGTH_MAX + PREFIX + 1] = "";
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strlen(known[i]) == length && memcmp(known[i], variable, length) == 0)
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
