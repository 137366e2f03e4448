/* See buffers.h. */
#include "buffers.h"

#include "base/settings.h"
#include "mpi/call/array_arguments.h"
#include "mpi/call/mpi_level.h"
#include "types.h"

#include <mpi.h>
#include <string.h>

bool hiera_buffers_are_wanted(void)
{
    return *hiera_settings.check && hiera_settings.trace && !hiera_settings.mode.is_profile;
}

void hiera_buffers_load(void)
{
    for (unsigned i = 0; hiera_buffers_are_wanted() && i < hiera_mpi_call_count; i++)
        __atomic_or_fetch(&hiera_mpi_filtered[i], HIERA_FILTERED_CHECKED, __ATOMIC_RELAXED);
}

static void add(HieraBuffers *buffers, const HieraBuffer *buffer)
{
    if (buffer->bytes > 0 && buffers->n < HIERA_BUFFERS_MOST)
        buffers->list[buffers->n++] = *buffer;
}

/* The bytes of some elements of a datatype, from the address of the first one; bytes 0: none, or not known. */
typedef struct Span {
    int64_t lower, bytes, data;
} Span;

static Span span_of(int64_t count, uint32_t number)
{
    const HieraType *type = hiera_type_facts(number);
    int64_t more, upper, data;
    if (count <= 0 || type->size <= 0 || type->true_upper < type->true_lower ||
        __builtin_mul_overflow(count - 1, type->extent, &more) || __builtin_mul_overflow(count, type->size, &data))
        return (Span){0};
    int64_t lower = type->true_lower + (more < 0 ? more : 0);
    upper = type->true_upper + (more > 0 ? more : 0);
    return (Span){lower, upper - lower, data};
}

void hiera_buffers_add(HieraBuffers *buffers, char use, const void *address, int64_t count, uint32_t type)
{
    Span span = span_of(count, type);
    if (address != MPI_IN_PLACE)
        add(buffers, &(HieraBuffer){.address = (intptr_t)address + span.lower,
                                    .bytes = span.bytes,
                                    .use = (uint8_t)use,
                                    .gaps = span.bytes != span.data});
}

static int64_t number_at(const void *numbers, size_t bytes, int64_t i)
{
    return bytes == sizeof(int64_t) ? ((const int64_t *)numbers)[i] : ((const int32_t *)numbers)[i];
}

void hiera_buffers_add_parts(HieraBuffers *buffers, char use, const void *address, HieraBufferParts parts,
                             uint32_t type)
{
    int64_t lower = INT64_MAX, upper = INT64_MIN, data = 0, extent = hiera_type_facts(type)->extent, next = 0;
    for (int64_t i = 0; parts.counts && i < parts.n; i++) {
        int64_t count = number_at(parts.counts, parts.count_bytes, i);
        Span span = span_of(count, type);
        int64_t at = parts.displacements ? number_at(parts.displacements, parts.displacement_bytes, i) : next;
        next += count;
        if (span.bytes <= 0)
            continue;
        int64_t begin = at * extent + span.lower;
        lower = begin < lower ? begin : lower;
        upper = begin + span.bytes > upper ? begin + span.bytes : upper;
        data += span.data;
    }
    if (address != MPI_IN_PLACE && lower < upper)
        add(buffers, &(HieraBuffer){.address = (intptr_t)address + lower,
                                    .bytes = upper - lower,
                                    .use = (uint8_t)use,
                                    .gaps = data != upper - lower});
}

void hiera_buffers_add_target(HieraBuffers *buffers, char use, int64_t displacement, int64_t count, uint32_t type)
{
    Span span = span_of(count, type);
    add(buffers, &(HieraBuffer){.address = displacement,
                                .bytes = span.bytes,
                                .offset = span.lower,
                                .use = (uint8_t)use,
                                .gaps = span.bytes != span.data});
}

void hiera_buffers_add_window(HieraBuffers *buffers, const void *base, int64_t bytes, int64_t unit)
{
    add(buffers, &(HieraBuffer){.address = (intptr_t)base, .bytes = bytes, .offset = unit, .use = 'x'});
}

void hiera_buffers_put(HieraThread *thread, HieraMpiRecord *record, const HieraBuffers *buffers)
{
    uint32_t stored;
    if (buffers->n == 0)
        return;
    HieraBuffer *to = hiera_mpi_put_space(thread, record, HIERA_TAIL_BUFFERS, buffers->n, sizeof *to, &stored);
    memcpy(to, buffers->list, stored * sizeof *to);
}
