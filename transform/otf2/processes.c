/* See processes.h. The rank of a process is the one that Hiera wrote; else the index of its location among those of
 * MPI; else the index of the process among all. */
#include "processes.h"
#include "base/parse_numbers.h"
#include "otf2_names.h"
#include <string.h>

#define NO_RANK      G_MAXUINT32
#define NODE_CLASS   "node" /* class of a system tree node that is a host: Score-P and Hiera use this name */
#define DEEPEST_TREE 64     /* greatest depth at which the system tree is searched for a host */
#define LARGEST_RANK G_MAXINT32

static gpointer key_of(guint64 number)
{
    return GSIZE_TO_POINTER(number);
}

static void process_free(gpointer data)
{
    HieraOtf2Process *process = data;
    g_array_unref(process->threads);
    g_array_unref(process->properties);
    g_free(process);
}

void hiera_otf2_processes_init(HieraOtf2Archive *archive)
{
    archive->processes = g_ptr_array_new_with_free_func(process_free);
    archive->rank_locations = g_array_new(FALSE, FALSE, sizeof(guint64));
    archive->by_group = g_hash_table_new(NULL, NULL);
    archive->nodes = g_hash_table_new_full(NULL, NULL, NULL, g_free);
}

void hiera_otf2_processes_clear(HieraOtf2Archive *archive)
{
    g_hash_table_unref(archive->nodes);
    g_hash_table_unref(archive->by_group);
    g_array_unref(archive->rank_locations);
    g_ptr_array_unref(archive->processes);
}

/* --- callbacks for definitions --- */

