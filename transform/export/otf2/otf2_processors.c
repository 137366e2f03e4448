/* See otf2_processors.h. A process sends each name once, in the order of its processors. So process 0
 * receives a name first where it first occurs in all processors, however they are distributed. */
#include "otf2_processors.h"
#include "otf2/otf2_names.h"
#include "otf2_openmp.h"
#include "trace/pack_process.h"
#include <string.h>

/* First archive number that is reserved for names of processors: the upper half of all numbers. */
#define RESERVED (G_MAXUINT32 / 2 + 1)

static void free_location(gpointer data)
{
    HieraOtf2Location *location = data;
    g_clear_pointer(&location->numbers, hiera_otf2_numbers_free);
    g_free(location);
}

HieraOtf2Processor *hiera_otf2_processor_new(guint32 index, guint32 n_processors)
{
    HieraOtf2Processor *processor = g_new(HieraOtf2Processor, 1);
    /* RESERVED - 1, because OTF2 uses the greatest number for "undefined". */
    guint32 most = (RESERVED - 1) / n_processors;
    *processor = (HieraOtf2Processor){g_ptr_array_new(),
                                      g_ptr_array_new(),
                                      g_ptr_array_new_with_free_func(free_location),
                                      {RESERVED + index * most, most, g_ptr_array_new()}};
    return processor;
}

void hiera_otf2_processor_free(gpointer data)
{
    HieraOtf2Processor *processor = data;
    if (!processor)
        return;
    g_ptr_array_unref(processor->fresh);
    g_ptr_array_unref(processor->properties);
    g_ptr_array_unref(processor->locations);
    g_ptr_array_unref(processor->reserve.names);
    g_free(processor);
}

HieraOtf2Location *hiera_otf2_processor_add(HieraOtf2Processor *processor, guint32 rank, guint32 thread,
                                            HieraOtf2Name *id)
{
    HieraOtf2Location *location = g_new0(HieraOtf2Location, 1);
    *location = (HieraOtf2Location){
        .thread = thread, .location = hiera_otf2_location(rank, processor->locations->len), .id = id};
    g_ptr_array_add(processor->locations, location);
    return location;
}

/* --- writing what is known of processors to the archive --- */

static void write_location(HieraOtf2Writer *writer, guint32 index, const HieraOtf2Location *location)
{
    g_autofree char *lane = hiera_export_lane(&writer->trace->processors[index], location->thread);
    /* a suffix, because ViTE needs a name that differs from the process's */
    g_autofree char *name = g_strconcat(lane, location->thread ? "" : " main thread", NULL);
    OTF2_GlobalDefWriter_WriteLocation(writer->definitions, location->location, hiera_otf2_string(writer, name),
                                       OTF2_LOCATION_TYPE_CPU_THREAD, location->n_events, index);
    hiera_otf2_teams_add(writer, index, location->location);
    if (!location->id)
        return;
    OTF2_AttributeValue value = {.stringRef = hiera_otf2_define(writer, location->id)};
    OTF2_GlobalDefWriter_WriteLocationProperty(writer->definitions, location->location,
                                               hiera_otf2_string(writer, HIERA_OTF2_PREFIX "id"), OTF2_TYPE_STRING,
                                               value);
}

/* Number those names of a processor that have no archive number yet, and write the processor's definitions. */
static void write_processor(HieraOtf2Writer *writer, guint32 index, const HieraOtf2Processor *processor)
{
    for (guint i = 0; i < processor->fresh->len; i++)
        hiera_otf2_define(writer, processor->fresh->pdata[i]);
    for (guint i = 0; i < processor->reserve.names->len; i++)
        OTF2_GlobalDefWriter_WriteString(writer->definitions, processor->reserve.first + i,
                                         ((const HieraOtf2Name *)processor->reserve.names->pdata[i])->text);
    for (guint i = 0; i + 1 < processor->properties->len; i += 2) {
        OTF2_AttributeValue value = {.stringRef = hiera_otf2_define(writer, processor->properties->pdata[i + 1])};
        OTF2_GlobalDefWriter_WriteLocationGroupProperty(writer->definitions, index,
                                                        hiera_otf2_define(writer, processor->properties->pdata[i]),
                                                        OTF2_TYPE_STRING, value);
    }
    for (guint i = 0; i < processor->locations->len; i++)
        write_location(writer, index, processor->locations->pdata[i]);
}

/* Write a definition file for each location of this process, because readers need it even if it maps no numbers. */
static void write_numbers(const HieraOtf2Writer *writer, const HieraOtf2Processor *processor)
{
    for (guint i = 0; i < processor->locations->len; i++) {
        const HieraOtf2Location *location = processor->locations->pdata[i];
        OTF2_DefWriter *definitions = OTF2_Archive_GetDefWriter(writer->archive, location->location);
        if (definitions)
            hiera_otf2_numbers_write(location->numbers, definitions);
        OTF2_Archive_CloseDefWriter(writer->archive, definitions);
    }
}

/* --- processes other than 0: sending names and threads --- */

/* Send names that process 0 already has, as HieraOtf2Name.place. @param names  HieraOtf2Name */
static void pack_places(HieraPacker *to, const GPtrArray *names)
{
    hiera_pack_number(to, names->len);
    for (guint i = 0; i < names->len; i++)
        hiera_pack_number(to, ((const HieraOtf2Name *)names->pdata[i])->place);
}

