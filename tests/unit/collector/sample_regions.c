/* Each sample belongs to what was open when it was taken: a region, a call, the writing of the collector, also after
 * the buffer was emptied; those of threads that record nothing belong to the main thread's region. Rings and records
 * are written by hand, and come in pieces as they do in a run. */
#include "sampling/sample_regions.h"

#include "harness/plain.h"
#include "places/objects.h"
#include "record/region_names.h"
#include "sampling/other_threads.h"

#include <stdlib.h>

HieraSampling *hiera_samplings, *hiera_main_sampling;

/* --- what samples there are --- */

typedef struct Row {
    uint64_t ticks;
    const char *where; /* expected: functions as numbers, regions by name, calls, "write", "others" */
    bool is_other;     /* of a thread without records */
} Row;

static const Row *rows;
static size_t n_rows, n_taken[2];
static HieraSampleRing other_ring;

/* The address of a sample is its number. */
static bool find_next(bool is_other, size_t *found)
{
    size_t left = n_taken[is_other];
    for (*found = 0; *found < n_rows; (*found)++)
        if (rows[*found].is_other == is_other && left-- == 0)
            return true;
    return false;
}

bool hiera_sample_ring_peek(HieraSampleRing *ring, HieraSample *sample)
{
    size_t at;
    if (!find_next(ring == &other_ring, &at))
        return false;
    *sample = (HieraSample){rows[at].ticks, (const void *)(uintptr_t)(at + 1), 1, 0};
    return true;
}

void hiera_sample_ring_take(HieraSampleRing *ring)
{
    n_taken[ring == &other_ring]++;
}

void hiera_sample_ring_close(HieraSampleRing *ring)
{
    ring->source = HIERA_SAMPLES_NONE;
}

HieraSampleRing *hiera_other_threads(size_t *n)
{
    *n = 1;
    return &other_ring;
}

unsigned hiera_loaded_object_number(const void *address, bool makes)
{
    (void)address, (void)makes;
    return 1;
}

/* --- records --- */

static union {
    HieraRecord aligned;
    char bytes[4096];
} buffer;
static HieraThread thread = {.base = buffer.bytes, .next = buffer.bytes};

static void put(uint32_t call, uint64_t start, uint64_t finish, uint32_t bytes)
{
    HieraRecord *record = (HieraRecord *)(void *)thread.next;
    record->bytes = bytes;
    record->call = call;
    record->start = start;
    if (bytes > HIERA_END_BYTES)
        record->finish = finish;
    thread.next += bytes;
}

static void end(uint64_t at)
{
    put(HIERA_RECORD_END, at, 0, HIERA_END_BYTES);
}

static void begin_function(uint64_t at, uintptr_t function)
{
    HieraFunctionRecord *record = (HieraFunctionRecord *)(void *)thread.next;
    put(HIERA_RECORD_FUNCTION, at, 0, sizeof *record);
    record->function = (const void *)function;
}

static void begin_region(uint32_t call, uint64_t at, const char *name)
{
    HieraRegionRecord *record = (HieraRegionRecord *)(void *)thread.next;
    HieraName *made = calloc(1, sizeof *made + 64);
    if (!made)
        abort();
    put(call, at, 0, sizeof *record);
    made->level_length = 3;
    made->name_length = (uint16_t)strlen(name);
    memcpy(made->level, "app", 4);
    memcpy(made->level + 4, name, strlen(name) + 1);
    record->name = made;
}

/* --- where they are --- */

static void append_node(const HieraSampleTree *tree, uint32_t number, char *text, size_t room)
{
    const HieraSampleNode *node = &tree->nodes[number];
    if (number == 0)
        return;
    append_node(tree, node->parent, text, room);
    size_t n = strlen(text);
    if (node->call == HIERA_RECORD_FUNCTION)
        snprintf(text + n, room - n, "/%d", (int)(uintptr_t)node->function);
    else if (node->call == HIERA_RECORD_REGION)
        snprintf(text + n, room - n, "/%s", node->level + strlen(node->level) + 1);
    else if (node->call == HIERA_RECORD_FLUSH)
        snprintf(text + n, room - n, "/write");
    else if (node->call == HIERA_SAMPLE_OTHERS)
        snprintf(text + n, room - n, "/others");
    else
        snprintf(text + n, room - n, "/call %d", (int)(node->call - HIERA_RECORD_CALLS));
}

static void check(const HieraSampleTree *tree)
{
    size_t n = 0;
    for (size_t i = 0; i < tree->room_places; i++) {
        const HieraSamplePlace *place = &tree->places[i];
        size_t row = (size_t)(uintptr_t)place->address - 1;
        char where[256] = "";
        if (place->count == 0)
            continue;
        append_node(tree, place->node, where, sizeof where);
        EXPECT(1, place->count);
        EXPECT_TEXT(rows[row].where, where);
        n++;
    }
    EXPECT(n_rows, n);
}

static const Row all[] = {
    {10, "", false},
    {25, "/7", false},
    {35, "/7/step", false},
    {36, "/7/step/others", true},
    {45, "/7/step/call 3", false},
    {46, "/7/step/others", true}, /* other threads are in no call of this one */
    {55, "/7/step", false},
    {57, "/7/step", false}, /* inside of a region that is not told */
    {65, "/7", false},
    {75, "/7/write", false},
    {85, "/7/8", false},        /* which had no sample yet when the buffer was emptied */
    {95, "/7/8/call 5", false}, /* which has not returned */
    {115, "", false},
};

int main(void)
{
    HieraSampling sampling = {.thread = &thread, .ring = {.source = HIERA_SAMPLES_TIMER}};
    hiera_main_sampling = &sampling;
    rows = all;
    begin_function(20, 7);
    begin_region(HIERA_RECORD_REGION, 30, "step");
    n_rows = 4;
    hiera_sample_regions_tell(&sampling);
    put(HIERA_RECORD_CALLS + 3, 40, 50, sizeof(HieraRecord));
    begin_region(HIERA_RECORD_FILTERED, 56, "hidden");
    end(58);
    end(60);
    put(HIERA_RECORD_FLUSH, 70, 80, HIERA_FLUSH_BYTES);
    begin_function(82, 8);
    n_rows = 10;
    hiera_sample_regions_tell(&sampling);
    hiera_sample_regions_rewind(&sampling);
    memset(buffer.bytes, 0, sizeof buffer.bytes);
    thread.next = thread.base; /* both functions are still open */
    put(HIERA_RECORD_CALLS + 5, 90, 0, sizeof(HieraRecord));
    n_rows = 12;
    hiera_sample_regions_tell(&sampling);
    ((HieraRecord *)(void *)thread.base)->finish = 100;
    end(110);
    end(112);
    n_rows = sizeof all / sizeof *all;
    hiera_sample_regions_close(&sampling);
    check(&sampling.tree);
    EXPECT(HIERA_SAMPLES_TIMER, sampling.source);
    EXPECT(HIERA_SAMPLES_NONE, sampling.ring.source);
    return n_failed > 0;
}