static OTF2_CallbackCode on_node(void *user, OTF2_SystemTreeNodeRef self, OTF2_StringRef name,
                                 OTF2_StringRef class_name, OTF2_SystemTreeNodeRef parent)
{
    HieraOtf2Archive *archive = user;
    HieraOtf2Node *node = g_new(HieraOtf2Node, 1);
    *node =
        (HieraOtf2Node){hiera_otf2_archive_text(archive, name), hiera_otf2_archive_text(archive, class_name), parent};
    g_hash_table_insert(archive->nodes, key_of(self), node);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_process(void *user, OTF2_LocationGroupRef self, OTF2_StringRef name,
                                    OTF2_LocationGroupType type, OTF2_SystemTreeNodeRef node,
                                    OTF2_LocationGroupRef creator)
{
    HieraOtf2Archive *archive = user;
    (void)name, (void)creator;
    if (type == OTF2_LOCATION_GROUP_TYPE_ACCELERATOR || g_hash_table_contains(archive->by_group, key_of(self)))
        return OTF2_CALLBACK_SUCCESS;
    HieraOtf2Process *process = g_new(HieraOtf2Process, 1);
    *process = (HieraOtf2Process){node, NO_RANK, "", g_array_new(FALSE, FALSE, sizeof(HieraOtf2Thread)),
                                  g_array_new(FALSE, FALSE, sizeof(HieraOtf2Property))};
    g_ptr_array_add(archive->processes, process);
    g_hash_table_insert(archive->by_group, key_of(self), process);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_thread(void *user, OTF2_LocationRef self, OTF2_StringRef name, OTF2_LocationType type,
                                   uint64_t n_events, OTF2_LocationGroupRef group)
{
    HieraOtf2Archive *archive = user;
    (void)name;
    HieraOtf2Process *process = g_hash_table_lookup(archive->by_group, key_of(group));
    const HieraOtf2Thread thread = {self, n_events, NULL};
    if (process && type != OTF2_LOCATION_TYPE_ACCELERATOR_STREAM && type != OTF2_LOCATION_TYPE_METRIC)
        g_array_append_val(process->threads, thread);
    return OTF2_CALLBACK_SUCCESS;
}

static gboolean read_property(HieraOtf2Archive *archive, OTF2_StringRef name, OTF2_Type type, OTF2_AttributeValue value,
                              HieraOtf2Property *property)
{
    const char *text = hiera_otf2_archive_text(archive, name);
    if (type != OTF2_TYPE_STRING || !g_str_has_prefix(text, HIERA_OTF2_PREFIX))
        return FALSE;
    *property =
        (HieraOtf2Property){text + strlen(HIERA_OTF2_PREFIX), hiera_otf2_archive_text(archive, value.stringRef)};
    return TRUE;
}

static OTF2_CallbackCode on_process_property(void *user, OTF2_LocationGroupRef group, OTF2_StringRef name,
                                             OTF2_Type type, OTF2_AttributeValue value)
{
    HieraOtf2Archive *archive = user;
    HieraOtf2Process *process = g_hash_table_lookup(archive->by_group, key_of(group));
    HieraOtf2Property property;
    if (process && read_property(archive, name, type, value, &property))
        g_array_append_val(process->properties, property);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_thread_property(void *user, OTF2_LocationRef location, OTF2_StringRef name, OTF2_Type type,
                                            OTF2_AttributeValue value)
{
    HieraOtf2Archive *archive = user;
    HieraOtf2Property property;
    if (archive->processes->len == 0 || !read_property(archive, name, type, value, &property))
        return OTF2_CALLBACK_SUCCESS;
    for (guint i = archive->processes->len; i-- > 0;) {
        const GArray *threads = ((HieraOtf2Process *)g_ptr_array_index(archive->processes, i))->threads;
        for (guint k = threads->len; k-- > 0;) {
            HieraOtf2Thread *thread = &g_array_index(threads, HieraOtf2Thread, k);
            if (thread->location != location)
                continue;
            thread->id = property.text;
            return OTF2_CALLBACK_SUCCESS;
        }
    }
    return OTF2_CALLBACK_SUCCESS;
}

void hiera_otf2_processes_register(OTF2_GlobalDefReaderCallbacks *callbacks)
{
    OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodeCallback(callbacks, on_node);
    OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(callbacks, on_process);
    OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, on_thread);
    OTF2_GlobalDefReaderCallbacks_SetLocationGroupPropertyCallback(callbacks, on_process_property);
    OTF2_GlobalDefReaderCallbacks_SetLocationPropertyCallback(callbacks, on_thread_property);
}

void hiera_otf2_processes_set_ranks(HieraOtf2Archive *archive, const guint64 *locations, guint32 n)
{
    g_array_set_size(archive->rank_locations, 0);
    g_array_append_vals(archive->rank_locations, locations, n);
}

/* --- ranks of processes --- */

static const char *find_host(const HieraOtf2Archive *archive, OTF2_SystemTreeNodeRef number)
{
    for (guint depth = 0; depth < DEEPEST_TREE; depth++) {
        const HieraOtf2Node *node = g_hash_table_lookup(archive->nodes, key_of(number));
        if (!node)
            return "";
        if (strcmp(node->class_name, NODE_CLASS) == 0)
            return node->name;
        number = node->parent;
    }
    return "";
}

/* Set the rank of a process from its property "rank", which only Hiera writes ("P3"). */
static void take_rank(HieraOtf2Process *process)
{
    for (guint i = 0; i < process->properties->len; i++) {
        const HieraOtf2Property *property = &g_array_index(process->properties, HieraOtf2Property, i);
        gint64 rank;
        if (strcmp(property->name, "rank") == 0 &&
            hiera_number_parse_processor(property->text, strlen(property->text), &rank))
            process->rank = (guint32)rank;
    }
}

/* Set the ranks of processes that have a location of rank_locations; its thread becomes the process's first. */
static void set_ranks_by_location(HieraOtf2Archive *archive)
{
    g_autoptr(GHashTable) ranks = g_hash_table_new(NULL, NULL); /* location of a main thread → rank + 1 */
    for (guint i = 0; i < archive->rank_locations->len && i < LARGEST_RANK; i++)
        g_hash_table_insert(ranks, key_of(g_array_index(archive->rank_locations, guint64, i)), GUINT_TO_POINTER(i + 1));
    for (guint i = 0; i < archive->processes->len; i++) {
        HieraOtf2Process *process = g_ptr_array_index(archive->processes, i);
        for (guint k = 0; k < process->threads->len && process->rank == NO_RANK; k++) {
            HieraOtf2Thread *threads = &g_array_index(process->threads, HieraOtf2Thread, 0), main = threads[k];
            guint rank = GPOINTER_TO_UINT(g_hash_table_lookup(ranks, key_of(main.location)));
            if (rank == 0)
                continue;
            process->rank = rank - 1;
            memmove(threads + 1, threads, k * sizeof *threads);
            threads[0] = main;
        }
    }
}

static gint compare_ranks(gconstpointer a, gconstpointer b)
{
    const HieraOtf2Process *left = *(HieraOtf2Process *const *)a, *right = *(HieraOtf2Process *const *)b;
    return left->rank < right->rank ? -1 : left->rank > right->rank;
}

gboolean hiera_otf2_processes_sort(HieraOtf2Archive *archive)
{
    GPtrArray *processes = archive->processes;
    gboolean any = FALSE;
    for (guint i = processes->len; i-- > 0;) {
        HieraOtf2Process *process = g_ptr_array_index(processes, i);
        process->host = find_host(archive, process->node);
        take_rank(process);
        if (process->threads->len == 0)
            g_ptr_array_remove_index(processes, i);
    }
    set_ranks_by_location(archive);
    for (guint i = 0; i < processes->len; i++)
        any |= ((HieraOtf2Process *)g_ptr_array_index(processes, i))->rank != NO_RANK;
    for (guint i = 0; i < processes->len; i++) {
        HieraOtf2Process *process = g_ptr_array_index(processes, i);
        process->rank = any ? process->rank : i;
    }
    g_ptr_array_sort(processes, compare_ranks);
    /* If some processes have a rank, those without one do not use MPI: drop them. They are sorted last. */
    while (processes->len > 0 &&
           ((HieraOtf2Process *)g_ptr_array_index(processes, processes->len - 1))->rank == NO_RANK)
        g_ptr_array_remove_index(processes, processes->len - 1);
    archive->n_ranks = MAX(archive->rank_locations->len, processes->len);
    for (guint i = 1; i < processes->len; i++) {
        if (compare_ranks(&processes->pdata[i - 1], &processes->pdata[i]) == 0)
            return FALSE;
    }
    return processes->len > 0;
}
