/* See buffer_uses.h. */
#include "buffer_uses.h"
#include "base/attribute_columns.h"
#include "base/rising.h"
#include "base/vocabulary.h"
#include "checks/call_data.h"
#include "matching/match_common.h"
#include <string.h>

/* What is known of all calls while their uses are made. */
typedef struct {
    const HieraMatch *match;
    GHashTable *ends;  /* row that starts a request → row that completes it first, + 1 */
    GArray *shared;    /* rising rows that complete a request which may share its handle with others */
    GHashTable *local; /* row of an access → row + 1 of the call that completes it at the origin */
    HieraDataOfCalls *data;
    GHashTable *makers; /* name of a datatype → row + 1 of the call that made it */
    GArray *uses;
} Making;

static guint find_column(void)
{
    for (guint i = 0; i < hiera_attribute_columns_count(); i++)
        if (hiera_attribute_columns_peek(i)->number == HIERA_ATTRIBUTE_BUFFERS)
            return i;
    return HIERA_NONE;
}

static guint32 lookup(GHashTable *table, guint32 row)
{
    return GPOINTER_TO_UINT(g_hash_table_lookup(table, GUINT_TO_POINTER(row))) - 1;
}

/* Keep the first of several ends. */
static void put_end(GHashTable *table, guint32 row, guint32 end)
{
    if (end < lookup(table, row))
        g_hash_table_insert(table, GUINT_TO_POINTER(row), GUINT_TO_POINTER(end + 1));
}

/* --- when accesses are complete at their origin --- */

static void *key_of(guint32 comm, gint32 peer)
{
    return (void *)(guintptr)((guint64)comm << 32 | (guint32)peer);
}

/* Find the calls that complete accesses at the origin only. Rows are visited from the last to the first, so that the
 * table has the next such call on each window, for a target or, with the peer -1, for all. */
static void find_local_flushes(Making *making, const HieraProcessor *of)
{
    const HieraTrace *trace = making->match->trace;
    g_autoptr(GHashTable) next = g_hash_table_new(NULL, NULL);
    for (guint32 row = (guint32)(of->first + of->n_operations); row-- > of->first;) {
        const HieraSite *site = hiera_trace_peek_site(trace, row);
        gboolean all = strcmp(site->operation, "win_flush_local_all") == 0;
        guint32 comm = trace->comm[row];
        if (site->kind == HIERA_KIND_RMA && (all || strcmp(site->operation, "win_flush_local") == 0))
            g_hash_table_insert(next, key_of(comm, all ? -1 : trace->peer[row]), GUINT_TO_POINTER(row + 1));
        if (site->kind != HIERA_KIND_PUT && site->kind != HIERA_KIND_GET && site->kind != HIERA_KIND_UPDATE)
            continue;
        guint32 one = GPOINTER_TO_UINT(g_hash_table_lookup(next, key_of(comm, trace->peer[row]))) - 1;
        guint32 any = GPOINTER_TO_UINT(g_hash_table_lookup(next, key_of(comm, -1))) - 1;
        if (MIN(one, any) != HIERA_NONE)
            put_end(making->local, row, MIN(one, any));
    }
}

/* Whether MPI may have given the same handle to other requests: it does so for sends that are complete at once, and for
 * partners that are MPI_PROC_NULL. Any of them may then be the one that a call completes. */
static gboolean may_share(const HieraTrace *trace, guint32 row)
{
    HieraKind kind = hiera_trace_peek_site(trace, row)->kind;
    return kind != HIERA_KIND_START && (kind != HIERA_KIND_RECEIVE || trace->source[row] == HIERA_PROC_NULL);
}

static gint compare_numbers(gconstpointer a, gconstpointer b)
{
    guint32 left = *(const guint32 *)a, right = *(const guint32 *)b;
    return (left > right) - (left < right);
}

/* Return the first row behind another one that completes a request which may share its handle. */
static guint32 find_shared(const GArray *rows, guint32 after)
{
    guint n = hiera_rising_until(rows, &after, compare_numbers);
    return n < rows->len ? g_array_index(rows, guint32, n) : HIERA_NONE;
}

static void find_ends(Making *making)
{
    const HieraMatch *match = making->match;
    for (guint i = 0; i < match->requests->len; i++) {
        const HieraPair *pair = &g_array_index(match->requests, HieraPair, i);
        put_end(making->ends, pair->start, pair->completion);
        put_end(making->local, pair->start, pair->completion);
        if (may_share(match->trace, pair->start))
            g_array_append_val(making->shared, pair->completion);
    }
    g_array_sort(making->shared, compare_numbers);
    for (guint i = 0; i < match->completions->len; i++) {
        const HieraPair *pair = &g_array_index(match->completions, HieraPair, i);
        put_end(making->local, pair->start, pair->completion);
    }
    for (guint32 i = 0; i < match->trace->n_processors; i++)
        find_local_flushes(making, &match->trace->processors[i]);
}

