#include "handle_names.h"
#include "execution/mpi/handlers.h"
#include <string.h>

typedef struct {
    GHashTable *found; /* class and handle, as text → char *: name of the handle in the rank's trace */
    GHashTable *counts; /* class of handles → number of names; "of " and communicator → number of constructor calls */
    GHashTable *declared;  /* set of the names that were declared in the rank's trace */
    GPtrArray *to_declare; /* char *: elements that declare names, to be written before the next call */
    guint turn; /* the current constructor call is the turn-th on its communicator; 0: members give the name */
} NamesOfRank;

struct HieraHandleNames {
    guint32 n;
    NamesOfRank *ranks;
    GHashTable *groups; /* 1 + number of a group of ranks → name of its communicator */
    GHashTable *made;   /* hash of members → number of communicators so far that were named by this hash */
};

HieraHandleNames *hiera_handle_names_new(guint32 n_processes)
{
    HieraHandleNames *names = g_new0(HieraHandleNames, 1);
    names->n = n_processes;
    names->ranks = g_new0(NamesOfRank, n_processes);
    names->groups = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    names->made = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    for (guint32 i = 0; i < n_processes; i++)
        names->ranks[i] = (NamesOfRank){.found = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free),
                                        .counts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
                                        .declared = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
                                        .to_declare = g_ptr_array_new_with_free_func(g_free)};
    return names;
}

void hiera_handle_names_free(HieraHandleNames *names)
{
    for (guint32 i = 0; i < names->n; i++) {
        g_hash_table_unref(names->ranks[i].found);
        g_hash_table_unref(names->ranks[i].counts);
        g_hash_table_unref(names->ranks[i].declared);
        g_ptr_array_unref(names->ranks[i].to_declare);
    }
    g_free(names->ranks);
    g_hash_table_unref(names->groups);
    g_hash_table_unref(names->made);
    g_free(names);
}

static guint count(NamesOfRank *rank, const char *what)
{
    guint n = GPOINTER_TO_UINT(g_hash_table_lookup(rank->counts, what)) + 1;
    g_hash_table_insert(rank->counts, g_strdup(what), GUINT_TO_POINTER(n));
    return n;
}

/* --- declarations of names --- */

static gboolean is_new(NamesOfRank *rank, const char *name)
{
    return g_hash_table_add(rank->declared, g_strdup(name));
}

/* Format ranks like "0-3 5". */
static char *list_numbers(const GArray *ranks)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < ranks->len; i++) {
        guint32 first = g_array_index(ranks, guint32, i), last = first;
        while (i + 1 < ranks->len && g_array_index(ranks, guint32, i + 1) == last + 1)
            last = g_array_index(ranks, guint32, ++i);
        g_string_append_printf(text, first == last ? "%s%u" : "%s%u-%u", text->len > 0 ? " " : "", first, last);
    }
    return g_string_free(text, FALSE);
}

static void append_neighbours(GString *text, const HieraGroupOfRanks *group, guint32 rank, gboolean sends)
{
    guint member = hiera_group_member(group, rank);
    if (member == HIERA_NO_VERTEX || (group->n_dimensions == 0 && !group->neighbours))
        return;
    g_autoptr(GArray) members = hiera_mpi_neighbours(group, member, sends);
    const char *separator = "";
    g_string_append_printf(text, " neighbors_%s=\"", sends ? "out" : "in");
    for (guint i = 0; i < members->len; i++) {
        if (g_array_index(members, gint32, i) < 0)
            continue;
        g_string_append_printf(text, "%s%d", separator, g_array_index(members, gint32, i));
        separator = " ";
    }
    g_string_append_c(text, '"');
}

static void declare_communicator(HieraHandleNames *names, HieraWorld *world, guint32 rank, const char *name,
                                 guint number)
{
    NamesOfRank *of = &names->ranks[rank];
    const HieraGroupOfRanks *group = hiera_world_group(world, number);
    if (!is_new(of, name))
        return;
    GString *text = g_string_new(NULL);
    g_autofree char *ranks = list_numbers(group->ranks);
    g_string_append_printf(text, "<hieraComm id=\"%s\" ranks=\"%s\"", name, ranks);
    if (group->is_inter) {
        g_autofree char *remote = list_numbers(hiera_world_group(world, group->remote)->ranks);
        g_string_append_printf(text, " remote=\"%s\"", remote);
    }
    append_neighbours(text, group, rank, FALSE);
    append_neighbours(text, group, rank, TRUE);
    g_string_append(text, "/>");
    g_ptr_array_add(of->to_declare, g_string_free(text, FALSE));
}

