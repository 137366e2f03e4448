/* See rank_events.h. The threads of a rank are read one after the other, in the order in which a trace has them. */
#include "rank_events.h"
#include "base/vocabulary.h"
#include "constructs.h"
#include "mpi_records.h"
#include "otf2_error.h"
#include "otf2_names.h"
#include <string.h>

#define NONE G_MAXUINT32

/* --- OTF2 regions become operations --- */

/* Return the level of a region that is not MPI's, by its paradigm. */
static const char *level_of(OTF2_Paradigm paradigm)
{
    static const struct {
        OTF2_Paradigm paradigm;
        const char *level;
    } levels[] = {{OTF2_PARADIGM_COMPILER, HIERA_LEVEL_FUNCTION},
                  {OTF2_PARADIGM_OPENMP, "openmp"},
                  {OTF2_PARADIGM_PTHREAD, "pthread"},
                  {OTF2_PARADIGM_MEASUREMENT_SYSTEM, "measurement"},
                  {OTF2_PARADIGM_CUDA, "cuda"},
                  {OTF2_PARADIGM_HIP, "hip"},
                  {OTF2_PARADIGM_OPENACC, "openacc"},
                  {OTF2_PARADIGM_OPENCL, "opencl"},
                  {OTF2_PARADIGM_SHMEM, "shmem"},
                  {OTF2_PARADIGM_KOKKOS, "kokkos"}};
    for (guint i = 0; i < G_N_ELEMENTS(levels); i++) {
        if (levels[i].paradigm == paradigm)
            return levels[i].level;
    }
    return HIERA_LEVEL_DEFAULT;
}

/* Fill in an operation that another tool wrote. Of MPI functions, file and line of the definition are no call site. */
static void read_region(HieraOtf2Rank *rank, const HieraOtf2Region *region, HieraOtf2Element *element,
                        HieraOtf2Construct *construct)
{
    g_autofree char *operation = region ? hiera_otf2_operation(region->name) : NULL;
    g_autofree char *name = region ? hiera_otf2_construct_name(region, construct) : NULL;
    element->whole = FALSE;
    if (operation) {
        element->name = hiera_element_name(HIERA_ELEMENT_MPI);
        element->operation = hiera_otf2_elements_copy(&rank->elements, operation);
        element->file = "";
        return;
    }
    element->name = hiera_element_name(HIERA_ELEMENT_REGION);
    element->level = level_of(name ? OTF2_PARADIGM_OPENMP : region ? region->paradigm : OTF2_PARADIGM_UNKNOWN);
    element->operation = name ? hiera_otf2_elements_copy(&rank->elements, name) : region ? region->name : "?";
    element->file = region ? region->file : "";
    element->line = region && *element->file ? region->line : 0;
}

/* Fill in an operation that Hiera wrote, except its attributes. */
static void read_own_region(const HieraOtf2Region *region, const char *level, HieraOtf2Element *element)
{
    gboolean mpi = strcmp(level, HIERA_LEVEL_MPI) == 0, method = strcmp(level, HIERA_LEVEL_OOPS) == 0;
    element->whole = TRUE;
    element->name = hiera_element_name(mpi ? HIERA_ELEMENT_MPI : method ? HIERA_ELEMENT_OOPS : HIERA_ELEMENT_REGION);
    element->level = mpi || method ? NULL : level;
    element->operation = region ? region->canonical_name : "?";
    element->file = region ? region->file : "";
    element->line = region ? region->line : 0;
}

/* --- attributes that Hiera wrote --- */

typedef struct {
    const char *name, *text; /* `text` is the value; NULL: the value is a number */
    gint64 number;
} Value;

/* Read one attribute of a record. @return FALSE: it is none that Hiera has written */
static gboolean read_value(const HieraOtf2Archive *archive, const OTF2_AttributeList *attributes, uint32_t index,
                           Value *value)
{
    OTF2_AttributeRef attribute;
    OTF2_Type type;
    OTF2_AttributeValue found;
    if (OTF2_AttributeList_GetAttributeByIndex(attributes, index, &attribute, &type, &found) != OTF2_SUCCESS)
        return FALSE;
    const char *name = hiera_otf2_archive_find(archive->attributes, attribute);
    if (!name || (type != OTF2_TYPE_STRING && type != OTF2_TYPE_INT64))
        return FALSE;
    *value = (Value){name, type == OTF2_TYPE_STRING ? hiera_otf2_archive_text(archive, found.stringRef) : NULL,
                     type == OTF2_TYPE_STRING ? 0 : found.int64};
    return TRUE;
}

