/* Arguments: calls have those that MPI allows. Most are looked at while a trace is read (reading/elements/refused.c);
 * here are those that need other calls: datatypes that nobody committed, accesses that leave a window, and what MPI
 * said when it ended the program. */
#include "base/vocabulary.h"
#include "call_data.h"
#include "checks.h"
#include "reading/elements/refused.h"
#include <string.h>

/* Order of the findings of several processes (hiera_check_stand). */
enum { PHASE_CALLS, PHASE_ENDS };

typedef struct {
    const HieraCheck *check;
    HieraDataOfCalls *calls;
    GHashTable *types;   /* name of a datatype of this processor that is not committed → row + 1 that made it */
    GHashTable *vectors; /* name of a vector of predefined datatypes → row + 1 that made it */
    GHashTable *windows; /* index of a window of this processor → row + 1 that made it */
    GHashTable *freed; /* name of an object of this processor that was used when it was freed → row + 1 that freed it */
} Arguments;

/* Report an argument: one finding for each call site and argument. */
static void report(const HieraCheck *check, guint32 row, const char *text)
{
    gboolean told = hiera_trace_is_failed(check->trace, row) && !hiera_trace_is_open(check->trace, row);
    HieraFindingCode code = told ? HIERA_FINDING_ARGUMENT_TOLD : HIERA_FINDING_ARGUMENT;
    g_autofree char *subject = g_strdup_printf("%u %.*s", check->trace->site[row], (int)strcspn(text, "=("), text);
    if (hiera_findings_repeat(check->findings, code, subject))
        return;
    g_autofree char *here = hiera_check_describe(check, row);
    hiera_check_add(check, code, row, HIERA_NONE, subject, "%s: %s%s", here, text,
                    told ? "; the call returned an error" : "");
}

G_GNUC_PRINTF(4, 5)
static void report_argument(const HieraCheck *check, guint32 row, const char *name, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    guint number = hiera_parameter_find(hiera_trace_peek_site(check->trace, row)->operation, name);
    g_autofree char *whole = g_strdup_printf("argument %u, %s%s", number, hiera_parameter_mpi_name(name), text);
    if (number > 0)
        report(check, row, whole);
}

/* --- datatypes that are not committed --- */

static gboolean communicates(HieraKind kind)
{
    return kind == HIERA_KIND_SEND || kind == HIERA_KIND_RECEIVE || kind == HIERA_KIND_SEND_RECEIVE ||
           kind == HIERA_KIND_PUT || kind == HIERA_KIND_GET || kind == HIERA_KIND_UPDATE || hiera_kind_collective(kind);
}

static void check_type(const Arguments *arguments, guint32 row, const HieraDatatype *type, const char *name)
{
    const HieraCheck *check = arguments->check;
    guint32 made = type ? GPOINTER_TO_UINT(g_hash_table_lookup(arguments->types, type->name)) : 0;
    if (made == 0)
        return;
    g_autofree char *maker = hiera_check_describe(check, made - 1);
    report_argument(check, row, name, " = %s, is not committed; %s made it (MPI 4.1, 5.1.9)", type->name, maker);
}

static void check_types(const Arguments *arguments, guint32 row, const HieraCallData *data, const HieraSite *site)
{
    gboolean access = data->access != NULL;
    if (strcmp(site->operation, "type_commit") == 0 && data->both)
        g_hash_table_remove(arguments->types, data->both->name);
    if (data->made && !g_str_has_prefix(data->made, "MPI_") && strcmp(site->operation, "type_dup") != 0 &&
        !g_str_has_prefix(site->operation, "type_create_f90"))
        g_hash_table_replace(arguments->types, (gpointer)data->made, GUINT_TO_POINTER(row + 1));
    if (!communicates(site->kind) && !communicates(site->starts))
        return;
    check_type(arguments, row, data->both, "type");
    check_type(arguments, row, data->send, access ? "origin_type" : "stype");
    check_type(arguments, row, data->receive, access ? "target_type" : "rtype");
}

