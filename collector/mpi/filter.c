/* Which MPI calls are recorded: HIERA_FILTER and HIERA_LEVELS, looked up once. */
#include "mpi_level.h"

#include "../settings.h"
#include "../writer.h"

#include <string.h>

/* "send", "MPI_Send" and the group "p2p" all name MPI_Send. */
static bool names_call(const HieraCall *call, const char *word, size_t n)
{
    bool function = n > 4 && strncmp(word, "MPI_", 4) == 0;
    if (function) {
        word += 4;
        n -= 4;
    }
    return (strlen(call->operation) == n && strncasecmp(call->operation, word, n) == 0) ||
           (strlen(call->function) == n && strncasecmp(call->function, word, n) == 0) ||
           (!function && strlen(call->group) == n && strncmp(call->group, word, n) == 0);
}

static bool filter_word(const char *word, size_t n)
{
    bool known = false;
    for (unsigned i = 0; i < hiera_mpi_call_count; i++)
        if (names_call(&hiera_mpi_calls[i], word, n))
            hiera_mpi_filtered[i] = known = true;
    return known;
}

void hiera_mpi_load(void)
{
    if (hiera_settings.levels[0] && !hiera_settings_has_word(hiera_settings.levels, "mpi"))
        memset(hiera_mpi_filtered, 1, hiera_mpi_call_count);
    for (const char *word = hiera_settings.filter; *word;) {
        size_t n = strcspn(word, ",");
        if (n > 0 && !filter_word(word, n))
            hiera_settings_blame("HIERA_FILTER", word);
        word += n + (word[n] == ',');
    }
}
