/* See comms.h. Names of communicators need not be unique in an archive, and may be empty: then the number of the
 * communicator makes an id. */
#include "comms.h"
#include "base/ranks.h"
#include "base/vocabulary.h"
#include <string.h>

#define KEY(ref) GSIZE_TO_POINTER((gsize)(ref) + 1)
#define REF(key) ((OTF2_CommRef)(GPOINTER_TO_SIZE(key) - 1))

static const HieraOtf2Group *find_group(const HieraOtf2Archive *archive, OTF2_GroupRef group)
{
    return hiera_otf2_archive_find(archive->groups, group);
}

static gboolean is_unique(const HieraOtf2Archive *archive, const char *name)
{
    GHashTableIter iterator;
    gpointer comm;
    guint n = 0;
    g_hash_table_iter_init(&iterator, archive->comms);
    while (n < 2 && g_hash_table_iter_next(&iterator, NULL, &comm))
        n += strcmp(((const HieraOtf2Comm *)comm)->name, name) == 0;
    return n == 1;
}

static char *name_comm(const HieraOtf2Archive *archive, OTF2_CommRef ref)
{
    const HieraOtf2Comm *comm = hiera_otf2_archive_find(archive->comms, ref);
    const HieraOtf2Group *group = comm ? find_group(archive, comm->group) : NULL;
    if (group && group->type == OTF2_GROUP_TYPE_COMM_SELF)
        return g_strdup(HIERA_COMM_SELF);
    if (comm && *comm->name && is_unique(archive, comm->name))
        return g_strdup(comm->name);
    return g_strdup_printf("%s.%u", comm && *comm->name ? comm->name : "comm", ref);
}

const char *hiera_otf2_comm_id(HieraOtf2Rank *rank, const HieraOtf2Archive *archive, OTF2_CommRef comm)
{
    const char *id = g_hash_table_lookup(rank->comms, KEY(comm));
    if (!id) {
        g_autofree char *name = name_comm(archive, comm);
        id = hiera_otf2_elements_copy(&rank->elements, name);
        g_hash_table_insert(rank->comms, KEY(comm), (gpointer)id);
    }
    return id;
}

const char *hiera_otf2_window_id(HieraOtf2Rank *rank, const HieraOtf2Archive *archive, OTF2_RmaWinRef window)
{
    guint comm = GPOINTER_TO_UINT(hiera_otf2_archive_find(archive->windows, window));
    return hiera_otf2_comm_id(rank, archive, comm ? comm - 1 : OTF2_UNDEFINED_COMM);
}

guint64 hiera_otf2_comm_size(const HieraOtf2Archive *archive, OTF2_CommRef ref)
{
    const HieraOtf2Comm *comm = hiera_otf2_archive_find(archive->comms, ref);
    const HieraOtf2Group *group = comm ? find_group(archive, comm->group) : NULL;
    return group && group->type == OTF2_GROUP_TYPE_COMM_GROUP ? group->n : 1;
}

/* Return the members of a group as a list of ranks, like "0-6 9". */
static char *list_members(const HieraOtf2Group *group)
{
    GString *list = g_string_new("");
    for (guint32 first = 0, next; first < group->n; first = next) {
        for (next = first + 1; next < group->n && group->members[next] == group->members[next - 1] + 1;)
            next++;
        if (list->len > 0)
            g_string_append_c(list, ' ');
        hiera_ranks_append_range(list, (gint64)group->members[first], (gint64)group->members[next - 1]);
    }
    return g_string_free(list, FALSE);
}

static gboolean has_member(const HieraOtf2Group *group, guint32 rank)
{
    for (guint32 i = 0; i < group->n; i++) {
        if (group->members[i] == rank)
            return TRUE;
    }
    return FALSE;
}

static void write_comm(const HieraOtf2Archive *archive, OTF2_CommRef ref, const char *id, guint32 rank, GString *out)
{
    const HieraOtf2Comm *comm = hiera_otf2_archive_find(archive->comms, ref);
    const HieraOtf2Group *group = comm ? find_group(archive, comm->group) : NULL;
    const HieraOtf2Group *remote = comm ? find_group(archive, comm->remote) : NULL;
    if (!group || group->type == OTF2_GROUP_TYPE_COMM_SELF || group->n == 0)
        return; /* MPI_COMM_SELF, and communicators of unknown members, are not declared */
    if (remote && !has_member(group, rank)) {
        const HieraOtf2Group *local = remote;
        remote = group;
        group = local;
    }
    g_autofree char *ranks = list_members(group), *others = remote ? list_members(remote) : NULL;
    g_string_append_printf(out, "\n<%s", hiera_element_name(HIERA_ELEMENT_COMM));
    hiera_otf2_attribute_write(out, hiera_attribute_name(HIERA_ATTRIBUTE_ID), id);
    hiera_otf2_attribute_write(out, hiera_attribute_name(HIERA_ATTRIBUTE_RANKS), ranks);
    if (others)
        hiera_otf2_attribute_write(out, hiera_attribute_name(HIERA_ATTRIBUTE_REMOTE), others);
    g_string_append(out, "/>");
}

static gint compare_keys(gconstpointer a, gconstpointer b)
{
    return GPOINTER_TO_SIZE(a) < GPOINTER_TO_SIZE(b) ? -1 : 1;
}

void hiera_otf2_comms_write(const HieraOtf2Rank *rank, const HieraOtf2Archive *archive, guint32 world_rank,
                            GString *out)
{
    g_autoptr(GList) keys = g_list_sort(g_hash_table_get_keys(rank->comms), compare_keys);
    for (const GList *key = keys; key; key = key->next)
        write_comm(archive, REF(key->data), g_hash_table_lookup(rank->comms, key->data), world_rank, out);
}
