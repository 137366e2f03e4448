/* Cartesian grids of ranks (MPI_Cart_create and others). See world.h. */
#include "handlers.h"

/* Read the dimensions of a grid from the call's arguments into the group. @return their product; 0: not known */
static guint64 read_dimensions(HieraWorld *world, guint32 rank, HieraGroupOfRanks *group)
{
    HieraKnown n = hiera_mpi_integer(world, rank, HIERA_P_NDIMS);
    guint64 product = 1;
    if (!n.known || n.bits > HIERA_MOST_DIMENSIONS)
        return 0;
    for (guint i = 0; i < n.bits; i++) {
        HieraKnown size = hiera_mpi_element(world, rank, HIERA_P_DIMS, i),
                   period = hiera_mpi_element(world, rank, HIERA_P_PERIODS, i);
        if (!size.known || !period.known || size.bits < 1 || size.bits > world->n)
            return 0;
        group->dimensions[i] = (gint32)size.bits;
        group->periods[i] = (gint32)period.bits;
        product *= size.bits;
    }
    group->n_dimensions = (gint32)n.bits;
    return product;
}

void hiera_mpi_describe_grid(HieraWorld *world, guint32 rank)
{
    const HieraCurrentCall *call = &world->calls[rank];
    HieraGroupOfRanks *group = hiera_world_group(world, call->made);
    if (read_dimensions(world, rank, group) != group->ranks->len) {
        group->n_dimensions = 0;
        hiera_world_note(world, HIERA_NOTE_ASSUMED, "%s: its dimensions are not known", call->name);
    }
}

