#include "otf2_definitions.h"
#include "base/vocabulary.h"
#include "otf2/otf2_names.h"
#include "otf2_openmp.h"
#include <string.h>

#define NS_PER_SECOND 1000000000
#define NODE_OF_JOB   0

/* --- definition of the clock --- */

static void write_clock(HieraOtf2Writer *writer)
{
    guint64 last_ns = 0;
    for (guint32 i = 0; i < writer->trace->n_processors; i++)
        last_ns = MAX(last_ns, (guint64)MAX(writer->trace->processors[i].finalize_ns, 0));
    OTF2_GlobalDefWriter_WriteClockProperties(writer->definitions, NS_PER_SECOND, 0, last_ns, OTF2_UNDEFINED_TIMESTAMP);
}

/* --- definitions of regions: call sites --- */

static OTF2_RegionRole role_of(const HieraSite *site)
{
    switch (site->kind) {
    case HIERA_KIND_SEND:
    case HIERA_KIND_RECEIVE:
    case HIERA_KIND_SEND_RECEIVE:
        return OTF2_REGION_ROLE_POINT2POINT;
    case HIERA_KIND_ALL_TO_ALL:
    case HIERA_KIND_GROUP:
        return OTF2_REGION_ROLE_COLL_ALL2ALL;
    case HIERA_KIND_ONE_TO_ALL:
        return OTF2_REGION_ROLE_COLL_ONE2ALL;
    case HIERA_KIND_ALL_TO_ONE:
        return OTF2_REGION_ROLE_COLL_ALL2ONE;
    case HIERA_KIND_PREFIX:
    case HIERA_KIND_NEIGHBOR:
        return OTF2_REGION_ROLE_COLL_OTHER;
    case HIERA_KIND_IO:
    case HIERA_KIND_IO_ALL:
        return OTF2_REGION_ROLE_FILE_IO;
    case HIERA_KIND_PUT:
    case HIERA_KIND_GET:
    case HIERA_KIND_UPDATE:
        return OTF2_REGION_ROLE_RMA;
    default:
        return site->mpi ? OTF2_REGION_ROLE_FUNCTION : OTF2_REGION_ROLE_CODE;
    }
}

static OTF2_Paradigm paradigm_of(const HieraSite *site)
{
    if (site->mpi)
        return OTF2_PARADIGM_MPI;
    if (strcmp(site->level, "openmp") == 0)
        return OTF2_PARADIGM_OPENMP;
    return strcmp(site->level, HIERA_LEVEL_FUNCTION) == 0 ? OTF2_PARADIGM_COMPILER : OTF2_PARADIGM_USER;
}

static void write_region(HieraOtf2Writer *writer, guint number, const HieraSite *site)
{
    g_autofree char *name = site->mpi ? hiera_otf2_function(site->operation) : hiera_export_name(site);
    guint32 line = site->line ? site->line : OTF2_UNDEFINED_UINT32;
    OTF2_Paradigm paradigm = paradigm_of(site);
    OTF2_RegionRole role = paradigm == OTF2_PARADIGM_OPENMP ? hiera_otf2_openmp_role(site) : role_of(site);
    OTF2_GlobalDefWriter_WriteRegion(writer->definitions, number, hiera_otf2_string(writer, name),
                                     hiera_otf2_string(writer, site->operation), hiera_otf2_string(writer, site->level),
                                     role, paradigm, OTF2_REGION_FLAG_NONE, hiera_otf2_string(writer, site->file), line,
                                     line);
}

/* --- definitions of hosts and processes --- */

static void write_processes(HieraOtf2Writer *writer)
{
    const HieraTrace *trace = writer->trace;
    g_autoptr(GHashTable) nodes = g_hash_table_new(g_str_hash, g_str_equal); /* host → number of its node; 0: the job */
    OTF2_GlobalDefWriter_WriteSystemTreeNode(writer->definitions, NODE_OF_JOB,
                                             hiera_otf2_string(writer, trace->processors[0].application),
                                             hiera_otf2_string(writer, "machine"), OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    for (guint32 i = 0; i < trace->n_processors; i++) {
        const HieraProcessor *processor = &trace->processors[i];
        guint node = GPOINTER_TO_UINT(g_hash_table_lookup(nodes, processor->host));
        if (!node && processor->host[0]) {
            node = g_hash_table_size(nodes) + 1;
            g_hash_table_insert(nodes, (gpointer)processor->host, GUINT_TO_POINTER(node));
            OTF2_GlobalDefWriter_WriteSystemTreeNode(writer->definitions, node,
                                                     hiera_otf2_string(writer, processor->host),
                                                     hiera_otf2_string(writer, "node"), NODE_OF_JOB);
        }
        g_autofree char *name = hiera_export_lane(processor, 0);
        OTF2_GlobalDefWriter_WriteLocationGroup(writer->definitions, i, hiera_otf2_string(writer, name),
                                                OTF2_LOCATION_GROUP_TYPE_PROCESS, node, OTF2_UNDEFINED_LOCATION_GROUP);
    }
}

void hiera_otf2_write_definitions(HieraOtf2Writer *writer)
{
    write_clock(writer);
    OTF2_GlobalDefWriter_WriteParadigm(writer->definitions, OTF2_PARADIGM_MPI, hiera_otf2_string(writer, "MPI"),
                                       OTF2_PARADIGM_CLASS_PROCESS);
    if (writer->teams)
        OTF2_GlobalDefWriter_WriteParadigm(writer->definitions, OTF2_PARADIGM_OPENMP,
                                           hiera_otf2_string(writer, "OpenMP"), OTF2_PARADIGM_CLASS_THREAD_FORK_JOIN);
    OTF2_GlobalDefWriter_WriteParameter(writer->definitions, writer->note, hiera_otf2_string(writer, HIERA_OTF2_NOTE),
                                        OTF2_PARAMETER_TYPE_STRING);
    write_processes(writer);
    for (guint i = 0; i < writer->order.n; i++)
        write_region(writer, i, writer->order.sites[i]);
}
