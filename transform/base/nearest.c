/* See nearest.h. The distance of two words is their edit distance (Damerau-Levenshtein): the number of letters that
 * are missing, added, changed, or swapped with the next. */
#include "nearest.h"
#include <string.h>

enum { LONGEST = 64 }; /* longer words are not compared */

static guint least(guint a, guint b, guint c)
{
    return MIN(MIN(a, b), c);
}

/* Return the edit distance of two words. rows[i % 3][j] is the distance of the first i letters of a and the first j
 * letters of b; three rows are enough. */
static guint count_changes(const char *a, const char *b)
{
    guint rows[3][LONGEST + 1], n = (guint)strlen(b);
    for (guint j = 0; j <= n; j++)
        rows[0][j] = j;
    for (guint i = 1; i <= strlen(a); i++) {
        guint *row = rows[i % 3], *last = rows[(i - 1) % 3], *before = rows[(i + 1) % 3];
        row[0] = i;
        for (guint j = 1; j <= n; j++) {
            guint differs = g_ascii_tolower(a[i - 1]) != g_ascii_tolower(b[j - 1]);
            row[j] = least(row[j - 1] + 1, last[j] + 1, last[j - 1] + differs);
            gboolean swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped)
                row[j] = MIN(row[j], before[j - 2] + 1);
        }
    }
    return rows[strlen(a) % 3][n];
}

const char *hiera_nearest(const char *written, const char *const *there, guint n)
{
    const char *nearest = NULL;
    gsize length = strlen(written);
    guint fewest = (guint)MIN(length, LONGEST) / 3 + 2; /* a word with this distance or more is not similar */
    for (guint i = 0; i < n && there[i] && length <= LONGEST; i++) {
        if (strlen(there[i]) > LONGEST)
            continue;
        guint changes = count_changes(written, there[i]);
        gboolean begins = length >= 3 && g_ascii_strncasecmp(written, there[i], length) == 0;
        changes = begins ? MIN(changes, 1) : changes;
        if (changes < fewest && changes < strlen(there[i])) {
            fewest = changes;
            nearest = there[i];
        }
    }
    return nearest;
}