/* Whether parts of a vector of predefined datatypes overlap. @param size  of the vector, in bytes */
static gboolean overlaps(const HieraCallData *maker, const HieraSite *site, gint64 size)
{
    gint64 count = maker->vector[0], part = maker->vector[1], stride = maker->vector[2];
    if (strcmp(site->operation, "type_vector") != 0)
        part = count > 0 ? size / count : 0;
    return count > 1 && part > 0 && stride < part && stride > -part;
}

/* MPI writes each place of a buffer at most once. */
static void check_vector(const Arguments *arguments, guint32 row, const HieraDatatype *type, const char *name)
{
    const HieraCheck *check = arguments->check;
    guint32 made = type ? GPOINTER_TO_UINT(g_hash_table_lookup(arguments->vectors, type->name)) : 0;
    const HieraCallData *maker = made > 0 ? hiera_call_data_peek(arguments->calls, made - 1) : NULL;
    if (!maker || !overlaps(maker, hiera_trace_peek_site(check->trace, made - 1), type->size))
        return;
    g_autofree char *place = hiera_check_describe(check, made - 1);
    report_argument(check, row, name,
                    " = %s, has parts that overlap, and MPI writes them; %s made it (MPI 4.1, 5.1.11)", type->name,
                    place);
}

static void check_vectors(const Arguments *arguments, guint32 row, const HieraCallData *data, const HieraSite *site)
{
    gboolean known = data->made && data->vector && data->of && g_str_has_prefix(data->of, "MPI_");
    if (known)
        g_hash_table_replace(arguments->vectors, (gpointer)data->made, GUINT_TO_POINTER(row + 1));
    if (arguments->check->trace->source[row] == HIERA_PROC_NULL)
        return;
    if (site->kind == HIERA_KIND_RECEIVE || site->starts == HIERA_KIND_RECEIVE)
        check_vector(arguments, row, data->both, "type");
    if (hiera_kind_collective(site->kind) || site->kind == HIERA_KIND_SEND_RECEIVE)
        check_vector(arguments, row, data->receive, "rtype");
}

/* --- accesses to windows --- */

static gint64 multiply(gint64 a, gint64 b)
{
    gint64 product;
    return a < 0 || b < 0 || __builtin_mul_overflow(a, b, &product) ? -1 : product;
}

/* Return the row in which a rank made a window that another rank made in the collective call `made`. */
static guint32 find_maker(const HieraCheck *check, guint32 made, gint32 rank)
{
    guint32 number = hiera_match_collective(check->match, made);
    guint n = 0;
    const guint32 *rows = number == HIERA_NONE ? NULL : hiera_match_peek_members(check->match, number, &n);
    for (guint i = 0; i < n; i++)
        if ((gint32)hiera_check_rank(check, rows[i]) == rank)
            return rows[i];
    return HIERA_NONE;
}

/* An access to whole values lies within the window of its target. Other datatypes may begin anywhere. */
static void check_range(const Arguments *arguments, guint32 row, const HieraCallData *data, gint64 bytes)
{
    const HieraCheck *check = arguments->check;
    guint32 made = GPOINTER_TO_UINT(g_hash_table_lookup(arguments->windows, GUINT_TO_POINTER(check->trace->comm[row])));
    gint32 rank = hiera_match_world_rank(check->match, check->trace->comm[row], check->trace->peer[row]);
    guint32 maker = made > 0 && rank >= 0 ? find_maker(check, made - 1, rank) : HIERA_NONE;
    const HieraCallData *window = maker == HIERA_NONE ? NULL : hiera_call_data_peek(arguments->calls, maker);
    if (bytes <= 0 || !window || !window->window || !g_str_has_prefix(data->receive->name, "MPI_"))
        return;
    gint64 size = window->window[0], begin = data->access[1], end;
    if (__builtin_mul_overflow(begin, window->window[1], &begin) || __builtin_add_overflow(begin, bytes, &end) ||
        (begin >= 0 && end <= size))
        return;
    g_autofree char *place = hiera_check_describe(check, maker);
    report_argument(check, row, "target_disp",
                    " = %" G_GINT64_FORMAT ", leaves the window: %" G_GINT64_FORMAT " %s from byte %" G_GINT64_FORMAT
                    " on end at byte %" G_GINT64_FORMAT ", and that of rank %d has %" G_GINT64_FORMAT
                    " bytes (%s) (MPI 4.1, 12.3)",
                    data->access[1], data->access[2], data->receive->name, begin, end, rank, size, place);
}

