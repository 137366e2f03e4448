/* See archive.h. Definitions refer to others by number: to strings defined earlier, to processes and groups in any
 * order. */
#include "archive.h"
#include "hiera_trace.h"
#include "otf2_error.h"
#include "otf2_names.h"
#include "processes.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static gpointer key_of(guint64 number)
{
    return GSIZE_TO_POINTER(number);
}

static void group_free(gpointer data)
{
    HieraOtf2Group *group = data;
    g_free(group->members);
    g_free(group);
}

/* --- callbacks for definitions --- */

static OTF2_CallbackCode on_clock(void *user, uint64_t resolution, uint64_t offset, uint64_t length, uint64_t realtime)
{
    HieraOtf2Archive *archive = user;
    (void)length, (void)realtime;
    archive->resolution = resolution;
    archive->offset = offset;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_string(void *user, OTF2_StringRef self, const char *text)
{
    HieraOtf2Archive *archive = user;
    /* Keep the first definition of a string, as pointers to it exist. Invalid UTF-8 would make the XML ill-formed. */
    if (!g_hash_table_contains(archive->strings, key_of(self)))
        g_hash_table_insert(archive->strings, key_of(self), g_utf8_make_valid(text, -1));
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_attribute(void *user, OTF2_AttributeRef self, OTF2_StringRef name,
                                      OTF2_StringRef description, OTF2_Type type)
{
    HieraOtf2Archive *archive = user;
    (void)description, (void)type;
    const char *text = hiera_otf2_archive_text(archive, name);
    if (g_str_has_prefix(text, HIERA_OTF2_PREFIX))
        g_hash_table_insert(archive->attributes, key_of(self), (gpointer)(text + strlen(HIERA_OTF2_PREFIX)));
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_parameter(void *user, OTF2_ParameterRef self, OTF2_StringRef name, OTF2_ParameterType type)
{
    HieraOtf2Archive *archive = user;
    (void)type;
    if (strcmp(hiera_otf2_archive_text(archive, name), HIERA_OTF2_NOTE) == 0)
        g_hash_table_add(archive->parameters, key_of(self));
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_region(void *user, OTF2_RegionRef self, OTF2_StringRef name, OTF2_StringRef canonical_name,
                                   OTF2_StringRef description, OTF2_RegionRole role, OTF2_Paradigm paradigm,
                                   OTF2_RegionFlag flags, OTF2_StringRef file, uint32_t line, uint32_t end)
{
    HieraOtf2Archive *archive = user;
    (void)description, (void)flags, (void)end;
    HieraOtf2Region *region = g_new(HieraOtf2Region, 1);
    *region = (HieraOtf2Region){hiera_otf2_archive_text(archive, name),
                                hiera_otf2_archive_text(archive, canonical_name),
                                hiera_otf2_archive_text(archive, file),
                                paradigm,
                                role,
                                line <= G_MAXINT32 ? line : 0};
    g_hash_table_insert(archive->regions, key_of(self), region);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_group(void *user, OTF2_GroupRef self, OTF2_StringRef name, OTF2_GroupType type,
                                  OTF2_Paradigm paradigm, OTF2_GroupFlag flags, uint32_t n, const uint64_t *members)
{
    HieraOtf2Archive *archive = user;
    (void)name, (void)flags;
    HieraOtf2Group *group = g_new(HieraOtf2Group, 1);
    *group = (HieraOtf2Group){type, n, g_memdup2(members, n * sizeof *members)};
    if (type == OTF2_GROUP_TYPE_COMM_LOCATIONS) {
        /* EZTrace refers to it by the number of another group. Other paradigms have such groups of their threads or
         * devices. */
        if (paradigm == OTF2_PARADIGM_MPI)
            hiera_otf2_processes_set_ranks(archive, group->members, n);
        group_free(group);
    } else if (type == OTF2_GROUP_TYPE_COMM_GROUP || type == OTF2_GROUP_TYPE_COMM_SELF)
        g_hash_table_insert(archive->groups, key_of(self), group);
    else
        group_free(group);
    return OTF2_CALLBACK_SUCCESS;
}

static void add_comm(HieraOtf2Archive *archive, OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef group,
                     OTF2_GroupRef remote)
{
    HieraOtf2Comm *comm = g_new(HieraOtf2Comm, 1);
    *comm = (HieraOtf2Comm){hiera_otf2_archive_text(archive, name), group, remote};
    g_hash_table_insert(archive->comms, key_of(self), comm);
}

static OTF2_CallbackCode on_comm(void *user, OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef group,
                                 OTF2_CommRef parent, OTF2_CommFlag flags)
{
    (void)parent, (void)flags;
    add_comm(user, self, name, group, OTF2_UNDEFINED_GROUP);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_inter_comm(void *user, OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef group,
                                       OTF2_GroupRef remote, OTF2_CommRef common, OTF2_CommFlag flags)
{
    (void)common, (void)flags;
    add_comm(user, self, name, group, remote);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_window(void *user, OTF2_RmaWinRef self, OTF2_StringRef name, OTF2_CommRef comm,
                                   OTF2_RmaWinFlag flags)
{
    HieraOtf2Archive *archive = user;
    (void)name, (void)flags;
    g_hash_table_insert(archive->windows, key_of(self), GUINT_TO_POINTER(comm + 1));
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_metric(void *user, OTF2_MetricMemberRef self, OTF2_StringRef name,
                                   OTF2_StringRef description, OTF2_MetricType type, OTF2_MetricMode mode,
                                   OTF2_Type value_type, OTF2_Base base, int64_t exponent, OTF2_StringRef unit)
{
    HieraOtf2Archive *archive = user;
    (void)self, (void)description, (void)type, (void)mode, (void)value_type, (void)base, (void)exponent, (void)unit;
    g_ptr_array_add(archive->metrics, (gpointer)hiera_otf2_archive_text(archive, name));
    return OTF2_CALLBACK_SUCCESS;
}

/* --- reading an archive --- */

static OTF2_GlobalDefReaderCallbacks *make_callbacks(void)
{
    OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();
    OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(callbacks, on_clock);
    OTF2_GlobalDefReaderCallbacks_SetStringCallback(callbacks, on_string);
    OTF2_GlobalDefReaderCallbacks_SetAttributeCallback(callbacks, on_attribute);
    OTF2_GlobalDefReaderCallbacks_SetParameterCallback(callbacks, on_parameter);
    OTF2_GlobalDefReaderCallbacks_SetRegionCallback(callbacks, on_region);
    OTF2_GlobalDefReaderCallbacks_SetGroupCallback(callbacks, on_group);
    OTF2_GlobalDefReaderCallbacks_SetCommCallback(callbacks, on_comm);
    OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(callbacks, on_inter_comm);
    OTF2_GlobalDefReaderCallbacks_SetRmaWinCallback(callbacks, on_window);
    OTF2_GlobalDefReaderCallbacks_SetMetricMemberCallback(callbacks, on_metric);
    hiera_otf2_processes_register(callbacks);
    return callbacks;
}

static HieraOtf2Archive *archive_new(const char *path)
{
    HieraOtf2Archive *archive = g_new0(HieraOtf2Archive, 1);
    archive->reference_count = 1;
    archive->path = g_strdup(path);
    hiera_otf2_processes_init(archive);
    archive->strings = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    archive->attributes = g_hash_table_new(NULL, NULL);
    archive->parameters = g_hash_table_new(NULL, NULL);
    archive->regions = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    archive->comms = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    archive->groups = g_hash_table_new_full(NULL, NULL, NULL, group_free);
    archive->windows = g_hash_table_new(NULL, NULL);
    archive->metrics = g_ptr_array_new();
    return archive;
}

void hiera_otf2_archive_unref(HieraOtf2Archive *archive)
{
    if (!archive || !g_atomic_int_dec_and_test(&archive->reference_count))
        return;
    hiera_otf2_processes_clear(archive);
    g_ptr_array_unref(archive->metrics);
    g_hash_table_unref(archive->windows);
    g_hash_table_unref(archive->groups);
    g_hash_table_unref(archive->comms);
    g_hash_table_unref(archive->regions);
    g_hash_table_unref(archive->parameters);
    g_hash_table_unref(archive->attributes);
    g_hash_table_unref(archive->strings);
    g_free(archive->path);
    g_free(archive);
}

static gboolean read_definitions(HieraOtf2Archive *archive)
{
    hiera_otf2_error_clear();
    OTF2_Reader *reader = OTF2_Reader_Open(archive->path);
    if (!reader)
        return FALSE;
    OTF2_Reader_SetSerialCollectiveCallbacks(reader);
    OTF2_Reader_GetTraceId(reader, &archive->id);
    OTF2_GlobalDefReader *definitions = OTF2_Reader_GetGlobalDefReader(reader);
    uint64_t n;
    if (definitions) {
        OTF2_GlobalDefReaderCallbacks *callbacks = make_callbacks();
        OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks, archive);
        OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
        OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &n);
        OTF2_Reader_CloseGlobalDefReader(reader, definitions);
    }
    gboolean good = definitions && !hiera_otf2_error_peek();
    OTF2_Reader_Close(reader);
    return good;
}

static HieraOtf2Archive *read_archive(const char *path, GError **error)
{
    g_autoptr(HieraOtf2Archive) archive = archive_new(path);
    const char *problem = NULL;
    if (!read_definitions(archive))
        problem = hiera_otf2_error_peek() ? hiera_otf2_error_peek() : "libotf2 does not say why";
    else if (archive->resolution == 0)
        problem = "it has no clock";
    if (!problem && !hiera_otf2_processes_sort(archive))
        problem = "it has no process, or two of one rank";
    if (!problem)
        return g_steal_pointer(&archive);
    g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_READ,
                "the definitions of this OTF2 archive cannot be read: %s; are all of its files beside it?", problem);
    return NULL;
}

static gboolean is_unchanged(const HieraOtf2Archive *archive, const char *path, const struct stat *status)
{
    return archive && strcmp(archive->path, path) == 0 && archive->size == (guint64)status->st_size &&
           archive->mtime == (guint64)status->st_mtim.tv_sec * 1000000000 + (guint64)status->st_mtim.tv_nsec;
}

HieraOtf2Archive *hiera_otf2_archive_open(const char *path, GError **error)
{
    static GMutex lock;
    static HieraOtf2Archive *last; /* cache: the archive is opened for each rank, but its definitions are read once */
    struct stat status;
    if (stat(path, &status) != 0) {
        g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_READ, "cannot be opened: %s", g_strerror(errno));
        return NULL;
    }
    g_mutex_lock(&lock);
    if (!is_unchanged(last, path, &status)) {
        g_clear_pointer(&last, hiera_otf2_archive_unref);
        last = read_archive(path, error);
        if (last) {
            last->size = (guint64)status.st_size;
            last->mtime = (guint64)status.st_mtim.tv_sec * 1000000000 + (guint64)status.st_mtim.tv_nsec;
        }
    }
    HieraOtf2Archive *archive = last;
    if (archive)
        g_atomic_int_inc(&archive->reference_count);
    g_mutex_unlock(&lock);
    return archive;
}
