/* Communicators, MPI groups, windows and files, which are all groups of ranks; calls that return their properties. See
 * world.h. */
#include "handlers.h"
#include <string.h>

/* Range of the handles of groups, communicators, windows and files that the program makes: neither MPI library uses it.
 */
enum { NEW_GROUP = 0x71000000, MOST_GROUPS = 0x8000000 };
/* Handles of MPICH's predefined communicators (mpi.h; its ABI has kept them since version 3.1). */
enum { MPICH_WORLD = 0x44000000, MPICH_SELF = 0x44000001, MPICH_NO_COMM = 0x04000000 };
enum { OPENMPI_SELF = 1 }; /* Open MPI's Fortran handle of MPI_COMM_SELF; that of MPI_COMM_WORLD is 0 */

void hiera_world_group_free(gpointer freed)
{
    HieraGroupOfRanks *group = freed;
    for (guint i = 0; i < group->ranks->len; i++) {
        if (group->neighbours) {
            g_array_unref(group->neighbours[i].in);
            g_array_unref(group->neighbours[i].out);
        }
        if (group->window) {
            g_array_unref(group->window[i].exposed);
            g_array_unref(group->window[i].accessed);
        }
    }
    g_free(group->neighbours);
    g_free(group->window);
    g_array_unref(group->ranks);
    g_free(group);
}

HieraGroupOfRanks *hiera_world_group(const HieraWorld *world, guint group)
{
    return world->groups->pdata[group];
}

/* --- lists of ranks, which groups with the same ranks share --- */

static guint hash_list(gconstpointer list)
{
    const GArray *ranks = list;
    guint hash = ranks->len;
    for (guint i = 0; i < ranks->len; i++)
        hash = hash * 31 + g_array_index(ranks, guint32, i);
    return hash;
}

static gboolean are_same_lists(gconstpointer one, gconstpointer other)
{
    const GArray *a = one, *b = other;
    return a->len == b->len && (a->len == 0 || memcmp(a->data, b->data, a->len * sizeof(guint32)) == 0);
}

static void free_list(gpointer list)
{
    g_array_unref(list);
}

GHashTable *hiera_world_lists_new(void)
{
    return g_hash_table_new_full(hash_list, are_same_lists, free_list, NULL);
}

static GArray *find_list(HieraWorld *world, const guint32 *ranks, guint n)
{
    g_autoptr(GArray) list = g_array_sized_new(FALSE, FALSE, sizeof(guint32), n);
    gpointer found;
    g_array_append_vals(list, ranks, n);
    if (!g_hash_table_lookup_extended(world->lists, list, &found, NULL)) {
        found = g_array_ref(list);
        g_hash_table_insert(world->lists, found, NULL);
    }
    return found;
}

guint hiera_world_add_group(HieraWorld *world, const guint32 *ranks, guint n)
{
    HieraGroupOfRanks *group = g_new0(HieraGroupOfRanks, 1);
    group->ranks = g_array_ref(find_list(world, ranks, n));
    g_ptr_array_add(world->groups, group);
    return world->groups->len - 1;
}

/* Return the number of the MPI group that has these ranks and no other properties; it is made if it is new. */
static guint find_group(HieraWorld *world, const guint32 *ranks, guint n)
{
    GArray *list = find_list(world, ranks, n);
    guint number = GPOINTER_TO_UINT(g_hash_table_lookup(world->lists, list));
    if (number == 0) { /* no group has these ranks yet (0 is MPI_COMM_WORLD, which is never in this table) */
        number = hiera_world_add_group(world, ranks, n);
        g_hash_table_insert(world->lists, g_array_ref(list), GUINT_TO_POINTER(number));
    }
    return number;
}

guint hiera_group_member(const HieraGroupOfRanks *group, guint32 rank)
{
    /* Try the most frequent case first: a group of all ranks, in their order. */
    if (rank < group->ranks->len && g_array_index(group->ranks, guint32, rank) == rank)
        return rank;
    for (guint i = 0; i < group->ranks->len; i++)
        if (g_array_index(group->ranks, guint32, i) == rank)
            return i;
    return HIERA_NO_VERTEX;
}