static void check_access(const Arguments *arguments, guint32 row, const HieraCallData *data, HieraKind kind)
{
    const HieraCheck *check = arguments->check;
    if (!data->access || !data->send || !data->receive || check->trace->peer[row] < 0)
        return;
    gint64 origin = multiply(data->access[0], data->send->size);
    gint64 target = multiply(data->access[2], data->receive->size);
    gboolean put = kind == HIERA_KIND_PUT, get = kind == HIERA_KIND_GET;
    if (origin >= 0 && target >= 0 && ((put && origin > target) || (get && target > origin)))
        report_argument(check, row, put ? "target_count" : "origin_count",
                        " = %" G_GINT64_FORMAT ", is too small: %" G_GINT64_FORMAT " bytes go into %" G_GINT64_FORMAT
                        " (MPI 4.1, 12.3)",
                        data->access[put ? 2 : 0], put ? origin : target, put ? target : origin);
    check_range(arguments, row, data, put && origin >= 0 ? MIN(origin, target) : target);
}

static void note_window(const Arguments *arguments, guint32 row, const HieraCallData *data)
{
    guint32 window = hiera_trace_peek_sparse(arguments->check->trace, row)->other;
    if (data->window && window != HIERA_NONE)
        g_hash_table_replace(arguments->windows, GUINT_TO_POINTER(window), GUINT_TO_POINTER(row + 1));
}

/* --- what MPI said --- */

static const struct {
    const char *name, *about[6], *why;
} classes[] = {
    {"MPI_ERR_BUFFER",
     {"buf", "buffer", "sendbuf", ">recvbuf", "origin_addr"},
     "a null pointer, the same buffer as another argument, or no room for a buffered send"},
    {"MPI_ERR_COUNT", {"count", "scount", "rcount", "origin_count", "target_count"}, ""},
    {"MPI_ERR_TYPE",
     {"type", "stype", "rtype", "oldtype", "oldtypes", ">newtype"},
     "a handle that was freed, or never made"},
    {"MPI_ERR_TAG", {"tag", "stag", "rtag"}, "above MPI_TAG_UB"},
    {"MPI_ERR_COMM", {"comm", "local_comm", "peer_comm"}, "a handle that was freed, or never made"},
    {"MPI_ERR_RANK", {"dest", "rem", "target_rank", "rank"}, "no rank of the communicator"},
    {"MPI_ERR_ROOT", {"root"}, "no rank of the communicator"},
    {"MPI_ERR_OP", {"op"}, "not defined for the datatype"},
    {"MPI_ERR_GROUP", {"group", "group1", "group2"}, "a handle that was freed, or never made"},
    {"MPI_ERR_TOPOLOGY", {"comm"}, "without a topology of this sort"},
    {"MPI_ERR_DIMS", {"ndims", "dims"}, ""},
    {"MPI_ERR_REQUEST", {"=request", ">request", "=requests"}, "null, or no handle of a request"},
    {"MPI_ERR_TRUNCATE", {"count", "rcount", "rcounts"}, "less than what another rank sends"},
    {"MPI_ERR_WIN", {"win"}, "a handle that was freed, or never made"},
    {"MPI_ERR_SIZE", {"size"}, ""},
    {"MPI_ERR_DISP", {"disp_unit", "target_disp"}, ""},
    {"MPI_ERR_LOCKTYPE", {"lock_type"}, ""},
    {"MPI_ERR_ASSERT", {"assert"}, ""},
    {"MPI_ERR_RMA_RANGE", {"target_disp"}, "outside of the window"},
    {"MPI_ERR_RMA_SYNC", {"win"}, "in no epoch that allows the call"},
    {"MPI_ERR_FILE", {"fh"}, "a handle that was closed, or never opened"},
    {"MPI_ERR_AMODE", {"amode"}, ""},
    {"MPI_ERR_KEYVAL", {"comm_keyval", "type_keyval", "win_keyval", "keyval"}, "freed, or never made"},
};

