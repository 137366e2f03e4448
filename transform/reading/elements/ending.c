/* See ending.h. The finding names the call, and arguments that MPI would reject: null handles, ranks that are not in
 * the communicator, negative counts and tags. */
#include "ending.h"
#include "base/findings.h"
#include "base/parse_numbers.h"
#include "trace/catalog.h"
#include <string.h>

static const char *const null_handles[] = {"MPI_COMM_NULL",  "MPI_DATATYPE_NULL", "MPI_OP_NULL",
                                           "MPI_GROUP_NULL", "MPI_WIN_NULL",      "MPI_FILE_NULL"};
static const char *const rank_names[] = {"dest", "rem", "root", "target_rank"};
static const char *const natural_names[] = {"count", "scount", "rcount", "tag", "stag", "rtag"};

enum { KEPT_MOST = 8 }; /* most requests of the call that the finding names */

static gboolean is_among(const char *text, gsize length, const char *const *names, guint n)
{
    for (guint i = 0; i < n; i++)
        if (strlen(names[i]) == length && memcmp(names[i], text, length) == 0)
            return TRUE;
    return FALSE;
}

/* Return the number of members that ranks in the call can mean: on an intercommunicator those of the remote group; -1
 * if it is unknown. */
static gint64 count_members(const HieraReadContext *context, const HieraOperation *operation)
{
    if (operation->comm == HIERA_NONE)
        return -1;
    const HieraCommunicator *comm = hiera_catalog_peek_communicator(context->catalog, operation->comm);
    return comm->declared ? hiera_ranks_count(comm->remote ? comm->remote : comm->ranks) : -1;
}

/* Append the name of an attribute of the call to `doubts` if MPI would reject its value. */
static void add_doubt(GString *doubts, const HieraXmlAttribute *attribute, gint64 members)
{
    gsize length = hiera_attribute_length(attribute);
    gint64 number;
    gboolean is_number = hiera_number_parse(attribute->value, length, &number);
    gboolean rank = is_among(attribute->name, strlen(attribute->name), rank_names, G_N_ELEMENTS(rank_names));
    gboolean natural = is_among(attribute->name, strlen(attribute->name), natural_names, G_N_ELEMENTS(natural_names));
    gboolean beyond = rank && is_number && members >= 0 && number >= members;
    if (!beyond && !(is_number && number < 0 && (rank || natural)) &&
        !is_among(attribute->value, length, null_handles, G_N_ELEMENTS(null_handles)))
        return;
    g_string_append_printf(doubts, "%s%s=\"%.*s\"", doubts->len > 0 ? ", " : "", attribute->name, (int)MIN(length, 200),
                           attribute->value);
    if (beyond)
        g_string_append_printf(doubts, " of %" G_GINT64_FORMAT " ranks", members);
}

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
    gint64 members = count_members(context, operation);
    for (guint i = 0; i < n; i++)
        add_doubt(doubts, &attributes[i], members);
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
                          *doubts ? "; suspicious arguments: " : "", doubts, requests);
}