static void declare_type(HieraHandleNames *names, HieraWorld *world, guint32 rank, const char *name, guint64 handle)
{
    const HieraMpiType *type = hiera_mpi_type(world, rank, handle);
    if (type && is_new(&names->ranks[rank], name))
        g_ptr_array_add(names->ranks[rank].to_declare, g_strdup_printf("<hieraType id=\"%s\" size=\"%" G_GINT64_FORMAT
                                                                       "\" extent=\"%" G_GINT64_FORMAT "\"/>",
                                                                       name, type->size, type->extent));
}

static void declare_group(HieraHandleNames *names, HieraWorld *world, guint32 rank, const char *name, guint number)
{
    g_autofree char *ranks = list_numbers(hiera_world_group(world, number)->ranks);
    if (is_new(&names->ranks[rank], name))
        g_ptr_array_add(names->ranks[rank].to_declare,
                        g_strdup_printf("<hieraGroup id=\"%s\" ranks=\"%s\"/>", name, ranks));
}

GPtrArray *hiera_handle_names_take_declarations(HieraHandleNames *names, guint32 rank)
{
    GPtrArray *all = names->ranks[rank].to_declare;
    names->ranks[rank].to_declare = g_ptr_array_new_with_free_func(g_free);
    return all;
}

/* --- names of communicators --- */

/* Return the part of a communicator's name that says how it was made: "3.2" of P0_comm3.2; "" of MPI_COMM_WORLD. */
static const char *path_of(const char *name)
{
    const char *path = strstr(name, "_comm");
    if (strcmp(name, "MPI_COMM_SELF") == 0)
        return "0";
    return path ? path + strlen("_comm") : "";
}

/* Whether only some members of a communicator make the call, or processes of several communicators do. */
static gboolean is_made_by_members(const HieraCurrentCall *call)
{
    return strcmp(call->function->kind, "group") == 0 || strcmp(call->function->group, "spawn") == 0;
}

void hiera_handle_names_count_constructor(HieraHandleNames *names, HieraWorld *world, guint32 rank)
{
    const HieraCurrentCall *call = &world->calls[rank];
    const char *parent = hiera_handle_names_find_group(names, world, rank, call->group);
    g_autofree char *key = g_strconcat("of ", parent, NULL);
    names->ranks[rank].turn = is_made_by_members(call) ? 0 : count(&names->ranks[rank], key);
}

static guint32 first_member(const HieraWorld *world, const HieraGroupOfRanks *group)
{
    guint32 first = g_array_index(group->ranks, guint32, 0);
    return group->is_inter ? MIN(first, g_array_index(hiera_world_group(world, group->remote)->ranks, guint32, 0))
                           : first;
}

#define HASH_BEGIN G_GUINT64_CONSTANT(0xcbf29ce484222325)
enum { LONGEST_PATH = 32 };

/* Continue an FNV-1a hash with n bytes, as collectors do (collector/mpi/handle/comm_names.c). */
static guint64 hash_bytes(guint64 hash, const void *bytes, gsize n)
{
    for (const guint8 *at = bytes; n-- > 0; at++)
        hash = (hash ^ *at) * G_GUINT64_CONSTANT(0x100000001b3);
    return hash;
}

static guint64 hash_text(guint64 hash, const char *text)
{
    return hash_bytes(hash, text, strlen(text) + 1);
}

/* Make a name from the members (those of the lower side of an intercommunicator first) and the number of their earlier
 * communicators. The first member to make it defines it for all.
 *
 * @param path  path of the communicator on which it is made */