guint64 hiera_mpi_group_handle(guint group)
{
    return NEW_GROUP + group;
}

guint hiera_mpi_group_of_handle(HieraWorld *world, guint32 rank, HieraKnown handle)
{
    const char *name = handle.known ? hiera_known_memory_name_at(hiera_world_memory(world, rank), handle.bits) : NULL;
    gboolean fortran = world->calls[rank].fortran && handle.known;
    /* The handle tells which MPI library it is: a Fortran executable does not name it. */
    if (fortran && (handle.bits <= OPENMPI_SELF || handle.bits >> 24 == MPICH_WORLD >> 24))
        world->is_openmpi = handle.bits <= OPENMPI_SELF;
    if (handle.known && handle.bits >= NEW_GROUP && handle.bits - NEW_GROUP < world->groups->len)
        return (guint)(handle.bits - NEW_GROUP);
    if (handle.known && (handle.bits == MPICH_SELF || (fortran && handle.bits == OPENMPI_SELF) ||
                         (name && strcmp(name, "ompi_mpi_comm_self") == 0)))
        return HIERA_SELF + rank;
    gboolean is_world = handle.known && (handle.bits == MPICH_WORLD || handle.bits == 0 ||
                                         (name && strcmp(name, "ompi_mpi_comm_world") == 0));
    if (!is_world)
        hiera_world_note(world, HIERA_NOTE_ASSUMED, "%s: its communicator is not known; MPI_COMM_WORLD is assumed",
                         world->calls[rank].name);
    return HIERA_WORLD;
}

guint64 hiera_mpi_no_communicator(HieraWorld *world, guint32 rank)
{
    if (!world->is_openmpi)
        return MPICH_NO_COMM;
    return world->calls[rank].fortran
               ? 2
               : hiera_known_memory_address_of(hiera_world_memory(world, rank), "ompi_mpi_comm_null");
}

guint hiera_mpi_group(HieraWorld *world, guint32 rank, HieraMpiName name)
{
    return hiera_mpi_group_of_handle(world, rank, hiera_mpi_handle(world, rank, name));
}

guint hiera_mpi_group_of_call(HieraWorld *world, guint32 rank)
{
    static const HieraMpiName names[] = {HIERA_P_COMM, HIERA_P_WIN, HIERA_P_FH, HIERA_P_LOCAL_COMM};
    const HieraCurrentCall *call = &world->calls[rank];
    for (guint i = 0; i < call->function->n_parameters; i++) {
        const HieraMpiParameter *parameter = &call->function->parameters[i];
        for (guint k = 0; k < G_N_ELEMENTS(names); k++)
            if (parameter->name == names[k] && parameter->direction != HIERA_DIRECTION_OUT)
                return hiera_mpi_group(world, rank, names[k]);
    }
    return HIERA_WORLD;
}

/* --- calls that return properties of groups --- */

static guint64 member_or_undefined(const HieraGroupOfRanks *group, guint32 rank)
{
    guint member = hiera_group_member(group, rank);
    return member == HIERA_NO_VERTEX ? (guint64)(gint64)HIERA_MPI_UNDEFINED : member;
}

void hiera_mpi_tell_group(HieraWorld *world, guint32 rank)
{
    const HieraCurrentCall *call = &world->calls[rank];
    guint number = hiera_mpi_has(call, HIERA_P_GROUP) ? hiera_mpi_group(world, rank, HIERA_P_GROUP) : call->group;
    const HieraGroupOfRanks *group = hiera_world_group(world, number);
    gboolean remote = strcmp(call->function->name, "comm_remote_size") == 0;
    if (remote && group->is_inter)
        group = hiera_world_group(world, group->remote);
    if (hiera_mpi_has(call, HIERA_P_RANK))
        hiera_mpi_write(world, rank, HIERA_P_RANK, TRUE, member_or_undefined(group, rank));
    if (hiera_mpi_has(call, HIERA_P_SIZE))
        hiera_mpi_write(world, rank, HIERA_P_SIZE, TRUE, group->ranks->len);
    if (hiera_mpi_has(call, HIERA_P_FLAG))
        hiera_mpi_write(world, rank, HIERA_P_FLAG, TRUE, (guint64)group->is_inter);
}