static gboolean is_access(const HieraSite *site)
{
    return site->kind == HIERA_KIND_PUT || site->kind == HIERA_KIND_GET || site->kind == HIERA_KIND_UPDATE;
}

/* Find the row that completes a call at this rank. Of several requests that a rank leaves behind, MPI may give all the
 * same handle, and nobody knows which one a later call completes: so they say nothing. @return  whether it is known */
static gboolean find_end(const Making *making, guint32 row, guint32 *until)
{
    const HieraTrace *trace = making->match->trace;
    const HieraSite *site = hiera_trace_peek_site(trace, row);
    const HieraRequest *requests;
    *until = row;
    if (is_access(site)) {
        *until = lookup(making->local, row);
        return *until != HIERA_NONE;
    }
    if (!site->mpi || (hiera_trace_peek_requests(trace, row, &requests) == 0 && site->kind != HIERA_KIND_START))
        return TRUE;
    /* With several threads MPI gives a handle away before the trace can say who completed it. */
    if (trace->processors[hiera_trace_find_processor(trace, row)].calls_in_threads)
        return FALSE;
    *until = lookup(making->ends, row);
    if (*until != HIERA_NONE && may_share(trace, row))
        *until = MIN(*until, find_shared(making->shared, row));
    return *until != HIERA_NONE;
}

/* --- texts --- */

static const char *skip(const char *at, const char *words)
{
    gsize length = strlen(words);
    return strncmp(at, words, length) == 0 ? at + length : at;
}

/* Read what is known of the memory: `!`, `?` nothing, `@7ffc10+4=name` of a variable, `@55d0+64` of a block. */
static char *read_object(char *at, HieraBufferUse *use)
{
    use->missing = *at == '!';
    use->object_bytes = 0;
    use->name = NULL;
    at += *at == '!' || *at == '?';
    if (*at != '@')
        return at;
    use->object = (gint64)g_ascii_strtoull(at + 1, &at, 16);
    if (*at != '+')
        return at;
    use->object_bytes = g_ascii_strtoll(at + 1, &at, 10);
    if (*at == '=')
        use->name = at + 1;
    return at + strcspn(at, " ");
}

/* Read `r:7ffc10+4~`, `x:7ffc10+40/4` or `p:0,0+4`. @return  where the next one begins; NULL: the text is no use */
static const char *read_use(const char *at, HieraBufferUse *use)
{
    char *end = NULL;
    use->use = at[0];
    if (!strchr("rwxpga", at[0]) || at[1] != ':')
        return NULL;
    gboolean at_target = strchr("pga", at[0]) != NULL;
    use->address = at_target ? g_ascii_strtoll(at + 2, &end, 10) : (gint64)g_ascii_strtoull(at + 2, &end, 16);
    use->offset = at_target && *end == ',' ? g_ascii_strtoll(end + 1, &end, 10) : 0;
    if (*end != '+')
        return NULL;
    use->bytes = g_ascii_strtoll(end + 1, &end, 10);
    use->gaps = *end == '~';
    end += use->gaps;
    if (*end == '/')
        use->offset = g_ascii_strtoll(end + 1, &end, 10);
    end = read_object(end, use);
    return use->bytes > 0 ? skip(end, " ") : NULL;
}

/* Read what the program did with watched memory: `address=0x7ffc10 bytes=4` of a load or store. */
static void read_access(Making *making, HieraBufferUse use, const char *text)
{
    const HieraSite *site = hiera_trace_peek_site(making->match->trace, use.row);
    char *end = NULL;
    use.address = (gint64)g_ascii_strtoull(skip(text, "address=0x"), &end, 16);
    use.bytes = g_ascii_strtoll(skip(end, " bytes="), NULL, 10);
    use.use = strcmp(site->operation, "load") == 0 ? 'r' : 'w';
    use.changed = strcmp(site->operation, "change") == 0;
    use.left = strcmp(site->operation, "return") == 0;
    use.freed = strcmp(site->operation, "free") == 0;
    use.program = TRUE;
    if (use.bytes > 0)
        g_array_append_val(making->uses, use);
}

/* --- where the bytes of a datatype are --- */

static void find_makers(Making *making)
{
    const GArray *values = making->match->trace->attribute;
    making->data = hiera_data_of_calls_new(making->match->trace);
    making->makers = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; hiera_data_of_calls_are_kept(making->data) && i < values->len; i++) {
        const HieraAttributeValue *value = &g_array_index(values, HieraAttributeValue, i);
        guint32 row = (guint32)(making->match->trace->processors[value->processor].first + value->index);
        const HieraCallData *data = hiera_call_data_peek(making->data, row);
        if (data && data->made)
            g_hash_table_insert(making->makers, (gpointer)data->made, GUINT_TO_POINTER(row + 1));
    }
}

