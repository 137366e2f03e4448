#include "lookup.h"
#include "image/flow/flow.h"
#include "image/flow/no_return.h"
#include "image/places/outlined.h"
#include "image/places/places.h"
#include "image/places/readable_name.h"
#include <string.h>

/* A range of addresses that belongs to a function. */
typedef struct {
    guint64 begin, end;
    const HieraFunction *function;
} Range;

/* A function that was looked up. */
typedef struct {
    HieraFlow *flow;
    char *name;
    HieraCodeLines lines;
    GArray *loops; /* HieraCodeLines: lines of each loop, in the order of flow->loops */
} Known;

typedef struct {
    HieraCodePlace place;
    HieraCodeLines *loops;
} Found;

struct HieraCode {
    HieraObject *object;
    HieraFunctions *functions;
    HieraDecoder *decoder;
    HieraNoReturn *no_return;
    HieraPlaces *places; /* source lines; NULL: no debug information */
    guint64 begin;       /* address of the file's first page */
    GArray *ranges;      /* Range: code of functions, sorted by address */
    GHashTable *known;   /* HieraFunction → Known: its flow and lines */
    GHashTable *found;   /* guint64: looked-up address → Found: its answer */
};

static void known_free(gpointer data)
{
    Known *known = data;
    hiera_flow_free(known->flow);
    g_free(known->name);
    g_array_unref(known->loops);
    g_free(known);
}

static void found_free(gpointer data)
{
    g_free(((Found *)data)->loops);
    g_free(data);
}

static void close_code(HieraCode *code)
{
    if (!code)
        return;
    g_hash_table_unref(code->found);
    g_hash_table_unref(code->known);
    g_array_unref(code->ranges);
    if (code->places)
        hiera_places_free(code->places);
    hiera_no_return_free(code->no_return);
    if (code->decoder)
        hiera_decoder_free(code->decoder);
    if (code->functions)
        hiera_functions_free(code->functions);
    if (code->object)
        hiera_object_free(code->object);
    g_free(code);
}

static gint compare_ranges(gconstpointer a, gconstpointer b)
{
    const Range *x = a, *y = b;
    return x->begin < y->begin ? -1 : x->begin > y->begin;
}

static void list_ranges(HieraCode *code)
{
    for (guint i = 0; i < code->functions->functions->len; i++) {
        const HieraFunction *function = code->functions->functions->pdata[i];
        for (guint j = 0; j < function->ranges->len; j++) {
            const HieraCodeRange *range = &g_array_index(function->ranges, HieraCodeRange, j);
            const Range one = {range->begin, range->end, function};
            g_array_append_val(code->ranges, one);
        }
    }
    g_array_sort(code->ranges, compare_ranges);
}

static gboolean open_all(HieraCode *code, const char *path, const char *build, GError **error)
{
    code->object = hiera_object_open(path, error);
    if (!code->object)
        return FALSE;
    if (!code->object->build_id || strcmp(code->object->build_id, build) != 0) {
        g_set_error(error, HIERA_IMAGE_ERROR, 0, "%s: has not the build id %s", path, build);
        return FALSE;
    }
    code->functions = hiera_functions_new(code->object, error);
    code->decoder = code->functions ? hiera_decoder_new(code->object, error) : NULL;
    return code->decoder != NULL;
}

static HieraCode *open_code(const char *path, const char *build, GError **error)
{
    HieraCode *code = g_new0(HieraCode, 1);
    code->ranges = g_array_new(FALSE, FALSE, sizeof(Range));
    code->known = g_hash_table_new_full(NULL, NULL, NULL, known_free);
    code->found = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, found_free);
    if (!open_all(code, path, build, error)) {
        close_code(code);
        return NULL;
    }
    hiera_outlined_name(code->functions);
    code->no_return = hiera_no_return_new(code->functions, code->decoder);
    code->places = hiera_places_new(path);
    code->begin = hiera_object_first_page(code->object);
    list_ranges(code);
    return code;
}

static const HieraFunction *find_function(const HieraCode *code, guint64 address)
{
    guint low = 0, high = code->ranges->len;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (g_array_index(code->ranges, Range, middle).begin <= address)
            low = middle + 1;
        else
            high = middle;
    }
    const Range *range = low > 0 ? &g_array_index(code->ranges, Range, low - 1) : NULL;
    return range && address < range->end ? range->function : NULL;
}

/* Return the function that contains an address, after decoding. Of a large library only the functions that were looked
 * up, and functions that they call, are decoded. */