/* Report the argument that the class of MPI's error is about; an argument may be one of several. */
static void report_class(const HieraCheck *check, guint32 row, guint class)
{
    const char *operation = hiera_trace_peek_site(check->trace, row)->operation;
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 0; i < G_N_ELEMENTS(classes[class].about) && classes[class].about[i]; i++) {
        const char *name = classes[class].about[i] + (*classes[class].about[i] == '=');
        guint number = hiera_parameter_find(operation, name);
        if (number > 0)
            g_string_append_printf(text, "%s %u, %s", text->len > 0 ? ", or" : "MPI refused argument", number,
                                   hiera_parameter_mpi_name(name + (*name == '>')));
    }
    if (text->len == 0)
        return;
    g_string_append_printf(text, " (%s)%s%s", classes[class].name, *classes[class].why ? ": " : "", classes[class].why);
    report(check, row, text->str);
}

static guint find_class(const HieraProcessor *processor)
{
    guint class = 0;
    for (; class < G_N_ELEMENTS(classes); class ++) {
        g_autofree char *name = g_strdup_printf("(%s)", classes[class].name);
        if (processor->end && strstr(processor->end, name))
            break;
    }
    return class;
}

/* Say which argument MPI means that ended the program. */
static void check_end(const HieraCheck *check, const HieraProcessor *processor)
{
    guint class = find_class(processor);
    for (guint i = 0; class < G_N_ELEMENTS(classes) && i < check->trace->open->len; i++) {
        guint32 row = g_array_index(check->trace->open, guint32, i);
        if (row < processor->first || row >= processor->first + processor->n_operations ||
            check->trace->thread[row] != 0 || !hiera_trace_peek_site(check->trace, row)->mpi)
            continue;
        hiera_check_stand_at(check, PHASE_ENDS, row);
        report_class(check, row, class);
    }
}

/* --- objects that were freed --- */

static gboolean is_freed_by(const Arguments *arguments, guint32 row, const char *name)
{
    static const char *const frees[] = {"comm_free", "comm_disconnect", HIERA_OPERATION_WIN_FREE};
    const HieraTrace *trace = arguments->check->trace;
    const char *operation = hiera_trace_peek_site(trace, row)->operation;
    if (hiera_trace_is_failed(trace, row))
        return FALSE;
    for (guint i = 0; i < G_N_ELEMENTS(frees); i++)
        if (strcmp(operation, frees[i]) == 0)
            return trace->comm[row] != HIERA_NONE &&
                   strcmp(hiera_catalog_peek_communicator(trace->catalog, trace->comm[row])->id, name) == 0;
    gboolean type = strcmp(operation, "type_free") == 0, op = strcmp(operation, "op_free") == 0;
    const HieraCallData *data = type || op ? hiera_call_data_peek(arguments->calls, row) : NULL;
    return data && ((type && data->both && strcmp(data->both->name, name) == 0) ||
                    (op && data->op && strcmp(data->op, name) == 0));
}

/* Return the row + 1 of the call that freed an object. */
static guint32 find_freer(const Arguments *arguments, const HieraProcessor *of, const char *name)
{
    gpointer known;
    guint32 found = 0;
    if (g_hash_table_lookup_extended(arguments->freed, name, NULL, &known))
        return GPOINTER_TO_UINT(known);
    for (guint32 row = (guint32)of->first; found == 0 && row < of->first + of->n_operations; row++)
        if (is_freed_by(arguments, row, name))
            found = row + 1;
    g_hash_table_insert(arguments->freed, g_strdup(name), GUINT_TO_POINTER(found));
    return found;
}

/* Report the use of an object that was freed before. Callbacks that delete its attributes may use it until the call
 * that frees it is over; and a call that Hiera did not see may have made another one, with the same handle. */