static guint32 find_maker(const Making *making, const char *type)
{
    return GPOINTER_TO_UINT(g_hash_table_lookup(making->makers, type)) - 1;
}

/* Whether no two parts of a datatype can be the same bytes: then it has no gaps if it is as long as its data are. A
 * datatype is made of one that was made before. */
static gboolean is_plain(const Making *making, const char *type)
{
    static const char *const names[] = {"type_contiguous", "type_dup", "type_vector", "type_create_subarray"};
    while (!g_str_has_prefix(type, "MPI_")) {
        guint32 maker = find_maker(making, type);
        const HieraCallData *data = maker == HIERA_NONE ? NULL : hiera_call_data_peek(making->data, maker);
        gboolean is_known = FALSE;
        for (guint i = 0; data && data->of && i < G_N_ELEMENTS(names); i++)
            is_known |= strcmp(hiera_trace_peek_site(making->match->trace, maker)->operation, names[i]) == 0;
        if (!is_known || (data->vector && data->vector[2] < data->vector[1]) || strcmp(data->of, type) == 0)
            return FALSE;
        type = data->of;
    }
    return TRUE;
}

/* Find out where the bytes of one vector of predefined values are. */
static void place_vector(const Making *making, HieraBufferUse *use, const HieraDatatype *type, guint32 maker)
{
    const HieraCallData *data = hiera_call_data_peek(making->data, maker);
    if (!data || !data->vector || !data->of || !g_str_has_prefix(data->of, "MPI_") || data->vector[0] < 1)
        return;
    gboolean in_values = strcmp(hiera_trace_peek_site(making->match->trace, maker)->operation, "type_vector") == 0;
    gint64 part = type->size / data->vector[0], stride = data->vector[2];
    if (in_values && (data->vector[1] < 1 || stride > G_MAXINT32))
        return;
    stride *= in_values ? part / data->vector[1] : 1;
    if (part > 0 && stride > part && stride <= use->bytes && use->bytes == (data->vector[0] - 1) * stride + part) {
        use->part = part;
        use->stride = stride;
    }
}

const HieraDatatype *hiera_buffer_type(const HieraCallData *data, const HieraBufferUse *use)
{
    if (data->both || use->use == 'x')
        return use->use == 'x' ? NULL : data->both;
    if (data->access)
        return use->use == 'r' || use->use == 'w' ? data->send : data->receive;
    return use->use == 'r' ? data->send : data->receive;
}

/* Find out what the trace says of the bytes of a use by the call of a row. */
static void place(const Making *making, HieraBufferUse *use, guint32 row)
{
    const HieraCallData *data = hiera_call_data_peek(making->data, row);
    const HieraDatatype *type = data ? hiera_buffer_type(data, use) : NULL;
    if (!type || g_str_has_prefix(type->name, "MPI_"))
        return;
    guint32 maker = find_maker(making, type->name);
    if (use->gaps && maker != HIERA_NONE)
        place_vector(making, use, type, maker);
    use->gaps = use->gaps || !is_plain(making, type->name);
}

/* Without `data`, where parts are is not found out. @param row  of the call whose memory it is; of a start, of the call
 * that made its request */
static void read_call(Making *making, HieraBufferUse use, const char *text, guint32 row)
{
    for (const char *at = text; at && *at;) {
        use.part = use.stride = 0;
        at = read_use(at, &use);
        if (!at)
            break;
        if (making->data && use.missing) /* what is not there, nobody uses */
            continue;
        if (making->data)
            place(making, &use, row);
        g_array_append_val(making->uses, use);
    }
}

static void read_value(Making *making, const HieraAttributeValue *value)
{
    const HieraTrace *trace = making->match->trace;
    HieraBufferUse use = {.row = (guint32)(trace->processors[value->processor].first + value->index)};
    const HieraSite *site = hiera_trace_peek_site(trace, use.row);
    use.until = use.row;
    if (!site->mpi)
        read_access(making, use, value->text);
    else if (site->starts == HIERA_KIND_LOCAL && !hiera_trace_is_failed(trace, use.row) &&
             find_end(making, use.row, &use.until))
        read_call(making, use, value->text, use.row);
}