static const HieraFunction *look_at_function(const HieraCode *code, guint64 address)
{
    const HieraFunction *function = find_function(code, address);
    if (function && hiera_no_return_may_be_part(code->no_return, function))
        hiera_no_return_look_at_rest(code->no_return);
    else if (function)
        hiera_no_return_look(code->no_return, function);
    while (function && function->whole)
        function = function->whole;
    return function;
}

static HieraCodeLines lines_of(const HieraLines *lines, guint64 begin, guint64 end)
{
    return (HieraCodeLines){lines->file, lines->first, lines->last, begin, end, FALSE};
}

static HieraCodeLines lines_of_loop(const HieraCode *code, const HieraFlow *flow, const HieraLoop *loop)
{
    guint64 begin = G_MAXUINT64, end = 0;
    for (guint i = 0; i < loop->nodes->len; i++) {
        const HieraBlock *block = &g_array_index(flow->blocks, HieraBlock, g_array_index(loop->nodes, guint, i));
        begin = MIN(begin, block->begin);
        end = MAX(end, block->end);
    }
    HieraLines lines = {0};
    if (code->places)
        lines = hiera_places_loop(code->places, flow, loop);
    HieraCodeLines of = lines_of(&lines, begin, end);
    of.irreducible = loop->irreducible;
    return of;
}

static const Known *know(HieraCode *code, const HieraFunction *function)
{
    Known *known = g_hash_table_lookup(code->known, function);
    if (known)
        return known;
    const HieraCodeRange *range = &g_array_index(function->ranges, HieraCodeRange, 0);
    HieraLines lines = {0};
    known = g_new0(Known, 1);
    known->flow = hiera_flow_decode(code->functions, function, code->decoder);
    hiera_flow_finish(known->flow);
    if (code->places)
        lines = hiera_places_function(code->places, known->flow);
    known->lines = lines_of(&lines, range->begin, range->end);
    known->name = hiera_readable_name(function->name, lines.file);
    known->loops = g_array_new(FALSE, FALSE, sizeof(HieraCodeLines));
    for (guint i = 0; i < known->flow->loops->len; i++) {
        const HieraCodeLines of = lines_of_loop(code, known->flow, known->flow->loops->pdata[i]);
        g_array_append_val(known->loops, of);
    }
    g_hash_table_insert(code->known, (gpointer)function, known);
    return known;
}

static gboolean has_node(const HieraLoop *loop, guint node)
{
    for (guint i = 0; i < loop->nodes->len; i++)
        if (g_array_index(loop->nodes, guint, i) == node)
            return TRUE;
    return FALSE;
}

/* Find the loops around an address, outermost first, as in the list of loops. */
static void find_loops(const Known *known, guint64 address, Found *found)
{
    guint block = hiera_flow_block(known->flow, address);
    found->loops = g_new(HieraCodeLines, known->loops->len + 1);
    for (guint i = 0; block != HIERA_NO_NODE && i < known->loops->len; i++)
        if (has_node(known->flow->loops->pdata[i], block))
            found->loops[found->place.n_loops++] = g_array_index(known->loops, HieraCodeLines, i);
    found->place.loops = found->loops;
}

static void find_line(const HieraCode *code, guint64 address, HieraCodePlace *place)
{
    g_autoptr(GArray) frames = g_array_new(FALSE, FALSE, sizeof(HieraFrame));
    if (code->places)
        hiera_places_find(code->places, address, frames);
    if (frames->len > 0) {
        place->file = g_array_index(frames, HieraFrame, 0).file;
        place->line = g_array_index(frames, HieraFrame, 0).line;
    }
}

static const HieraCodePlace *find(HieraCode *code, guint64 offset)
{
    Found *found = g_hash_table_lookup(code->found, &offset);
    if (found)
        return &found->place;
    guint64 address = code->begin + offset;
    const HieraFunction *function = look_at_function(code, address);
    found = g_new0(Found, 1);
    if (function) {
        const Known *known = know(code, function);
        found->place.function = known->name;
        found->place.lines = known->lines;
        find_loops(known, address, found);
    }
    find_line(code, address, &found->place);
    g_hash_table_insert(code->found, g_memdup2(&offset, sizeof offset), found);
    return &found->place;
}

extern const HieraCodeLibrary hiera_code_library;
__attribute__((visibility("default"))) const HieraCodeLibrary hiera_code_library = {open_code, close_code, find};