/* Write the result of a comparison, in both libraries: MPI_IDENT 0, MPI_CONGRUENT 1, MPI_SIMILAR 2, MPI_UNEQUAL 3. */
void hiera_mpi_compare_groups(HieraWorld *world, guint32 rank)
{
    const HieraCurrentCall *call = &world->calls[rank];
    gboolean of_groups = hiera_mpi_has(call, HIERA_P_GROUP1);
    guint first = hiera_mpi_group(world, rank, of_groups ? HIERA_P_GROUP1 : HIERA_P_COMM1),
          second = hiera_mpi_group(world, rank, of_groups ? HIERA_P_GROUP2 : HIERA_P_COMM2);
    const GArray *a = hiera_world_group(world, first)->ranks, *b = hiera_world_group(world, second)->ranks;
    guint64 result = first == second || (of_groups && are_same_lists(a, b)) ? 0 : are_same_lists(a, b) ? 1 : 2;
    for (guint i = 0; result == 2 && i < a->len; i++)
        if (a->len != b->len ||
            hiera_group_member(hiera_world_group(world, second), g_array_index(a, guint32, i)) == HIERA_NO_VERTEX)
            result = 3;
    hiera_mpi_write(world, rank, HIERA_P_RESULT, TRUE, result);
}

void hiera_mpi_translate_ranks(HieraWorld *world, guint32 rank)
{
    const GArray *from = hiera_world_group(world, hiera_mpi_group(world, rank, HIERA_P_GROUP1))->ranks;
    const HieraGroupOfRanks *to = hiera_world_group(world, hiera_mpi_group(world, rank, HIERA_P_GROUP2));
    HieraKnown n = hiera_mpi_integer(world, rank, HIERA_P_N);
    for (guint64 i = 0; n.known && i < MIN(n.bits, 1 << 20); i++) {
        HieraKnown member = hiera_mpi_element(world, rank, HIERA_P_RANKS1, i);
        gboolean is_there = member.known && member.bits < from->len;
        hiera_mpi_write_element(world, rank, HIERA_P_RANKS2, i, member.known,
                                is_there ? member_or_undefined(to, g_array_index(from, guint32, member.bits))
                                         : (guint64)(gint64)hiera_mpi_no_process(world));
    }
}

/* --- calls that make groups from groups --- */

/* Mark the members given by a list or by ranges, in their order.
 * @return FALSE: they are not known */
static gboolean list_members(HieraWorld *world, guint32 rank, const GArray *of, GArray *members)
{
    const HieraCurrentCall *call = &world->calls[rank];
    HieraKnown n = hiera_mpi_integer(world, rank, HIERA_P_N);
    gboolean ranges = hiera_mpi_has(call, HIERA_P_RANGES);
    if (!n.known || n.bits > of->len)
        return FALSE;
    for (guint64 i = 0; i < n.bits; i++) {
        HieraKnown range[3] = {{TRUE, 0}, {TRUE, 0}, {TRUE, 1}};
        if (!ranges)
            range[0] = range[1] = hiera_mpi_element(world, rank, HIERA_P_RANKS, i);
        for (guint k = 0; ranges && k < 3; k++)
            range[k] = hiera_mpi_element(world, rank, HIERA_P_RANGES, 3 * i + k);
        gint64 from = (gint64)range[0].bits, to = (gint64)range[1].bits, step = (gint64)range[2].bits;
        if (!range[0].known || !range[1].known || !range[2].known || step == 0)
            return FALSE;
        for (gint64 at = from; step > 0 ? at <= to : at >= to; at += step) {
            guint member = (guint)at;
            if (at < 0 || at >= (gint64)of->len || members->len > of->len)
                return FALSE;
            g_array_append_val(members, member);
        }
    }
    return TRUE;
}