static void report_freed(const Arguments *arguments, guint32 row, const char *text)
{
    const HieraTrace *trace = arguments->check->trace;
    const HieraProcessor *of = &trace->processors[hiera_trace_find_processor(trace, row)];
    const char *begin = strstr(text, " = "), *end = strstr(text, ", " HIERA_REFUSED_FREED);
    g_autofree char *name = begin && end > begin ? g_strndup(begin + 3, (gsize)(end - begin - 3)) : NULL;
    guint32 freed = name ? find_freer(arguments, of, name) : 0;
    if (freed == 0 || trace->finish_ns[freed - 1] > trace->start_ns[row] || hiera_processor_is_past(of))
        return;
    g_autofree char *place = hiera_check_describe(arguments->check, freed - 1);
    g_autofree char *whole = g_strdup_printf("%s; %s freed it", text, place);
    report(arguments->check, row, whole);
}

/* --- all calls of a processor --- */

static void report_refused(const Arguments *arguments, guint32 row, const char *text)
{
    if (strstr(text, ", " HIERA_REFUSED_FREED))
        report_freed(arguments, row, text);
    else
        report(arguments->check, row, text);
}

static void check_call(const Arguments *arguments, guint32 row, const HieraCallData *data)
{
    const HieraSite *site = hiera_trace_peek_site(arguments->check->trace, row);
    hiera_check_stand_at(arguments->check, PHASE_CALLS, row);
    for (guint i = 0; data->refused && i < data->refused->len; i++)
        report_refused(arguments, row, g_ptr_array_index(data->refused, i));
    check_types(arguments, row, data, site);
    check_vectors(arguments, row, data, site);
    note_window(arguments, row, data);
    check_access(arguments, row, data, site->kind);
}

/* Whether calls that commit datatypes may be missing, or be later in the document than those that use them. */
static gboolean may_lack_commits(const HieraTrace *trace, const HieraProcessor *processor)
{
    for (guint i = 0; trace->filtered && i < trace->filtered->len; i++)
        if (g_array_index(trace->filtered, HieraFilteredOf, i).processor == processor->number)
            return TRUE;
    return processor->calls_in_threads || processor->paused_calls > 0 || *processor->seam ||
           processor->lost_calls > 0 || hiera_processor_is_past(processor);
}

/* Check the calls of a processor. @param at  index of its first value in HieraTrace.attribute. @return the next one's
 */
static guint check_calls(const HieraCheck *check, HieraDataOfCalls *calls, const HieraProcessor *processor, guint at)
{
    g_autoptr(GHashTable) types = g_hash_table_new(g_str_hash, g_str_equal);
    g_autoptr(GHashTable) vectors = g_hash_table_new(g_str_hash, g_str_equal), windows = g_hash_table_new(NULL, NULL);
    g_autoptr(GHashTable) freed = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    const Arguments arguments = {check, calls, types, vectors, windows, freed};
    const GArray *values = check->trace->attribute;
    gboolean own = hiera_scope_is_own(check->scope, processor->number),
             lacks = may_lack_commits(check->trace, processor);
    guint64 last = G_MAXUINT64;
    for (; at < values->len; at++) {
        const HieraAttributeValue *value = &g_array_index(values, HieraAttributeValue, at);
        if (value->processor != processor->number)
            break;
        guint32 row = (guint32)(processor->first + value->index);
        if (!own || value->index == last || value->index >= processor->n_operations)
            continue;
        last = value->index;
        const HieraCallData *data = hiera_call_data_peek(calls, row);
        if (lacks)
            g_hash_table_remove_all(types);
        if (data)
            check_call(&arguments, row, data);
    }
    return at;
}

void hiera_check_arguments(const HieraCheck *check)
{
    g_autoptr(HieraDataOfCalls) calls = hiera_data_of_calls_new(check->trace);
    guint32 n = check->trace->n_processors;
    g_autofree gboolean *found = g_new0(gboolean, (gsize)n + 1);
    for (guint32 i = 0, at = 0; hiera_data_of_calls_are_kept(calls) && i < n; i++) {
        guint64 before = hiera_findings_sum(check->findings);
        at = check_calls(check, calls, &check->trace->processors[i], at);
        found[i] = hiera_findings_sum(check->findings) > before;
    }
    for (guint32 i = 0; i < n; i++)
        if (!found[i] && hiera_scope_is_own(check->scope, i))
            check_end(check, &check->trace->processors[i]);
}