/* Return the level of an operation that Hiera wrote; NULL for other operations. */
static const char *find_level(const HieraOtf2Archive *archive, const OTF2_AttributeList *attributes)
{
    Value value;
    for (uint32_t i = 0; i < OTF2_AttributeList_GetNumberOfElements(attributes); i++) {
        if (read_value(archive, attributes, i, &value) && value.text &&
            strcmp(value.name, hiera_attribute_name(HIERA_ATTRIBUTE_LEVEL)) == 0)
            return value.text;
    }
    return NULL;
}

/* Add an attribute to an element, unless it is the level (already set), or a mark such as HIERA_OTF2_START. */
static void add_value(HieraOtf2Rank *rank, guint32 index, const Value *value)
{
    HieraOtf2Element *element = hiera_otf2_elements_peek(&rank->elements, index);
    if (strcmp(value->name, HIERA_OTF2_START) == 0)
        element->start_ns = value->number;
    else if (strcmp(value->name, HIERA_OTF2_OPEN) == 0)
        element->open = TRUE;
    else if (strchr(value->name, '@') || (element->operation && strcmp(value->name, "level") == 0))
        return;
    else if (value->text)
        hiera_otf2_elements_add_text(&rank->elements, index, value->name, value->text);
    else
        hiera_otf2_elements_add_number(&rank->elements, index, value->name, value->number);
}

static void add_values(HieraOtf2Calls *calls, const OTF2_AttributeList *attributes, guint32 index)
{
    Value value;
    for (uint32_t i = 0; i < OTF2_AttributeList_GetNumberOfElements(attributes); i++) {
        if (read_value(calls->archive, attributes, i, &value))
            add_value(calls->rank, index, &value);
    }
}

/* --- callbacks for Enter, Leave and notes --- */

