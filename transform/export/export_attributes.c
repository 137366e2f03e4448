/* See export_attributes.h. The next call in the file of a rank is its next row. Files are read in parallel; each has
 * its own texts, so that threads do not wait for each other. */
#include "export_attributes.h"
#include "base/threads.h"
#include "convert/element_attributes.h"
#include "convert/full_elements.h"

/* Range in `list` of the attributes of one row. */
typedef struct {
    guint32 row;
    guint first, n;
} Place;

/* Attributes of the calls of one rank. */
typedef struct {
    GArray *places; /* Place, by rising row: where the attributes of each wanted row are in `list` */
    GArray *list;   /* HieraAttributeText: attributes of all wanted rows, one after the other */
    GStringChunk *texts;
} Part;

struct HieraExportAttributes {
    const HieraTrace *trace;
    const guint8 *rows; /* by row: whether the row's attributes are wanted; NULL: one row only was asked for */
    Part *parts;        /* by processor: attributes of its rows */
    guint32 at;         /* processor of the last row that was looked up */
    guint place;        /* index in `places` of the processor `at` where the next search begins */
};

/* State while the trace file of one rank is read. */
typedef struct {
    const HieraExportAttributes *of;
    Part *part;
    HieraFullElements *full;
    guint64 next; /* row of the next call in the file */
    guint32 last; /* row of the last wanted call, behind which reading stops */
    guint32 row;  /* row of the wanted call whose element is read now; HIERA_NONE: no call, or not a wanted one */
    const char *const *names;
} Reading;

/* Whether an attribute is not kept, because exports have it elsewhere: a time, or a part of the call site. */
static gboolean is_elsewhere(const Reading *reading, const char *name)
{
    static const HieraAttribute all[] = {
        HIERA_ATTRIBUTE_FILE,        HIERA_ATTRIBUTE_LINE,      HIERA_ATTRIBUTE_LEVEL,  HIERA_ATTRIBUTE_START_TIME,
        HIERA_ATTRIBUTE_FINISH_TIME, HIERA_ATTRIBUTE_OPERATION, HIERA_ATTRIBUTE_METHOD, HIERA_ATTRIBUTE_CLASS};
    for (guint i = 0; i < G_N_ELEMENTS(all); i++) {
        if (name == reading->names[all[i]])
            return TRUE;
    }
    return FALSE;
}

static void keep(Reading *reading, const GArray *attributes)
{
    Part *part = reading->part;
    Place place = {reading->row, part->list->len, 0};
    for (guint i = 0; i < attributes->len; i++) {
        const HieraXmlAttribute *attribute = &g_array_index(attributes, HieraXmlAttribute, i);
        if (is_elsewhere(reading, attribute->name))
            continue;
        const HieraAttributeText text = {
            g_string_chunk_insert_const(part->texts, attribute->name),
            g_string_chunk_insert_len(part->texts, attribute->value, (gssize)hiera_attribute_length(attribute))};
        g_array_append_val(part->list, text);
        place.n++;
    }
    g_array_append_val(part->places, place);
}

static gboolean wants(gpointer user)
{
    Reading *reading = user;
    guint64 row = reading->next++;
    const guint8 *rows = reading->of->rows;
    if (row <= reading->last && (rows ? rows[row] : row == reading->last))
        reading->row = (guint32)row;
    return reading->row != HIERA_NONE;
}

static void start_element(gpointer user, HieraElement element, const char *name, GArray *attributes)
{
    Reading *reading = user;
    (void)element, (void)name;
    if (reading->row == HIERA_NONE)
        return;
    keep(reading, attributes);
    if (reading->row == reading->last)
        hiera_full_elements_stop(reading->full);
    reading->row = HIERA_NONE;
}

static void end_element(gpointer user)
{
    (void)user;
}

/* Read the trace file of a processor up to a row, and keep the attributes of wanted rows. */
static void read_file(HieraExportAttributes *attributes, guint32 number, guint32 last)
{
    static const HieraFullElementsEvents visitor = {start_element, end_element, wants};
    const HieraProcessor *of = &attributes->trace->processors[number];
    Part *part = &attributes->parts[number];
    g_autoptr(GError) error = NULL;
    Reading reading = {attributes, part, NULL, of->first, last, HIERA_NONE, NULL};
    *part = (Part){g_array_new(FALSE, FALSE, sizeof(Place)), g_array_new(FALSE, FALSE, sizeof(HieraAttributeText)),
                   g_string_chunk_new(4096)};
    g_autoptr(HieraFullElements) full = hiera_full_elements_new(of->path, &visitor, &reading, &error);
    if (!full)
        return;
    reading.full = full;
    reading.names = hiera_full_elements_peek_attributes(full);
    hiera_full_elements_visit(full, &error);
}

static void read_processor(guint number, gpointer user)
{
    HieraExportAttributes *attributes = user;
    const HieraProcessor *of = &attributes->trace->processors[number];
    guint64 end = (guint64)of->first + of->n_operations;
    while (end > of->first && !attributes->rows[end - 1])
        end--;
    if (end > of->first)
        read_file(attributes, number, (guint32)(end - 1));
}

static HieraExportAttributes *new_attributes(const HieraTrace *trace)
{
    HieraExportAttributes *attributes = g_new0(HieraExportAttributes, 1);
    attributes->trace = trace;
    attributes->parts = g_new0(Part, trace->n_processors);
    return attributes;
}

HieraExportAttributes *hiera_export_attributes_read_one(const HieraTrace *trace, guint32 row)
{
    HieraExportAttributes *attributes = new_attributes(trace);
    read_file(attributes, hiera_trace_find_processor(trace, row), row);
    return attributes;
}

HieraExportAttributes *hiera_export_attributes_read(const HieraTrace *trace, const guint8 *rows)
{
    HieraExportAttributes *attributes = new_attributes(trace);
    attributes->rows = rows;
    hiera_threads_each(trace->n_processors, read_processor, attributes);
    return attributes;
}

void hiera_export_attributes_free(HieraExportAttributes *attributes)
{
    if (!attributes)
        return;
    for (guint32 i = 0; i < attributes->trace->n_processors; i++) {
        Part *part = &attributes->parts[i];
        g_clear_pointer(&part->places, g_array_unref);
        g_clear_pointer(&part->list, g_array_unref);
        g_clear_pointer(&part->texts, g_string_chunk_free);
    }
    g_free(attributes->parts);
    g_free(attributes);
}

const HieraAttributeText *hiera_export_attributes_peek(HieraExportAttributes *attributes, guint32 row, guint *n)
{
    const HieraTrace *trace = attributes->trace;
    *n = 0;
    while (row >= trace->processors[attributes->at].first + trace->processors[attributes->at].n_operations) {
        attributes->at++;
        attributes->place = 0;
    }
    const Part *part = &attributes->parts[attributes->at];
    guint n_places = part->places ? part->places->len : 0;
    while (attributes->place < n_places && g_array_index(part->places, Place, attributes->place).row < row)
        attributes->place++;
    if (attributes->place == n_places || g_array_index(part->places, Place, attributes->place).row != row)
        return NULL;
    const Place *place = &g_array_index(part->places, Place, attributes->place);
    *n = place->n;
    return (const HieraAttributeText *)(const void *)part->list->data + place->first;
}
