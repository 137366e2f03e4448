/* Views of files: what is written and read has the types of the elements of the view, and so has the file
 * (MPI 4.1, 14.3 and 14.6.6). A view of bytes takes everything. Views are those of the main thread, in the order of its
 * calls. */
#include "call_data.h"
#include "checks.h"
#include <string.h>

typedef struct {
    const HieraCheck *check;
    HieraDataOfCalls *calls;
    GHashTable *views; /* number of a file → row + 1 of the call that set its view last */
} Views;

static gboolean is_of_bytes(const HieraDatatype *type)
{
    return type && strcmp(type->signature, "byte") == 0;
}

/* Report a datatype that differs from the elements of a view within `bytes`; one finding for each pair of call sites.
 */
static void compare(const Views *views, guint32 view, guint32 row, const HieraDatatype *type, gint64 bytes)
{
    const HieraCheck *check = views->check;
    const HieraDatatype *element = hiera_call_data_peek(views->calls, view)->send;
    const HieraTypeDifference *difference = hiera_call_data_compare(views->calls, element, type);
    if (is_of_bytes(element) || (difference->at >= bytes && difference->loose >= bytes))
        return;
    HieraFindingCode code = difference->at < bytes ? HIERA_FINDING_TYPES : HIERA_FINDING_TYPES_LOOSE;
    g_autofree char *subject = g_strdup_printf("view %u %u", check->trace->site[view], check->trace->site[row]);
    if (hiera_findings_repeat(check->findings, code, subject))
        return;
    g_autofree char *here = hiera_check_describe(check, row), *there = hiera_check_describe(check, view);
    hiera_check_stand_at(check, 0, row);
    hiera_check_add(check, code, row, view == row ? HIERA_NONE : view, subject,
                    "%s: rank %u has %s for a file whose view has elements of %s (%s, %s:%u)%s", here,
                    hiera_check_rank(check, row), type->name, element->name, there, hiera_check_path(check, view),
                    hiera_check_line(check, view),
                    code == HIERA_FINDING_TYPES ? "" : "; this works only where both have one representation");
}

static void check_call(const Views *views, guint32 row)
{
    const HieraTrace *trace = views->check->trace;
    const HieraSite *site = hiera_trace_peek_site(trace, row);
    const HieraCallData *data = hiera_call_data_peek(views->calls, row);
    gpointer file = GUINT_TO_POINTER(trace->comm[row]);
    if (!data || trace->thread[row] != 0 || trace->comm[row] == HIERA_NONE || hiera_trace_is_failed(trace, row) ||
        (site->kind != HIERA_KIND_IO && site->kind != HIERA_KIND_IO_ALL))
        return;
    if (strcmp(site->operation, "file_set_view") == 0 && data->send) {
        g_hash_table_insert(views->views, file, GUINT_TO_POINTER(row + 1));
        if (data->receive)
            compare(views, row, row, data->receive, data->receive->size);
        return;
    }
    guint32 view = GPOINTER_TO_UINT(g_hash_table_lookup(views->views, file));
    if (view > 0 && data->both)
        compare(views, view - 1, row, data->both, trace->bytes[row]);
}

void hiera_check_views(const HieraCheck *check)
{
    g_autoptr(HieraDataOfCalls) calls = hiera_data_of_calls_new(check->trace);
    g_autoptr(GHashTable) of_files = g_hash_table_new(NULL, NULL);
    const Views views = {check, calls, of_files};
    guint32 last = HIERA_NONE;
    for (guint i = 0; hiera_data_of_calls_are_kept(calls) && i < check->trace->attribute->len; i++) {
        const HieraAttributeValue *value = &g_array_index(check->trace->attribute, HieraAttributeValue, i);
        guint64 row = check->trace->processors[value->processor].first + value->index;
        if (value->processor != last)
            g_hash_table_remove_all(of_files);
        last = value->processor;
        if (value->text && row < check->trace->n_operations && hiera_scope_is_own(check->scope, value->processor))
            check_call(&views, (guint32)row);
    }
}
