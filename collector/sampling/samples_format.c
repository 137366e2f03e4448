/* See samples_format.h. The tree of samples is written without recursion. */
#include "samples_format.h"

#include "base/life.h"
#include "base/settings.h"
#include "names.h"
#include "places/call_site.h"
#include "places/careful_site.h"
#include "places/objects.h"
#include "sampled_thread.h"
#include "write/element.h"
#include "write/filtered_totals.h"
#include "write/level_ops.h"
#include "write/totals_format.h"

#include <string.h>

static uint32_t unloaded; /* number of the unloaded shared library that was declared last */

static void put_number(HieraText *text, const char *begin, uint64_t value)
{
    hiera_text_bytes(text, begin, strlen(begin));
    hiera_text_unsigned(text, value);
    HIERA_TEXT_LITERAL(text, "\"");
}

/* Write the attributes for level and operation of a node, as for sums of operations (totals_format.h). */
static void put_what(HieraTraceFile *stream, const HieraSampleNode *node)
{
    if (node->call == HIERA_RECORD_REGION) {
        hiera_totals_put_region(stream, node->level, node->level + strlen(node->level) + 1);
    } else if (node->call == HIERA_RECORD_FUNCTION) {
        hiera_totals_put_region(stream, "function", hiera_site_function_name(node->function)->name);
    } else if (node->call == HIERA_RECORD_FLUSH) {
        hiera_totals_put_region(stream, "hiera", "(flush)");
    } else if (node->call == HIERA_SAMPLE_OTHERS) {
        hiera_totals_put_region(stream, "hiera", HIERA_SAMPLED_OTHERS);
    } else {
        HieraSumRow row = {.call = node->call, .comm = HIERA_SUM_NO_COMM};
        hiera_level.put_sum(stream, &row);
    }
}

static void begin_node(HieraTraceFile *stream, const HieraSampleNode *node)
{
    if (node->call == HIERA_RECORD_FUNCTION)
        hiera_element_declare_object_of_function(stream, node->function);
    HIERA_ELEMENT_OPEN(stream, "<hieraSampled");
    put_what(stream, node);
    HIERA_TEXT_LITERAL(stream->text, ">");
    stream->depth++;
}

static void end_node(HieraTraceFile *stream)
{
    stream->depth--;
    HIERA_ELEMENT_OPEN(stream, "</hieraSampled>");
}

/* Return an object that was stored with the sample, and has been unloaded since. For another process only addresses are
 * known. */
static const HieraLoadedObject *find_unloaded(const HieraSamplePlace *place)
{
    bool is_known = place->object > 0 && place->object <= HIERA_OBJECTS_MAX && !hiera_life.recovers;
    return is_known && hiera_object_is_unloaded(place->object) ? hiera_object_peek(place->object) : NULL;
}

/* Declare the library unless it was declared last: several unloaded libraries may have the same name. */
static void put_unloaded(HieraTraceFile *stream, const HieraLoadedObject *object, const HieraSamplePlace *place)
{
    const char *slash = strrchr(object->path, '/'), *name = slash ? slash + 1 : object->path;
    if (unloaded != place->object)
        hiera_element_declare_unloaded(stream, object, name);
    unloaded = place->object;
    HIERA_ELEMENT_OPEN(stream, "<hieraSample place=\"");
    hiera_text_escaped(stream->text, name, strlen(name));
    HIERA_TEXT_LITERAL(stream->text, "+0x");
    hiera_text_hex(stream->text, (uintptr_t)place->address - object->begin);
}

/* Declare the shared library of the address, then write the address as library and offset, "libfoo.so+0x1a2b". */
static void put_place(HieraTraceFile *stream, const HieraSamplePlace *place)
{
    static const char begin[] = " file=\"";
    const char *text = "", *end = text, *plus = text;
    const HieraLoadedObject *object = find_unloaded(place);
    if (object) {
        put_unloaded(stream, object, place);
    } else if (place->address) {
        text = hiera_careful_site(place->address)->attributes + sizeof begin - 1;
        end = strchr(text, '"');
        plus = strstr(text, "+0x");
        hiera_element_declare_named(stream, place->address, text, plus && plus < end ? (size_t)(plus - text) : 0);
    }
    if (!object) {
        HIERA_ELEMENT_OPEN(stream, "<hieraSample place=\"");
        hiera_text_bytes(stream->text, text, (size_t)(end - text));
    }
    put_number(stream->text, "\" count=\"", place->count);
    if (place->periods != place->count)
        put_number(stream->text, " periods=\"", place->periods);
    HIERA_TEXT_LITERAL(stream->text, "/>");
}

/* Write the places of a node. `left` ends the loop even if the list is a cycle, as in memory of a killed process. */
static void put_places(HieraTraceFile *stream, const HieraSampleTree *tree, uint32_t node)
{
    size_t left = tree->room_places;
    for (uint32_t i = tree->nodes[node].places; i > 0 && i <= tree->room_places && left > 0; left--) {
        const HieraSamplePlace *place = &tree->places[i - 1];
        if (place->count > 0)
            put_place(stream, place);
        i = place->next;
    }
}

static void put_tree(HieraTraceFile *stream, const HieraSampleTree *tree)
{
    uint32_t node = 0;
    if (tree->n_nodes == 0)
        return;
    put_places(stream, tree, 0);
    node = tree->nodes[0].first;
    while (node != 0) {
        begin_node(stream, &tree->nodes[node]);
        put_places(stream, tree, node);
        if (tree->nodes[node].first != 0) {
            node = tree->nodes[node].first;
            continue;
        }
        end_node(stream);
        while (node != 0 && tree->nodes[node].next == 0) {
            node = tree->nodes[node].parent;
            if (node != 0)
                end_node(stream);
        }
        node = node != 0 ? tree->nodes[node].next : 0;
    }
}

static void put_sampling(HieraTraceFile *stream, HieraSampling *sampling)
{
    HieraText *text = stream->text;
    uint64_t lost = hiera_sampling_lost(sampling);
    HIERA_ELEMENT_OPEN(stream, "<hieraSamples thread=\"");
    if (sampling->is_of_ended)
        HIERA_TEXT_LITERAL(text, "ended");
    else
        hiera_text_unsigned(text, sampling->number);
    if (sampling->source == HIERA_SAMPLES_TIMER)
        HIERA_TEXT_LITERAL(text, "\" source=\"timer\" period=\"");
    else
        HIERA_TEXT_LITERAL(text, "\" source=\"kernel\" period=\"");
    hiera_text_seconds(text, hiera_settings.sample.period_ns);
    put_number(text, "\" count=\"", sampling->tree.count);
    if (lost > 0)
        put_number(text, " failed=\"", lost);
    HIERA_TEXT_LITERAL(text, " time=\"");
    hiera_text_seconds(text, hiera_sampling_cpu_ns(sampling));
    HIERA_TEXT_LITERAL(text, "\">");
    stream->depth++;
    put_tree(stream, &sampling->tree);
    stream->depth--;
    HIERA_ELEMENT_OPEN(stream, "</hieraSamples>");
}

void hiera_samples_put(HieraTraceFile *stream)
{
    uint64_t declared = stream->state.objects;
    unloaded = 0;
    for (HieraSampling *sampling = hiera_samplings; sampling; sampling = sampling->next)
        if (sampling->source != HIERA_SAMPLES_NONE)
            put_sampling(stream, sampling);
    stream->state.objects = declared;
}