/* Send the names and threads of a processor. @param sent  HieraOtf2Name sent so far; new ones are appended */
static void pack_processor(HieraPacker *to, const HieraOtf2Processor *processor, GPtrArray *sent)
{
    hiera_pack_number(to, processor->fresh->len);
    for (guint i = 0; i < processor->fresh->len; i++) {
        HieraOtf2Name *name = processor->fresh->pdata[i];
        gsize n = strlen(name->text);
        name->place = sent->len;
        g_ptr_array_add(sent, name);
        hiera_pack_number(to, name->kind);
        hiera_pack_number(to, (gint64)n);
        hiera_pack_bytes(to, name->text, n);
    }
    pack_places(to, processor->reserve.names);
    pack_places(to, processor->properties);
    hiera_pack_number(to, processor->locations->len);
    for (guint i = 0; i < processor->locations->len; i++) {
        const HieraOtf2Location *location = processor->locations->pdata[i];
        hiera_pack_number(to, location->thread);
        hiera_pack_number(to, location->id ? (gint64)location->id->place : -1);
        hiera_pack_number(to, (gint64)location->n_events);
    }
}

static void follow(const GPtrArray *processors, HieraCatalog *catalog)
{
    g_autoptr(GPtrArray) sent = g_ptr_array_new();
    g_autoptr(GArray) numbers = g_array_new(FALSE, FALSE, sizeof(guint32));
    HieraPacker *packer = hiera_packer_to(0);
    for (guint i = 0; i < processors->len; i++) {
        if (processors->pdata[i])
            pack_processor(packer, processors->pdata[i], sent);
    }
    hiera_packer_end(packer);
    HieraUnpacker *unpacker = hiera_unpacker_from(0, catalog);
    hiera_unpack_array(unpacker, numbers);
    hiera_unpacker_free(unpacker);
    for (guint i = 0; i < sent->len; i++)
        ((HieraOtf2Name *)sent->pdata[i])->number = g_array_index(numbers, guint32, i);
}

/* --- process 0: receiving names and threads --- */

/* What process 0 has received from one other process. */
typedef struct {
    HieraUnpacker *from; /* stream of received data; NULL: nothing received yet */
    GPtrArray *received; /* HieraOtf2Name received from that process, by HieraOtf2Name.place */
} Other;

static void unpack_names(HieraOtf2Writer *writer, Other *other, HieraOtf2Processor *processor)
{
    g_autoptr(GString) text = g_string_new(NULL);
    for (gint64 n = hiera_unpack_number(other->from); n > 0; n--) {
        HieraOtf2Kind kind = (HieraOtf2Kind)hiera_unpack_number(other->from);
        g_string_set_size(text, (gsize)hiera_unpack_number(other->from));
        hiera_unpack_bytes(other->from, text->str, text->len);
        HieraOtf2Name *name = hiera_otf2_names_find(&writer->names, kind, text->str);
        g_ptr_array_add(processor->fresh, name);
        g_ptr_array_add(other->received, name);
    }
}

static void unpack_places(const Other *other, GPtrArray *names)
{
    for (gint64 n = hiera_unpack_number(other->from); n > 0; n--)
        g_ptr_array_add(names, other->received->pdata[hiera_unpack_number(other->from)]);
}

static HieraOtf2Processor *unpack_processor(HieraOtf2Writer *writer, Other *other, guint32 index)
{
    HieraOtf2Processor *processor = hiera_otf2_processor_new(index, writer->trace->n_processors);
    unpack_names(writer, other, processor);
    unpack_places(other, processor->reserve.names);
    unpack_places(other, processor->properties);
    for (gint64 n = hiera_unpack_number(other->from); n > 0; n--) {
        guint32 thread = (guint32)hiera_unpack_number(other->from);
        gint64 id = hiera_unpack_number(other->from);
        HieraOtf2Location *location = hiera_otf2_processor_add(processor, writer->trace->processors[index].rank, thread,
                                                               id < 0 ? NULL : other->received->pdata[id]);
        location->n_events = (guint64)hiera_unpack_number(other->from);
    }
    return processor;
}

static void lead_other(HieraOtf2Writer *writer, Other *other, guint32 index)
{
    if (!other->from) {
        other->from = hiera_unpacker_from(writer->scope->share.process[index], writer->trace->catalog);
        other->received = g_ptr_array_new();
    }
    HieraOtf2Processor *processor = unpack_processor(writer, other, index);
    write_processor(writer, index, processor);
    hiera_otf2_processor_free(processor);
}

/* Send another process the archive numbers of the names that it has sent. */
static void send_numbers(Other *other, guint process)
{
    g_autoptr(GArray) numbers = g_array_new(FALSE, FALSE, sizeof(guint32));
    for (guint i = 0; other->received && i < other->received->len; i++)
        g_array_append_val(numbers, ((const HieraOtf2Name *)other->received->pdata[i])->number);
    g_clear_pointer(&other->from, hiera_unpacker_free);
    g_clear_pointer(&other->received, g_ptr_array_unref);
    HieraPacker *packer = hiera_packer_to(process);
    hiera_pack_array(packer, numbers);
    hiera_packer_end(packer);
}

static void lead(HieraOtf2Writer *writer, const GPtrArray *processors)
{
    guint n = hiera_scope_count_processes(writer->scope);
    g_autofree Other *others = g_new0(Other, n);
    for (guint32 i = 0; i < processors->len; i++) {
        if (processors->pdata[i])
            write_processor(writer, i, processors->pdata[i]);
        else
            lead_other(writer, &others[writer->scope->share.process[i]], i);
    }
    for (guint i = 1; i < n; i++)
        send_numbers(&others[i], i);
}

void hiera_otf2_write_processors(HieraOtf2Writer *writer, const GPtrArray *processors)
{
    if (hiera_scope_leads(writer->scope))
        lead(writer, processors);
    else
        follow(processors, writer->trace->catalog);
    for (guint i = 0; i < processors->len; i++) {
        if (processors->pdata[i])
            write_numbers(writer, processors->pdata[i]);
    }
}
