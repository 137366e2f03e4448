/* See otf2_openmp.h. The team of each processor is a communicator of all of its threads, behind those of MPI. */
#include "otf2_openmp.h"
#include "base/parse_numbers.h"
#include <string.h>

#define REQUESTED "requested="

typedef enum { NEITHER, REGION, PART } Team;

/* The threads of a processor among all threads of OpenMP. */
typedef struct {
    guint32 processor, first, n;
} Members;

static gboolean is_openmp(const HieraSite *site)
{
    return strcmp(site->level, "openmp") == 0;
}

OTF2_RegionRole hiera_otf2_openmp_role(const HieraSite *site)
{
    static const struct {
        const char *operation;
        OTF2_RegionRole role;
    } roles[] = {{"parallel", OTF2_REGION_ROLE_PARALLEL},         {"teams", OTF2_REGION_ROLE_PARALLEL},
                 {"implicit task", OTF2_REGION_ROLE_TASK},        {"task", OTF2_REGION_ROLE_TASK},
                 {"create task", OTF2_REGION_ROLE_TASK_CREATE},   {"taskloop", OTF2_REGION_ROLE_TASK_CREATE},
                 {"taskwait", OTF2_REGION_ROLE_TASK_WAIT},        {"taskgroup", OTF2_REGION_ROLE_TASK_WAIT},
                 {"barrier", OTF2_REGION_ROLE_BARRIER},           {"acquire critical", OTF2_REGION_ROLE_CRITICAL},
                 {"critical", OTF2_REGION_ROLE_CRITICAL_SBLOCK},  {"acquire ordered", OTF2_REGION_ROLE_ORDERED},
                 {"ordered", OTF2_REGION_ROLE_ORDERED_SBLOCK},    {"acquire atomic", OTF2_REGION_ROLE_ATOMIC},
                 {"acquire copyprivate", OTF2_REGION_ROLE_SINGLE}};
    for (guint i = 0; i < G_N_ELEMENTS(roles); i++) {
        if (strcmp(roles[i].operation, site->operation) == 0)
            return roles[i].role;
    }
    return OTF2_REGION_ROLE_FUNCTION; /* of locks */
}

/* --- teams --- */

void hiera_otf2_teams_init(HieraOtf2Writer *writer)
{
    gboolean found = FALSE;
    for (guint i = 0; i < writer->order.n && !found; i++)
        found = is_openmp(writer->order.sites[i]);
    if (!found)
        return;
    writer->teams = g_array_new(FALSE, FALSE, sizeof(Members));
    writer->threads = g_array_new(FALSE, FALSE, sizeof(guint64));
}

void hiera_otf2_teams_clear(HieraOtf2Writer *writer)
{
    g_clear_pointer(&writer->teams, g_array_unref);
    g_clear_pointer(&writer->threads, g_array_unref);
}

void hiera_otf2_teams_add(HieraOtf2Writer *writer, guint32 processor, OTF2_LocationRef location)
{
    if (!writer->teams)
        return;
    guint n = writer->teams->len;
    Members fresh = {processor, writer->threads->len, 0};
    if (n == 0 || g_array_index(writer->teams, Members, n - 1).processor != processor)
        g_array_append_val(writer->teams, fresh);
    g_array_index(writer->teams, Members, writer->teams->len - 1).n++;
    g_array_append_val(writer->threads, location);
}

static OTF2_CommRef find_team(const HieraOtf2Writer *writer, guint32 processor)
{
    return writer->n_comms + processor;
}

static void write_team(HieraOtf2Writer *writer, const Members *of)
{
    const HieraProcessor *processor = &writer->trace->processors[of->processor];
    g_autofree guint64 *members = g_new(guint64, of->n);
    g_autofree char *name = g_strdup_printf("threads of P%u", processor->rank);
    for (guint32 i = 0; i < of->n; i++)
        members[i] = of->first + i;
    OTF2_GlobalDefWriter_WriteGroup(writer->definitions, writer->n_groups, hiera_otf2_string(writer, ""),
                                    OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_OPENMP, OTF2_GROUP_FLAG_NONE, of->n,
                                    members);
    OTF2_GlobalDefWriter_WriteComm(writer->definitions, find_team(writer, of->processor),
                                   hiera_otf2_string(writer, name), writer->n_groups++, OTF2_UNDEFINED_COMM,
                                   OTF2_COMM_FLAG_NONE);
}

void hiera_otf2_write_teams(HieraOtf2Writer *writer)
{
    if (!writer->teams)
        return;
    OTF2_GlobalDefWriter_WriteGroup(writer->definitions, writer->n_groups++, hiera_otf2_string(writer, ""),
                                    OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_OPENMP, OTF2_GROUP_FLAG_NONE,
                                    writer->threads->len, (const guint64 *)(void *)writer->threads->data);
    for (guint i = 0; i < writer->teams->len; i++)
        write_team(writer, &g_array_index(writer->teams, Members, i));
}

/* --- records --- */

static Team find_part(const HieraSite *site)
{
    if (!is_openmp(site))
        return NEITHER;
    if (strcmp(site->operation, "implicit task") == 0)
        return PART;
    return hiera_otf2_openmp_role(site) == OTF2_REGION_ROLE_PARALLEL ? REGION : NEITHER;
}

void hiera_otf2_write_team_begin(const HieraOtf2Writer *writer, OTF2_EvtWriter *events, OTF2_TimeStamp time,
                                 guint32 processor, const HieraSite *site, const char *args)
{
    gint64 requested = OTF2_UNDEFINED_UINT32;
    Team team = find_part(site);
    if (g_str_has_prefix(args, REQUESTED))
        hiera_number_parse_between(args + strlen(REQUESTED), strlen(args) - strlen(REQUESTED), 0, G_MAXUINT32,
                                   &requested);
    if (team == REGION)
        OTF2_EvtWriter_ThreadFork(events, NULL, time, OTF2_PARADIGM_OPENMP, (guint32)requested);
    else if (team == PART)
        OTF2_EvtWriter_ThreadTeamBegin(events, NULL, time, find_team(writer, processor));
}

void hiera_otf2_write_team_end(const HieraOtf2Writer *writer, OTF2_EvtWriter *events, OTF2_TimeStamp time,
                               guint32 processor, const HieraSite *site)
{
    Team team = find_part(site);
    if (team == REGION)
        OTF2_EvtWriter_ThreadJoin(events, NULL, time, OTF2_PARADIGM_OPENMP);
    else if (team == PART)
        OTF2_EvtWriter_ThreadTeamEnd(events, NULL, time, find_team(writer, processor));
}
