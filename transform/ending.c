/* Names the call, and those of its arguments that MPI refuses: null handles, ranks that the communicator does not have,
 * negative counts and tags. See ending.h. */
#include "ending.h"
#include "catalog.h"
#include "findings.h"
#include "numbers.h"
#include <string.h>

static const char *const null_handles[] = {"MPI_COMM_NULL", "MPI_DATATYPE_NULL", "MPI_OP_NULL",
                                           "MPI_GROUP_NULL", "MPI_WIN_NULL", "MPI_FILE_NULL"};
static const char *const rank_names[] = {"dest", "rem", "root", "target_rank"};
static const char *const natural_names[] = {"count", "scount", "rcount", "tag", "stag", "rtag"};

static gboolean is_among(const char *text, gsize length, const char *const *names, guint n)
{
    for (guint i = 0; i < n; i++)
        if (strlen(names[i]) == length && memcmp(names[i], text, length) == 0)
            return TRUE;
    return FALSE;
}

/* Members that the call may name by rank; -1 where that is not known. */
static gint64 count_members(const HieraScene *scene, const HieraOperation *operation)
{
    if (operation->comm == HIERA_NONE)
        return -1;
    const HieraCommunicator *comm = hiera_catalog_peek_communicator(scene->catalog, operation->comm);
    const HieraRanks *ranks = comm->remote ? comm->remote : comm->ranks;
    return ranks ? hiera_ranks_count(ranks) : -1;
}

static void add_doubt(GString *doubts, const HieraXmlAttribute *attribute, gint64 members)
{
    gsize length = hiera_attribute_length(attribute);
    gint64 number;
    gboolean is_number = hiera_number_parse(attribute->value, length, &number);
    gboolean rank = is_among(attribute->name, strlen(attribute->name), rank_names, G_N_ELEMENTS(rank_names));
    gboolean natural =
        is_among(attribute->name, strlen(attribute->name), natural_names, G_N_ELEMENTS(natural_names));
    gboolean beyond = rank && is_number && members >= 0 && number >= members;
    if (!beyond && !(is_number && number < 0 && (rank || natural)) &&
        !is_among(attribute->value, length, null_handles, G_N_ELEMENTS(null_handles)))
        return;
    g_string_append_printf(doubts, "%s%s=\"%.*s\"", doubts->len > 0 ? ", " : "", attribute->name, (int)MIN(length, 200),
                           attribute->value);
    if (beyond)
        g_string_append_printf(doubts, " of %" G_GINT64_FORMAT " ranks", members);
}

void hiera_ending_note_call(HieraScene *scene, const HieraXmlAttribute *attributes, guint n,
                            const HieraOperation *operation)
{
    if (!operation->site->mpi || (scene->open_call.site && operation->thread != 0))
        return;
    g_autoptr(GString) doubts = g_string_new(NULL);
    gint64 members = count_members(scene, operation);
    for (guint i = 0; i < n; i++)
        add_doubt(doubts, &attributes[i], members);
    scene->open_call.site = operation->site;
    scene->open_call.line = scene->place.line;
    scene->open_call.doubts = hiera_cache_intern(scene->cache, doubts->str, doubts->len);
}

void hiera_ending_report(HieraScene *scene)
{
    const HieraSite *site = scene->open_call.site;
    const char *doubts = scene->open_call.doubts;
    if (site)
        hiera_findings_add(scene->place.findings, HIERA_FINDING_END, scene->place.path, scene->open_call.line, NULL,
                           "the program ended in this call: %s (%s:%u)%s%s", site->operation, site->file, site->line,
                           *doubts ? "; look at " : "", doubts);
}
