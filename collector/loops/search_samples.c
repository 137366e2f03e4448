#include "search_samples.h"

#include "places/originals.h"
#include "sampling/sampled_thread.h"
#include "text/hash.h"

#include <string.h>

enum { SPOTS = 4096 };

/* Entry of a hash table with open addressing: samples in one block of HIERA_SPOT_BYTES bytes of code. */
typedef struct Spot {
    uintptr_t number, address; /* number of the block + 1, 0: empty entry; the block's address with most samples */
    uint64_t count, most;
} Spot;

static Spot spots[SPOTS];

static bool is_in_mpi(const HieraSampleTree *tree, uint32_t node)
{
    for (; node != 0; node = tree->nodes[node].parent)
        if (tree->nodes[node].call >= HIERA_RECORD_CALLS && tree->nodes[node].call != HIERA_SAMPLE_OTHERS)
            return true;
    return false;
}

static void add_spot(uintptr_t address, uint64_t count)
{
    uintptr_t number = address / HIERA_SPOT_BYTES + 1;
    for (unsigned i = 0; i < SPOTS; i++) {
        Spot *spot = &spots[(hiera_hash_number(number) + i) & (SPOTS - 1)];
        if (spot->number != 0 && spot->number != number)
            continue;
        spot->number = number;
        spot->count += count;
        spot->address = count > spot->most ? address : spot->address;
        spot->most = count > spot->most ? count : spot->most;
        return;
    }
}

/* Call a function for each sampled address outside MPI, with its number of samples. */
static void each_sample(void (*call)(uintptr_t address, uint64_t count, void *data), void *data)
{
    for (const HieraSampling *sampling = hiera_samplings; sampling; sampling = sampling->next)
        for (size_t i = 0; i < sampling->tree.room_places; i++) {
            const HieraSamplePlace *place = &sampling->tree.places[i];
            uintptr_t address = (uintptr_t)hiera_original(place->address);
            if (place->count > 0 && address != 0 && !is_in_mpi(&sampling->tree, place->node))
                call(address, place->count, data);
        }
}

typedef struct Counted {
    const HieraAddressRange *range;
    uint64_t samples, inside;
} Counted;

static void count(uintptr_t address, uint64_t n, void *data)
{
    Counted *counted = data;
    counted->samples += n;
    if (address >= counted->range->begin && address < counted->range->end)
        counted->inside += n;
}

uint64_t hiera_search_samples(const HieraAddressRange *range, uint64_t *inside)
{
    Counted counted = {range, 0, 0};
    each_sample(count, &counted);
    *inside = counted.inside;
    return counted.samples;
}

typedef struct Placed {
    bool (*is_done)(uintptr_t address);
    uint64_t samples;
} Placed;

/* A function that is done may share a spot with one that is not. */
static void place(uintptr_t address, uint64_t n, void *data)
{
    Placed *placed = data;
    placed->samples += n;
    if (!placed->is_done(address))
        add_spot(address, n);
}

uintptr_t hiera_search_hottest(bool (*is_done)(uintptr_t address), uint64_t *samples, uint64_t *of_place)
{
    const Spot *found = NULL;
    Placed placed = {is_done, 0};
    memset(spots, 0, sizeof spots);
    each_sample(place, &placed);
    *samples = placed.samples;
    for (unsigned i = 0; i < SPOTS; i++)
        if (spots[i].number != 0 && (!found || spots[i].count > found->count))
            found = &spots[i];
    *of_place = found ? found->count : 0;
    return found ? found->address : 0;
}