static char *name_by_members(HieraHandleNames *names, HieraWorld *world, guint32 rank, const HieraGroupOfRanks *group,
                             const char *path)
{
    gint32 tag = (gint32)hiera_mpi_integer(world, rank, HIERA_P_TAG).bits;
    g_autofree char *ranks = list_numbers(group->ranks);
    g_autofree char *others =
        group->is_inter ? list_numbers(hiera_world_group(world, group->remote)->ranks) : g_strdup("");
    gboolean swap = group->is_inter && first_member(world, group) != g_array_index(group->ranks, guint32, 0);
    guint64 hash = hash_text(HASH_BEGIN, path);
    hash = hash_bytes(hash, &tag, sizeof tag);
    hash = hash_text(hash_text(hash, swap ? others : ranks), swap ? ranks : others) >> 16;
    guint n = GPOINTER_TO_UINT(g_hash_table_lookup(names->made, &hash)) + 1;
    g_hash_table_insert(names->made, g_memdup2(&hash, sizeof hash), GUINT_TO_POINTER(n));
    return g_strdup_printf("P%u_commg%012" G_GINT64_MODIFIER "x.%u", first_member(world, group), hash, n);
}

static char *name_communicator(HieraHandleNames *names, HieraWorld *world, guint32 rank, const HieraGroupOfRanks *group)
{
    const HieraCurrentCall *call = &world->calls[rank];
    const char *path = path_of(hiera_handle_names_find_group(names, world, rank, call->group));
    if (is_made_by_members(call))
        return name_by_members(names, world, rank, group, hiera_mpi_has(call, HIERA_P_COMM) ? path : "");
    g_autofree char *own = g_strdup_printf("%s%s%u", path, *path ? "." : "", names->ranks[rank].turn);
    return strlen(own) <= LONGEST_PATH
               ? g_strdup_printf("P%u_comm%s", first_member(world, group), own)
               : g_strdup_printf("P%u_commh%016" G_GINT64_MODIFIER "x", first_member(world, group),
                                 hash_text(HASH_BEGIN, own)); /* a long path is replaced by its hash */
}

const char *hiera_handle_names_find_group(HieraHandleNames *names, HieraWorld *world, guint32 rank, guint number)
{
    const HieraGroupOfRanks *group = hiera_world_group(world, number);
    gpointer key = GUINT_TO_POINTER(number + 1);
    /* Both sides of an intercommunicator have the same name: use that of the other side, if it has one. */
    gpointer other = group->is_inter ? GUINT_TO_POINTER(group->remote + 1) : key;
    const char *name = g_hash_table_lookup(names->groups, key);
    if (number == HIERA_WORLD || (number >= HIERA_SELF && number < HIERA_SELF + world->n)) {
        name = number == HIERA_WORLD ? "MPI_COMM_WORLD" : "MPI_COMM_SELF";
    } else if (!name) {
        name = g_hash_table_lookup(names->groups, other);
        char *made = name ? g_strdup(name) : name_communicator(names, world, rank, group);
        g_hash_table_insert(names->groups, key, made);
        name = made;
    }
    declare_communicator(names, world, rank, name, number);
    return name;
}

/* --- names of all handles --- */

const char *hiera_handle_names_find(HieraHandleNames *names, HieraWorld *world, guint32 rank,
                                    const HieraMpiParameter *parameter, guint64 handle, gboolean made)
{
    NamesOfRank *of = &names->ranks[rank];
    const char *class = parameter->class;
    const HieraKnown known = {TRUE, handle};
    gboolean is_comm = strcmp(class, "comm") == 0, is_group = strcmp(class, "group") == 0;
    if (is_comm && handle != hiera_mpi_no_communicator(world, rank))
        return hiera_handle_names_find_group(names, world, rank, hiera_mpi_group_of_handle(world, rank, known));
    g_autofree char *key = g_strdup_printf("%s %" G_GINT64_MODIFIER "x", class, handle);
    const char *found = made && !is_group ? NULL : g_hash_table_lookup(of->found, key);
    if (!found) {
        char *name = is_comm ? g_strdup("MPI_COMM_NULL") : hiera_mpi_predefined_name(world, rank, class, handle);
        if (!name && !made && !is_group)
            return NULL; /* no call of the program has made the handle */
        if (!name)
            name = g_strdup_printf("P%u_%s%u", rank, class, count(of, class));
        g_hash_table_insert(of->found, g_steal_pointer(&key), name);
        found = name;
    }
    if (strcmp(class, "dtype") == 0)
        declare_type(names, world, rank, found, handle);
    if (is_group && g_str_has_prefix(found, "P"))
        declare_group(names, world, rank, found, hiera_mpi_group_of_handle(world, rank, known));
    return found;
}