/* Each start of a persistent request uses the memory of the call that made it. */
static void read_starts(Making *making, guint column)
{
    const HieraMatch *match = making->match;
    for (guint i = 0; i < match->starts->len; i++) {
        const HieraStart *start = &g_array_index(match->starts, HieraStart, i);
        const HieraAttributeValue *value = hiera_trace_find_attribute(match->trace, start->made_by, column);
        HieraBufferUse use = {.row = start->row};
        if (value && value->text && find_end(making, start->row, &use.until))
            read_call(making, use, value->text, start->made_by);
    }
}

GArray *hiera_buffer_uses(const HieraMatch *match)
{
    guint column = find_column();
    Making making = {.match = match, .uses = g_array_new(FALSE, FALSE, sizeof(HieraBufferUse))};
    const GArray *values = match->trace->attribute;
    gboolean any = FALSE;
    for (guint i = 0; column != HIERA_NONE && values && i < values->len && !any; i++)
        any = g_array_index(values, HieraAttributeValue, i).column == column;
    if (!any)
        return making.uses;
    making.ends = g_hash_table_new(NULL, NULL);
    making.local = g_hash_table_new(NULL, NULL);
    making.shared = g_array_new(FALSE, FALSE, sizeof(guint32));
    find_ends(&making);
    find_makers(&making);
    for (guint i = 0; i < values->len; i++) {
        const HieraAttributeValue *value = &g_array_index(values, HieraAttributeValue, i);
        if (value->column == column && value->text)
            read_value(&making, value);
    }
    read_starts(&making, column);
    g_hash_table_unref(making.ends);
    g_hash_table_unref(making.makers);
    hiera_data_of_calls_free(making.data);
    g_hash_table_unref(making.local);
    g_array_unref(making.shared);
    return making.uses;
}

GArray *hiera_buffer_given(const HieraTrace *trace)
{
    guint column = find_column();
    Making making = {.uses = g_array_new(FALSE, FALSE, sizeof(HieraBufferUse))};
    for (guint i = 0; column != HIERA_NONE && trace->attribute && i < trace->attribute->len; i++) {
        const HieraAttributeValue *value = &g_array_index(trace->attribute, HieraAttributeValue, i);
        HieraBufferUse use = {.row = (guint32)(trace->processors[value->processor].first + value->index)};
        if (value->column == column && value->text && hiera_trace_peek_site(trace, use.row)->mpi)
            read_call(&making, use, value->text, use.row);
    }
    return making.uses;
}

/* --- spans --- */

enum { PARTS_MOST = 4096 }; /* that are compared one by one */

/* Whether a span has one of the bytes from `from` to before `to`, as far as that is known. */
static gboolean meets(const HieraBufferSpan *span, gint64 from, gint64 to)
{
    gint64 last = span->address + span->bytes - 1;
    if (span->address >= to || last < from)
        return FALSE;
    if (span->stride == 0)
        return !span->gaps || (span->address >= from && span->address < to) || (last >= from && last < to);
    gint64 before = from - span->part - span->address; /* parts that begin there or earlier end before `from` */
    gint64 begin = span->address + (before < 0 ? 0 : (before / span->stride + 1) * span->stride);
    return begin <= last && begin < to;
}

/* Whether two vectors of one stride lie between each other. */
static gboolean are_woven(const HieraBufferSpan *a, const HieraBufferSpan *b)
{
    gint64 shift = (b->address - a->address) % a->stride;
    shift += shift < 0 ? a->stride : 0;
    return a->stride == b->stride && shift >= a->part && shift + b->part <= a->stride;
}

/* Whether a part of `a` meets `b`. */
static gboolean parts_meet(const HieraBufferSpan *a, const HieraBufferSpan *b)
{
    gint64 skipped = MAX(0, (b->address - a->part - a->address) / a->stride);
    gint64 end = MIN(a->address + a->bytes, b->address + b->bytes);
    gint64 at = a->address + skipped * a->stride;
    for (guint i = 0; i < PARTS_MOST && at < end; i++, at += a->stride)
        if (meets(b, at, at + a->part))
            return TRUE;
    return FALSE;
}

gboolean hiera_buffers_overlap(const HieraBufferSpan *a, const HieraBufferSpan *b)
{
    gboolean has_ends = a->gaps && a->stride == 0;
    if (a->stride > 0 && b->stride > 0)
        return !are_woven(a, b) && parts_meet(a, b);
    if (has_ends || (b->gaps && b->stride == 0)) {
        const HieraBufferSpan *ends = has_ends ? a : b, *other = has_ends ? b : a;
        gint64 last = ends->address + ends->bytes - 1;
        return meets(other, ends->address, ends->address + 1) || meets(other, last, last + 1);
    }
    const HieraBufferSpan *whole = a->stride > 0 ? b : a, *other = a->stride > 0 ? a : b;
    return meets(other, whole->address, whole->address + whole->bytes);
}
