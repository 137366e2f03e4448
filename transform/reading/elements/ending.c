/* See ending.h. The finding names the call, and arguments that MPI forbids. */
#include "ending.h"
#include "base/findings.h"
#include "refused.h"
#include "trace/catalog.h"

enum { KEPT_MOST = 8 }; /* most requests of the call that the finding names */

/* Keep the numbers of the call's requests. The operations that made them are looked up at the end of the trace,
 * because they can be in the section of another thread, after the call. */
static void note_requests(HieraReadContext *context, const HieraOperation *operation)
{
    g_clear_pointer(&context->open_call.requests, g_free);
    context->open_call.n_requests = context->open_call.n_kept = 0;
    for (guint i = 0; i < operation->n_requests; i++) {
        if (operation->requests[i].number <= 0)
            continue;
        if (!context->open_call.requests)
            context->open_call.requests = g_new(gint64, KEPT_MOST);
        if (context->open_call.n_requests++ < KEPT_MOST)
            context->open_call.requests[context->open_call.n_kept++] = operation->requests[i].number;
    }
}

void hiera_ending_note_call(HieraReadContext *context, const HieraXmlAttribute *attributes, guint n,
                            const HieraOperation *operation)
{
    if (!operation->site->mpi || (context->open_call.site && operation->thread != 0))
        return;
    g_autoptr(GString) doubts = g_string_new(NULL);
    hiera_refused_read(context, attributes, n, operation, "", "; ", doubts);
    note_requests(context, operation);
    context->open_call.site = operation->site;
    context->open_call.line = context->place.line;
    context->open_call.doubts = hiera_cache_intern(context->cache, doubts->str, doubts->len);
}

static void add_number(GString *text, const char *word, gint32 number, const char *any)
{
    if (number >= 0)
        g_string_append_printf(text, "%s%d", word, number);
    else if (number == HIERA_ANY)
        g_string_append(text, any);
}

/* Append a text about the operation that made a request: "irecv (app.c:31) from rank 0, tag 7, on MPI_COMM_WORLD". */
static void add_maker(const HieraReadContext *context, GString *text, const HieraMaker *maker)
{
    const HieraSite *site = maker->site;
    HieraKind kind = site->starts == HIERA_KIND_LOCAL ? site->kind : site->starts;
    g_string_append_printf(text, "%s (%s:%u)", site->operation, site->file, site->line);
    if (kind == HIERA_KIND_SEND)
        add_number(text, " to rank ", maker->peer, "");
    else if (kind == HIERA_KIND_RECEIVE)
        add_number(text, " from rank ", maker->source, " from any rank");
    add_number(text, ", tag ", maker->tag, ", any tag");
    if (maker->comm != HIERA_NONE)
        g_string_append_printf(text, ", on %s", hiera_catalog_peek_communicator(context->catalog, maker->comm)->id);
}

/* Return a text about the call's requests, "; it waits for …; …; and 3 more"; "": it has none. */
static char *describe_requests(const HieraReadContext *context)
{
    GString *text = g_string_new(NULL);
    gboolean waits = context->open_call.site->kind == HIERA_KIND_COMPLETE;
    for (guint i = 0; i < context->open_call.n_kept; i++) {
        const HieraMaker *maker = hiera_outstanding_find(context->outstanding, context->open_call.requests[i]);
        g_string_append(text, i > 0 ? "; " : waits ? "; it waits for " : "; its request: ");
        if (maker)
            add_maker(context, text, maker);
        else
            g_string_append(text, "a request whose start is not in the trace");
    }
    if (context->open_call.n_requests > context->open_call.n_kept)
        g_string_append_printf(text, "; and %u more", context->open_call.n_requests - context->open_call.n_kept);
    return g_string_free(text, FALSE);
}

void hiera_ending_report(HieraReadContext *context)
{
    const HieraSite *site = context->open_call.site;
    const char *doubts = context->open_call.doubts;
    if (!site)
        return;
    g_autofree char *requests = describe_requests(context);
    const HieraFindingAt at = {context->place.path, context->open_call.line, {{site->file, site->line}}};
    hiera_findings_add_at(context->place.findings, HIERA_FINDING_END, &at, NULL,
                          "the program ended in this call: %s (%s:%u)%s%s%s", site->operation, site->file, site->line,
                          *doubts ? "; " : "", doubts, requests);
}
