#include "originals.h"

#include <stddef.h>

static bool (*find)(uintptr_t *address);

void hiera_originals_begin(bool (*finder)(uintptr_t *address))
{
    find = finder;
}

const void *hiera_original(const void *address)
{
    uintptr_t at = (uintptr_t)address;
    return find && find(&at) ? (const void *)at : address;
}
