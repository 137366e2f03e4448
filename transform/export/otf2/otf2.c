/* Writes the run as an OTF2 archive, for Vampir, ViTE and the tools of Score-P: a location for each thread, a region
 * for each call site, records of MPI inside. Attributes hold what OTF2 cannot express otherwise (otf2/otf2_names.h).
 * Times are those of the trace in nanoseconds. */
#include "otf2.h"

#ifdef HIERA_HAVE_OTF2
#include "export/export_parts.h"
#include "otf2/otf2_error.h"
#include "otf2_communicators.h"
#include "otf2_definitions.h"
#include "otf2_events.h"
#include "otf2_openmp.h"
#include "otf2_together.h"
#include "trace/catalog.h"
#include "xml/trace_size.h"
#include <glib/gstdio.h>

#define ARCHIVE "traces" /* name of the archive, as Score-P chooses it; the archive's anchor file is traces.otf2 */
/* Greatest number of strings in a mapping table: one record, 5 bytes per number, which must fit into a chunk. */
#define MOST_STRINGS(chunk_bytes) (guint32)(((chunk_bytes)-1024) / 5)
/* Chunks of definitions. libotf2 clears each chunk that it makes, and readers make chunks of the same size, so runs
 * whose records are all short have short ones: traces of few bytes (no text is longer than its trace), and few ranks in
 * each group. */
#define CHUNK       OTF2_CHUNK_SIZE_EVENTS_DEFAULT
#define LONG_CHUNK  OTF2_CHUNK_SIZE_MAX
#define SHORT_TRACE (gint64)(CHUNK / 8)
#define FEW_RANKS   (guint32)(CHUNK / 16)

static OTF2_FlushType flush(void *user, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
    (void)user, (void)type, (void)location, (void)caller, (void) final;
    return OTF2_FLUSH;
}

static gboolean fail(GError **error, const char *target, const char *problem)
{
    g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_OUTPUT, "%s: %s", target, problem);
    return FALSE;
}

static void write_definitions(HieraOtf2Writer *writer, const char *target, GError **error)
{
    writer->definitions = OTF2_Archive_GetGlobalDefWriter(writer->archive);
    if (writer->definitions)
        hiera_otf2_write_definitions(writer);
    else
        fail(error, target, hiera_otf2_error_peek());
}

/* Write the events of this process's processors. @return HieraOtf2Processor, by processor; NULL: of another process */
static GPtrArray *write_events(HieraOtf2Writer *writer, GError **error)
{
    GPtrArray *processors = g_ptr_array_new_with_free_func(hiera_otf2_processor_free);
    for (guint32 i = 0; i < writer->trace->n_processors; i++) {
        gboolean writes = hiera_scope_is_own(writer->scope, i) && !*error;
        g_ptr_array_add(processors, writes ? hiera_otf2_write_events(writer, i, error) : NULL);
    }
    return processors;
}

static void write_archive(HieraOtf2Writer *writer, const char *target, GError **error)
{
    OTF2_Archive_SetCreator(writer->archive, "hiera-transform");
    OTF2_Archive_OpenEvtFiles(writer->archive);
    OTF2_Archive_OpenDefFiles(writer->archive);
    hiera_otf2_number_communicators(writer);
    hiera_otf2_teams_init(writer);
    if (hiera_scope_leads(writer->scope))
        write_definitions(writer, target, error);
    g_autoptr(GPtrArray) processors = write_events(writer, error);
    if (hiera_export_agree_on_error(writer->scope, error))
        hiera_otf2_write_processors(writer, processors);
    if (hiera_scope_leads(writer->scope) && !*error) {
        hiera_otf2_write_communicators(writer);
        hiera_otf2_write_teams(writer);
    }
    OTF2_Archive_CloseDefFiles(writer->archive);
    OTF2_Archive_CloseEvtFiles(writer->archive);
}

