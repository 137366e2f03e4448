/* Memory from before the time when memory survives does not come back to who asks for memory that does. */
#include "memory/kept_memory.h"
#include "base/life.h"
#include "memory/signal_safe_memory.h"

#include "harness/plain.h"

#include <stdlib.h>
#include <unistd.h>

enum { PIECES = 3, SMALL = 5000, LARGE = 64 << 10, BLOCKS = 4 * PIECES };

static bool survives(const void *memory, size_t bytes)
{
    const HieraKeptHeader *header = hiera_kept_header();
    for (size_t i = 0; i < HIERA_KEPT_PIECES; i++)
        if ((uintptr_t)memory >= header->pieces[i].address && header->pieces[i].address > 1 &&
            (uintptr_t)memory + bytes <= header->pieces[i].address + header->pieces[i].bytes)
            return true;
    return false;
}

int main(void)
{
    char folder[] = "/tmp/hiera-test-XXXXXX";
    void *before[BLOCKS], *small = hiera_memory_new(SMALL);
    if (!mkdtemp(folder))
        return 2;
    for (size_t i = 0; i < BLOCKS; i++)
        before[i] = hiera_memory_new(LARGE);
    hiera_life.pid = getpid();
    EXPECT(1, hiera_kept_begin(folder, false, 1 << 20));
    hiera_memory_renew();
    hiera_memory_free(small, SMALL);
    for (size_t i = 0; i < BLOCKS; i++)
        hiera_memory_free(before[i], LARGE);
    EXPECT(1, survives(hiera_memory_new(SMALL), SMALL));
    for (size_t i = 0; i < BLOCKS; i++)
        EXPECT(1, survives(hiera_memory_new(LARGE), LARGE));
    void *since = hiera_memory_new(SMALL);
    hiera_memory_free(since, SMALL);
    EXPECT(1, hiera_memory_new(SMALL) == since);
    hiera_kept_end();
    EXPECT(0, rmdir(folder));
    return n_failed > 0;
}