gint32 hiera_mpi_grid_members(HieraWorld *world, guint32 rank)
{
    HieraGroupOfRanks read = {.n_dimensions = 0};
    guint64 product = read_dimensions(world, rank, &read);
    return (gint32)MIN(product, world->n);
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

gint32 hiera_mpi_grid_neighbour(const HieraGroupOfRanks *group, guint member, gint32 dimension, gint32 by)
{
    gint32 coordinates[HIERA_MOST_DIMENSIONS];
    find_coordinates(group, member, coordinates);
    if (__builtin_add_overflow(coordinates[dimension], by, &coordinates[dimension]))
        return -1;
    return member_at(group, coordinates);
}

/* --- subgrids (MPI_Cart_sub) --- */

void hiera_mpi_find_subgrid(HieraWorld *world, guint32 rank, gint64 *color, gint64 *key)
{
    const HieraCurrentCall *call = &world->calls[rank];
    const HieraGroupOfRanks *group = hiera_world_group(world, call->group);
    gint32 coordinates[HIERA_MOST_DIMENSIONS];
    *color = *key = 0;
    find_coordinates(group, hiera_group_member(group, rank), coordinates);
    for (gint32 i = 0; i < group->n_dimensions; i++) {
        HieraKnown remains = hiera_mpi_element(world, rank, HIERA_P_REMAIN_DIMS, (guint64)i);
        gint64 *part = remains.known && remains.bits ? key : color;
        *part = *part * group->dimensions[i] + coordinates[i];
    }
}

void hiera_mpi_describe_subgrid(HieraWorld *world, guint32 rank)
{
    const HieraCurrentCall *call = &world->calls[rank];
    const HieraGroupOfRanks *group = hiera_world_group(world, call->group);
    HieraGroupOfRanks *made = hiera_world_group(world, call->made);
    guint product = 1;
    made->n_dimensions = 0;
    for (gint32 i = 0; i < group->n_dimensions; i++) {
        HieraKnown remains = hiera_mpi_element(world, rank, HIERA_P_REMAIN_DIMS, (guint64)i);
        if (!remains.known || !remains.bits)
            continue;
        made->dimensions[made->n_dimensions] = group->dimensions[i];
        made->periods[made->n_dimensions++] = group->periods[i];
        product *= (guint)group->dimensions[i];
    }
    if (product != made->ranks->len)
        made->n_dimensions = 0;
}

/* --- calls that return properties of grids --- */

static guint64 member_or_none(const HieraWorld *world, gint32 member)
{
    return (guint64)(gint64)(member < 0 ? hiera_mpi_no_process(world) : member);
}

void hiera_mpi_shift_in_grid(HieraWorld *world, guint32 rank)
{
    const HieraCurrentCall *call = &world->calls[rank];
    const HieraGroupOfRanks *group = hiera_world_group(world, call->group);
    HieraKnown direction = hiera_mpi_integer(world, rank, HIERA_P_DIRECTION),
               by = hiera_mpi_integer(world, rank, HIERA_P_DISP);
    guint member = hiera_group_member(group, rank);
    gboolean known = direction.known && by.known && direction.bits < (guint64)group->n_dimensions &&
                     member != HIERA_NO_VERTEX && (gint32)by.bits > G_MININT32;
    gint32 dimension = (gint32)direction.bits, distance = (gint32)by.bits;
    hiera_mpi_write(world, rank, HIERA_P_RANK_SOURCE, known,
                    known ? member_or_none(world, hiera_mpi_grid_neighbour(group, member, dimension, -distance)) : 0);
    hiera_mpi_write(world, rank, HIERA_P_RANK_DEST, known,
                    known ? member_or_none(world, hiera_mpi_grid_neighbour(group, member, dimension, distance)) : 0);
}

/* Write the coordinates of a member of a grid; or the properties of the grid, and the caller's coordinates. */
void hiera_mpi_write_coordinates(HieraWorld *world, guint32 rank)
{
    const HieraCurrentCall *call = &world->calls[rank];
    const HieraGroupOfRanks *group = hiera_world_group(world, call->group);
    HieraKnown of = {TRUE, hiera_group_member(group, rank)};
    gint32 coordinates[HIERA_MOST_DIMENSIONS];
    if (hiera_mpi_has(call, HIERA_P_RANK))
        of = hiera_mpi_integer(world, rank, HIERA_P_RANK);
    hiera_mpi_write(world, rank, HIERA_P_NDIMS, group->n_dimensions > 0, (guint64)group->n_dimensions);
    if (!of.known || of.bits >= group->ranks->len)
        return;
    find_coordinates(group, (guint)of.bits, coordinates);
    for (gint32 i = 0; i < group->n_dimensions; i++) {
        hiera_mpi_write_element(world, rank, HIERA_P_COORDS, (guint64)i, TRUE, (guint64)(guint32)coordinates[i]);
        hiera_mpi_write_element(world, rank, HIERA_P_DIMS, (guint64)i, TRUE, (guint64)(guint32)group->dimensions[i]);
        hiera_mpi_write_element(world, rank, HIERA_P_PERIODS, (guint64)i, TRUE, (guint64)(guint32)group->periods[i]);
    }
}

void hiera_mpi_write_member(HieraWorld *world, guint32 rank)
{
    const HieraCurrentCall *call = &world->calls[rank];
    const HieraGroupOfRanks *group = hiera_world_group(world, call->group);
    gint32 coordinates[HIERA_MOST_DIMENSIONS];
    gboolean known = group->n_dimensions > 0;
    for (gint32 i = 0; i < group->n_dimensions; i++) {
        HieraKnown at = hiera_mpi_element(world, rank, HIERA_P_COORDS, (guint64)i);
        known &= at.known;
        coordinates[i] = (gint32)at.bits;
    }
    hiera_mpi_write(world, rank, HIERA_P_RANK, known, known ? (guint64)(guint32)member_at(group, coordinates) : 0);
}

/* Choose dimensions as MPI libraries do: assign prime factors, the largest first, to the smallest dimension; then sort
 * the dimensions in descending order. */
void hiera_mpi_create_dimensions(HieraWorld *world, guint32 rank)
{
    HieraKnown all = hiera_mpi_integer(world, rank, HIERA_P_NNODES), n = hiera_mpi_integer(world, rank, HIERA_P_NDIMS);
    guint64 given[HIERA_MOST_DIMENSIONS], made[HIERA_MOST_DIMENSIONS], left;
    guint n_free = 0, next = 0;
    if (!all.known || !n.known || n.bits > HIERA_MOST_DIMENSIONS || all.bits > G_MAXINT32)
        return;
    left = all.bits;
    for (guint i = 0; i < n.bits; i++) {
        HieraKnown size = hiera_mpi_element(world, rank, HIERA_P_DIMS, i);
        given[i] = size.known ? size.bits : 0;
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
        hiera_mpi_write_element(world, rank, HIERA_P_DIMS, i, TRUE, given[i] > 0 ? given[i] : made[next++]);
}
