/* Writes the run as an OTF2 archive, for Vampir, ViTE and the tools of Score-P: a location for each thread, a region
 * for each call site, records of MPI inside. What OTF2 has no word for are attributes (otf2/otf2_names.h). Times are
 * those of the trace in nanoseconds. */
#include "exports.h"

#ifdef HIERA_HAVE_OTF2
#include "otf2/otf2_error.h"
#include "otf2_definitions.h"
#include "otf2_events.h"
#include "trace/catalog.h"
#include <errno.h>
#include <glib/gstdio.h>

#define ARCHIVE "traces" /* as Score-P calls it; its anchor file is traces.otf2 */

static OTF2_FlushType flush(void *user, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
    (void)user, (void)type, (void)location, (void)caller, (void) final;
    return OTF2_FLUSH;
}

static gboolean write_archive(HieraOtf2Writer *writer, GError **error)
{
    static const OTF2_FlushCallbacks callbacks = {flush, NULL};
    OTF2_Archive_SetFlushCallbacks(writer->archive, &callbacks, NULL);
    OTF2_Archive_SetSerialCollectiveCallbacks(writer->archive);
    OTF2_Archive_SetCreator(writer->archive, "hiera-transform");
    OTF2_Archive_OpenEvtFiles(writer->archive);
    OTF2_Archive_OpenDefFiles(writer->archive);
    writer->definitions = OTF2_Archive_GetGlobalDefWriter(writer->archive);
    gboolean good = writer->definitions != NULL;
    if (good)
        hiera_otf2_write_definitions(writer);
    for (guint32 i = 0; good && i < writer->trace->n_processors; i++)
        good = hiera_otf2_write_processor(writer, i, error);
    if (good)
        hiera_otf2_write_communicators(writer);
    OTF2_Archive_CloseDefFiles(writer->archive);
    OTF2_Archive_CloseEvtFiles(writer->archive);
    return good;
}

static gboolean fail(GError **error, const char *target, const char *problem)
{
    g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_OUTPUT, "%s: %s", target, problem);
    return FALSE;
}

static gboolean write_folder(const HieraMatch *match, const char *target, GError **error)
{
    const HieraTrace *trace = hiera_match_peek_trace(match);
    HieraOtf2Writer writer = {.match = match, .trace = trace};
    hiera_otf2_error_clear();
    writer.archive = OTF2_Archive_Open(target, ARCHIVE, OTF2_FILEMODE_WRITE, OTF2_CHUNK_SIZE_EVENTS_DEFAULT,
                                       OTF2_CHUNK_SIZE_MAX, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (!writer.archive)
        return fail(error, target, hiera_otf2_error_peek());
    writer.strings = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    writer.texts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    writer.numbers = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    writer.metrics = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    writer.list = OTF2_AttributeList_New();
    writer.windows = g_new(OTF2_RmaWinRef, hiera_catalog_count_communicators(trace->catalog) + 1);
    writer.comms = g_new(OTF2_CommRef, hiera_catalog_count_communicators(trace->catalog) + 1);
    hiera_site_order_init(&writer.order, trace);
    gboolean good = write_archive(&writer, error);
    OTF2_Archive_Close(writer.archive);
    if (good && hiera_otf2_error_peek())
        good = fail(error, target, hiera_otf2_error_peek());
    hiera_site_order_clear(&writer.order);
    g_clear_pointer(&writer.sorted, g_ptr_array_unref);
    g_free(writer.comms);
    g_free(writer.windows);
    OTF2_AttributeList_Delete(writer.list);
    g_hash_table_unref(writer.metrics);
    g_hash_table_unref(writer.numbers);
    g_hash_table_unref(writer.texts);
    g_hash_table_unref(writer.strings);
    return good;
}

gboolean hiera_export_otf2(const HieraExportInput *input, const char *target, GError **error)
{
    g_autofree char *anchor = g_build_filename(target, ARCHIVE ".otf2", NULL);
    if (g_file_test(anchor, G_FILE_TEST_EXISTS))
        return fail(error, anchor, "is there already; remove the archive, or name another folder");
    if (g_mkdir_with_parents(target, 0777) != 0)
        return fail(error, target, g_strerror(errno));
    return write_folder(input->match, target, error);
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