static OTF2_CallbackCode on_enter(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *user,
                                  OTF2_AttributeList *attributes, OTF2_RegionRef number)
{
    HieraOtf2Calls *calls = user;
    (void)location, (void)position;
    const HieraOtf2Region *region = hiera_otf2_archive_find(calls->archive->regions, number);
    const char *level = find_level(calls->archive, attributes);
    HieraOtf2Element element = {0};
    HieraOtf2Construct construct = HIERA_OTF2_PLAIN;
    hiera_otf2_calls_see(calls, time);
    if (level)
        read_own_region(region, level, &element);
    else
        read_region(calls->rank, region, &element, &construct);
    if (hiera_otf2_construct_enter(calls, construct, &element))
        return OTF2_CALLBACK_SUCCESS;
    guint32 index = hiera_otf2_calls_begin(calls, number, &element);
    hiera_otf2_construct_begun(calls, index);
    if (level)
        add_values(calls, attributes, index);
    else if (strcmp(element.operation, "finalize") == 0)
        calls->rank->finalize_ns = calls->now_ns;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_leave(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *user,
                                  OTF2_AttributeList *attributes, OTF2_RegionRef number)
{
    HieraOtf2Calls *calls = user;
    (void)location, (void)position;
    hiera_otf2_calls_see(calls, time);
    guint32 index = hiera_otf2_calls_end(calls, number);
    if (index == NONE)
        return OTF2_CALLBACK_SUCCESS;
    HieraOtf2Element *element = hiera_otf2_elements_peek(&calls->rank->elements, index);
    Value value;
    for (uint32_t i = 0; i < OTF2_AttributeList_GetNumberOfElements(attributes); i++) {
        if (read_value(calls->archive, attributes, i, &value) && strcmp(value.name, HIERA_OTF2_FINISH) == 0)
            element->finish_ns = value.number;
    }
    if (!element->whole && g_str_has_prefix(element->operation, "init") && calls->rank->init_ns < 0)
        calls->rank->init_ns = calls->now_ns;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_note(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *user,
                                 OTF2_AttributeList *attributes, OTF2_ParameterRef parameter, OTF2_StringRef text)
{
    HieraOtf2Calls *calls = user;
    (void)location, (void)position, (void)time;
    const char *name = hiera_otf2_archive_text(calls->archive, text);
    if (!g_hash_table_contains(calls->archive->parameters, GUINT_TO_POINTER(parameter)) || !*name)
        return OTF2_CALLBACK_SUCCESS;
    const HieraOtf2Element element = {.name = name, .depth = calls->stack->len};
    add_values(calls, attributes, hiera_otf2_elements_add(&calls->rank->elements, &element));
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_EvtReaderCallbacks *make_callbacks(void)
{
    OTF2_EvtReaderCallbacks *callbacks = OTF2_EvtReaderCallbacks_New();
    OTF2_EvtReaderCallbacks_SetEnterCallback(callbacks, on_enter);
    OTF2_EvtReaderCallbacks_SetLeaveCallback(callbacks, on_leave);
    OTF2_EvtReaderCallbacks_SetParameterStringCallback(callbacks, on_note);
    hiera_otf2_records_register(callbacks);
    hiera_otf2_constructs_register(callbacks);
    return callbacks;
}

/* --- reading the threads of a rank --- */

/* Read what a location defines, if anything: which archive numbers its numbers stand for, and its clock. */
static void read_definitions(OTF2_Reader *reader, OTF2_LocationRef location)
{
    OTF2_DefReader *definitions = OTF2_Reader_GetDefReader(reader, location);
    uint64_t n;
    if (!definitions)
        return;
    OTF2_Reader_ReadAllLocalDefinitions(reader, definitions, &n);
    OTF2_Reader_CloseDefReader(reader, definitions);
}

/* Set the problem of a rank, unless it already has one. */
static void complain(HieraOtf2Rank *rank, const HieraOtf2Thread *thread, const char *problem)
{
    if (!rank->problem)
        rank->problem =
            g_strdup_printf("the events of location %" G_GUINT64_FORMAT " of the OTF2 archive cannot be read: %s",
                            thread->location, problem);
}

static void read_thread(OTF2_Reader *reader, HieraOtf2Calls *calls, const HieraOtf2Thread *thread)
{
    OTF2_EvtReaderCallbacks *callbacks = make_callbacks();
    OTF2_EvtReader *events = OTF2_Reader_GetEvtReader(reader, thread->location);
    uint64_t n = 0;
    if (events) {
        OTF2_Reader_RegisterEvtCallbacks(reader, events, callbacks, calls);
        OTF2_Reader_ReadAllLocalEvents(reader, events, &n);
        OTF2_Reader_CloseEvtReader(reader, events);
    }
    OTF2_EvtReaderCallbacks_Delete(callbacks);
    if (thread->n_events > n)
        complain(calls->rank, thread,
                 hiera_otf2_error_peek() ? hiera_otf2_error_peek() : "it has fewer than it should");
}

static void read_threads(OTF2_Reader *reader, HieraOtf2Calls *calls, const HieraOtf2Process *process)
{
    OTF2_Reader_SetSerialCollectiveCallbacks(reader);
    for (guint i = 0; i < process->threads->len; i++)
        OTF2_Reader_SelectLocation(reader, g_array_index(process->threads, HieraOtf2Thread, i).location);
    if (OTF2_Reader_OpenDefFiles(reader) == OTF2_SUCCESS) {
        for (guint i = 0; i < process->threads->len; i++)
            read_definitions(reader, g_array_index(process->threads, HieraOtf2Thread, i).location);
        OTF2_Reader_CloseDefFiles(reader);
    }
    OTF2_Reader_OpenEvtFiles(reader);
    for (guint i = 0; i < process->threads->len; i++) {
        guint32 first = calls->rank->elements.all->len;
        g_array_append_val(calls->rank->first, first);
        hiera_otf2_error_clear();
        read_thread(reader, calls, &g_array_index(process->threads, HieraOtf2Thread, i));
        hiera_otf2_calls_end_thread(calls);
    }
    OTF2_Reader_CloseEvtFiles(reader);
}

void hiera_otf2_rank_init(HieraOtf2Rank *rank, const HieraOtf2Archive *archive, const HieraOtf2Process *process)
{
    HieraOtf2Calls calls;
    *rank = (HieraOtf2Rank){.init_ns = -1, .finalize_ns = -1};
    hiera_otf2_elements_init(&rank->elements);
    rank->first = g_array_new(FALSE, FALSE, sizeof(guint32));
    rank->comms = g_hash_table_new(NULL, NULL);
    hiera_otf2_calls_init(&calls, archive, rank);
    hiera_otf2_error_clear();
    OTF2_Reader *reader = OTF2_Reader_Open(archive->path);
    if (reader) {
        read_threads(reader, &calls, process);
        OTF2_Reader_Close(reader);
    } else
        rank->problem = g_strdup(hiera_otf2_error_peek());
    rank->n_unknown += hiera_otf2_calls_count_receives(&calls);
    hiera_otf2_calls_clear(&calls);
}

void hiera_otf2_rank_clear(HieraOtf2Rank *rank)
{
    hiera_otf2_elements_clear(&rank->elements);
    g_array_unref(rank->first);
    g_hash_table_unref(rank->comms);
    g_free(rank->problem);
}