static gboolean is_listed(const GArray *members, guint member)
{
    for (guint i = 0; i < members->len; i++)
        if (g_array_index(members, guint, i) == member)
            return TRUE;
    return FALSE;
}

static void choose_members(HieraWorld *world, guint32 rank, GArray *chosen, gboolean excluded)
{
    const GArray *of = hiera_world_group(world, hiera_mpi_group(world, rank, HIERA_P_GROUP))->ranks;
    g_autoptr(GArray) members = g_array_new(FALSE, FALSE, sizeof(guint));
    if (!list_members(world, rank, of, members)) {
        hiera_world_note(world, HIERA_NOTE_ASSUMED, "%s: its members are not known; all are taken",
                         world->calls[rank].name);
        g_array_append_vals(chosen, of->data, of->len);
        return;
    }
    for (guint i = 0; !excluded && i < members->len; i++)
        g_array_append_val(chosen, g_array_index(of, guint32, g_array_index(members, guint, i)));
    for (guint i = 0; excluded && i < of->len; i++)
        if (!is_listed(members, i))
            g_array_append_val(chosen, g_array_index(of, guint32, i));
}

/* Find the ranks of the union, intersection or difference of two groups. @param how  end of the function's name */
static void combine_groups(HieraWorld *world, guint32 rank, GArray *chosen, const char *how)
{
    const HieraGroupOfRanks *a = hiera_world_group(world, hiera_mpi_group(world, rank, HIERA_P_GROUP1)),
                            *b = hiera_world_group(world, hiera_mpi_group(world, rank, HIERA_P_GROUP2));
    for (guint i = 0; i < a->ranks->len; i++) {
        guint32 one = g_array_index(a->ranks, guint32, i);
        gboolean in_both = hiera_group_member(b, one) != HIERA_NO_VERTEX;
        if (strcmp(how, "union") == 0 || in_both == (strcmp(how, "intersection") == 0))
            g_array_append_val(chosen, one);
    }
    for (guint i = 0; strcmp(how, "union") == 0 && i < b->ranks->len; i++) {
        guint32 one = g_array_index(b->ranks, guint32, i);
        if (hiera_group_member(a, one) == HIERA_NO_VERTEX)
            g_array_append_val(chosen, one);
    }
}

void hiera_mpi_make_group(HieraWorld *world, guint32 rank)
{
    const HieraCurrentCall *call = &world->calls[rank];
    const char *name = call->function->name;
    g_autoptr(GArray) chosen = g_array_new(FALSE, FALSE, sizeof(guint32));
    HieraMpiName to = hiera_mpi_has(call, HIERA_P_NEWGROUP) ? HIERA_P_NEWGROUP : HIERA_P_GROUP;
    if (strcmp(name, "group_from_session_pset") == 0) {
        g_autofree char *set = hiera_mpi_text(world, rank, HIERA_P_PSET_NAME);
        if (set && g_ascii_strcasecmp(set, "mpi://SELF") == 0)
            g_array_append_val(chosen, rank);
        else
            g_array_append_vals(chosen, hiera_world_group(world, HIERA_WORLD)->ranks->data, world->n);
    } else if (hiera_mpi_has(call, HIERA_P_GROUP1)) {
        combine_groups(world, rank, chosen, name + strlen("group_"));
    } else if (hiera_mpi_has(call, HIERA_P_N)) {
        choose_members(world, rank, chosen, g_str_has_suffix(name, "excl"));
    } else {
        const HieraGroupOfRanks *of = hiera_world_group(world, call->group);
        if (strcmp(name, "comm_remote_group") == 0 && of->is_inter)
            of = hiera_world_group(world, of->remote);
        g_array_append_vals(chosen, of->ranks->data, of->ranks->len);
    }
    if (world->groups->len < MOST_GROUPS)
        hiera_mpi_write(world, rank, to, TRUE,
                        hiera_mpi_group_handle(find_group(world, (const guint32 *)chosen->data, chosen->len)));
}
