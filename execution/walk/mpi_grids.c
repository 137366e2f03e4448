/* Cartesian grids of ranks. See world.h. */
#include "world.h"

void hiera_mpi_describe_grid(HieraWorld *world, guint32 rank)
{
    HieraMpiCall *call = &world->calls[rank];
    const HieraMpiFunction *function = call->function;
    HieraKnownMemory *memory = world->processes[rank]->state.memory;
    HieraKnown n = hiera_mpi_integer(world, rank, function->count),
               sizes = hiera_mpi_pointer(world, rank, function->buffer),
               periods = hiera_mpi_pointer(world, rank, function->source);
    guint64 size, period, product = 1;
    HieraGroupOfRanks *group = hiera_world_group(world, call->made);
    gboolean known = n.known && sizes.known && periods.known && n.bits <= HIERA_MOST_DIMENSIONS;
    for (guint i = 0; known && i < n.bits; i++) {
        known &= hiera_memory_read(memory, sizes.bits + 4 * i, 4, &size) &&
                 hiera_memory_read(memory, periods.bits + 4 * i, 4, &period);
        group->dimensions[i] = (gint32)size;
        group->periods[i] = (gint32)period;
        product *= size;
    }
    known &= product == group->ranks->len;
    group->n_dimensions = known ? (gint32)n.bits : 0;
    if (!known)
        hiera_world_note(world, "%s: its dimensions are not known", call->name);
}

static gint32 member_at(const HieraGroupOfRanks *group, const gint32 *coordinates)
{
    gint32 member = 0;
    for (gint32 i = 0; i < group->n_dimensions; i++) {
        gint32 n = group->dimensions[i], at = coordinates[i];
        if (group->periods[i])
            at = ((at % n) + n) % n;
        else if (at < 0 || at >= n)
            return -1;
        member = member * n + at;
    }
    return member;
}

static void find_coordinates(const HieraGroupOfRanks *group, guint member, gint32 *coordinates)
{
    for (gint32 i = group->n_dimensions - 1; i >= 0; i--) {
        coordinates[i] = (gint32)member % group->dimensions[i];
        member /= (guint)group->dimensions[i];
    }
}

void hiera_mpi_shift_in_grid(HieraWorld *world, guint32 rank)
{
    const HieraMpiCall *call = &world->calls[rank];
    const HieraGroupOfRanks *group = hiera_world_group(world, call->group);
    HieraKnown direction = hiera_mpi_integer(world, rank, call->function->count),
               by = hiera_mpi_integer(world, rank, call->function->tag);
    gboolean known = direction.known && by.known && (gint64)direction.bits < group->n_dimensions;
    gint8 places[2] = {call->function->source, call->function->to};
    for (gint32 i = 0; i < 2; i++) {
        gint32 coordinates[HIERA_MOST_DIMENSIONS], member = 0;
        if (known) {
            find_coordinates(group, hiera_group_member(group, rank), coordinates);
            coordinates[direction.bits] += (i == 0 ? -1 : 1) * (gint32)by.bits;
            member = member_at(group, coordinates);
        }
        hiera_mpi_write(world, rank, places[i], 4, known,
                        (guint64)(guint32)(member < 0 ? hiera_mpi_no_process(world) : member));
    }
}

void hiera_mpi_write_coordinates(HieraWorld *world, guint32 rank)
{
    const HieraMpiCall *call = &world->calls[rank];
    const HieraGroupOfRanks *group = hiera_world_group(world, call->group);
    HieraKnown of = hiera_mpi_integer(world, rank, call->function->peer),
               to = hiera_mpi_pointer(world, rank, call->function->to);
    gint32 coordinates[HIERA_MOST_DIMENSIONS];
    if (!to.known || !of.known || of.bits >= group->ranks->len)
        return;
    find_coordinates(group, (guint)of.bits, coordinates);
    for (gint32 i = 0; i < group->n_dimensions; i++)
        hiera_memory_write(world->processes[rank]->state.memory, to.bits + 4 * (guint64)i, 4, TRUE,
                           (guint64)(guint32)coordinates[i]);
}

void hiera_mpi_write_member(HieraWorld *world, guint32 rank)
{
    const HieraMpiCall *call = &world->calls[rank];
    const HieraGroupOfRanks *group = hiera_world_group(world, call->group);
    HieraKnown from = hiera_mpi_pointer(world, rank, call->function->buffer);
    gint32 coordinates[HIERA_MOST_DIMENSIONS];
    guint64 number;
    gboolean known = from.known && group->n_dimensions > 0;
    for (gint32 i = 0; i < group->n_dimensions; i++) {
        known &= hiera_memory_read(world->processes[rank]->state.memory, from.bits + 4 * (guint64)i, 4, &number);
        coordinates[i] = (gint32)number;
    }
    hiera_mpi_write(world, rank, call->function->to, 4, known,
                    known ? (guint64)(guint32)member_at(group, coordinates) : 0);
}

/* As libraries do: prime factors, the largest first, go to the smallest dimension; then dimensions fall. */
void hiera_mpi_create_dimensions(HieraWorld *world, guint32 rank)
{
    const HieraMpiCall *call = &world->calls[rank];
    HieraKnownMemory *memory = world->processes[rank]->state.memory;
    HieraKnown all = hiera_mpi_integer(world, rank, call->function->peer),
               n = hiera_mpi_integer(world, rank, call->function->count),
               to = hiera_mpi_pointer(world, rank, call->function->to);
    guint64 given[HIERA_MOST_DIMENSIONS], made[HIERA_MOST_DIMENSIONS], left;
    guint n_free = 0, next = 0;
    if (!all.known || !n.known || !to.known || n.bits > HIERA_MOST_DIMENSIONS)
        return;
    left = all.bits;
    for (guint i = 0; i < n.bits; i++) {
        if (!hiera_memory_read(memory, to.bits + 4 * i, 4, &given[i]))
            given[i] = 0;
        n_free += given[i] == 0;
        left /= MAX(given[i], 1);
    }
    for (guint i = 0; i < n_free; i++)
        made[i] = 1;
    while (n_free > 0 && left > 1) {
        guint64 largest = left;
        guint smallest = 0;
        for (guint64 factor = 2, rest = left; rest > 1; factor++) {
            while (rest % factor == 0) {
                rest /= factor;
                largest = factor;
            }
        }
        for (guint i = 1; i < n_free; i++)
            smallest = made[i] < made[smallest] ? i : smallest;
        made[smallest] *= largest;
        left /= largest;
    }
    for (guint i = 0; i < n_free; i++)
        for (guint k = i + 1; k < n_free; k++)
            if (made[k] > made[i]) {
                guint64 swap = made[i];
                made[i] = made[k];
                made[k] = swap;
            }
    for (guint i = 0; i < n.bits; i++)
        hiera_memory_write(memory, to.bits + 4 * i, 4, TRUE, given[i] > 0 ? given[i] : made[next++]);
}