static gboolean is_short(const HieraOtf2Writer *writer)
{
    const HieraTrace *trace = writer->trace;
    gboolean all = hiera_otf2_count_ranks(trace) <= FEW_RANKS, compressed;
    for (guint32 i = 0; i < trace->n_processors && all; i++) {
        gint64 bytes = hiera_trace_size(trace->processors[i].path, &compressed);
        all = !hiera_scope_is_own(writer->scope, i) || (bytes > 0 && bytes <= SHORT_TRACE && !compressed);
    }
    return hiera_scope_agree(writer->scope, all);
}

static void writer_init(HieraOtf2Writer *writer, const HieraExportInput *input, guint32 most_strings)
{
    const HieraTrace *trace = hiera_match_peek_trace(input->match);
    *writer = (HieraOtf2Writer){.match = input->match, .trace = trace, .scope = input->scope};
    writer->chunk_bytes = is_short(writer) ? CHUNK : LONG_CHUNK;
    writer->most_strings = MIN(most_strings, MOST_STRINGS(writer->chunk_bytes));
    hiera_otf2_names_init(&writer->names);
    writer->list = OTF2_AttributeList_New();
    writer->windows = g_new(OTF2_RmaWinRef, hiera_catalog_count_communicators(trace->catalog) + 1);
    writer->comms = g_new(OTF2_CommRef, hiera_catalog_count_communicators(trace->catalog) + 1);
    hiera_site_order_init(&writer->order, trace);
}

static void writer_clear(HieraOtf2Writer *writer)
{
    hiera_otf2_teams_clear(writer);
    hiera_site_order_clear(&writer->order);
    g_clear_pointer(&writer->sorted, g_ptr_array_unref);
    g_free(writer->comms);
    g_free(writer->windows);
    OTF2_AttributeList_Delete(writer->list);
    hiera_otf2_names_clear(&writer->names);
}

static gboolean open_archive(HieraOtf2Writer *writer, const char *target)
{
    static const OTF2_FlushCallbacks callbacks = {flush, NULL};
    writer->archive = OTF2_Archive_Open(target, ARCHIVE, OTF2_FILEMODE_WRITE, OTF2_CHUNK_SIZE_EVENTS_DEFAULT,
                                        writer->chunk_bytes, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    return writer->archive && OTF2_Archive_SetFlushCallbacks(writer->archive, &callbacks, NULL) == OTF2_SUCCESS;
}

static gboolean write_folder(const HieraExportInput *input, const char *target, guint32 most_strings, GError **error)
{
    HieraOtf2Writer writer;
    hiera_otf2_error_clear();
    writer_init(&writer, input, most_strings);
    if (!open_archive(&writer, target))
        fail(error, target, hiera_otf2_error_peek());
    if (hiera_export_agree_on_error(writer.scope, error) && hiera_otf2_begin_together(writer.archive, writer.scope))
        write_archive(&writer, target, error);
    if (writer.archive)
        OTF2_Archive_Close(writer.archive);
    writer_clear(&writer);
    if (!*error && hiera_otf2_error_peek())
        fail(error, target, hiera_otf2_error_peek());
    return hiera_export_agree_on_error(input->scope, error);
}

static gboolean make_folder(const char *target, GError **error)
{
    g_autofree char *anchor = g_build_filename(target, ARCHIVE ".otf2", NULL);
    if (g_file_test(anchor, G_FILE_TEST_EXISTS))
        return fail(error, anchor, "is there already; remove the archive, or name another folder");
    return hiera_output_folder_make(target, error);
}

gboolean hiera_otf2_write(const HieraExportInput *input, const char *target, guint32 most_strings, GError **error)
{
    gboolean there = !hiera_scope_leads(input->scope) || make_folder(target, error);
    return hiera_scope_agree(input->scope, there) && write_folder(input, target, most_strings, error);
}

gboolean hiera_export_otf2(const HieraExportInput *input, const char *target, GError **error)
{
    return hiera_otf2_write(input, target, G_MAXUINT32, error);
}

#else

gboolean hiera_export_otf2(const HieraExportInput *input, const char *target, GError **error)
{
    (void)input;
    g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_OUTPUT,
                "%s: this hiera-transform was built without libotf2, so it writes no OTF2; install it (on Debian "
                "libotf2-trace-dev) and build again",
                target);
    return FALSE;
}

#endif
