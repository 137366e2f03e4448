/* Writes the HTML file: a head with the Content-Security-Policy, the page's frame, its data blocks, its script. */
#include "compose.h"
#include "base/block.h"
#include "counted.h"
#include "details.h"
#include "head.h"
#include "heat.h"
#include "hot.h"
#include "page_parts.h"
#include "sums.h"
#include "timeline/arrows.h"
#include "timeline/bands.h"
#include "timeline/teams.h"
#include "timeline/tiles.h"
#include "worst.h"
#include <string.h>

static char *hash_of(const char *text)
{
    guint8 digest[32];
    gsize n = sizeof digest;
    g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
    g_checksum_update(checksum, (const guchar *)text, -1);
    g_checksum_get_digest(checksum, digest, &n);
    return g_base64_encode(digest, n);
}

/* Return the Content-Security-Policy: the page may run its own script, have its own style and, if a server delivers it,
 * send requests to that server. */
char *hiera_page_policy(gboolean served)
{
    g_autofree char *script = hash_of(hiera_file_page_js), *style = hash_of(hiera_file_page_css);
    return g_strdup_printf("default-src 'none'; script-src 'sha256-%s'; style-src-elem 'sha256-%s'; style-src-attr "
                           "'unsafe-inline'; %sbase-uri 'none'; form-action 'none'",
                           script, style, served ? "connect-src 'self'; " : "");
}

void hiera_page_top_write(const HieraPage *page, const HieraScene *scene, FILE *stream)
{
    const char *application = scene->trace->processors[0].application;
    g_autofree char *policy = hiera_page_policy(page->served),
                    *title = g_markup_escape_text(application[0] ? application : "trace", -1);
    fprintf(stream,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta http-equiv=\"Content-Security-Policy\" content=\"%s\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            "<meta name=\"referrer\" content=\"no-referrer\">\n<title>%s - Hiera</title>\n<style>%s</style>\n</head>\n",
            policy, title, hiera_file_page_css);
    fputs(hiera_file_frame_html, stream);
}

static const HieraTable *find_table(const HieraPage *page, const char *name)
{
    for (guint i = 0; i < page->n_tables; i++) {
        if (strcmp(hiera_table_peek_title(page->tables[i]), name) == 0)
            return page->tables[i];
    }
    return NULL;
}

/* Make the page have full details of all operations to which rows of tables link. */
static void want_operations(const HieraPage *page, HieraWorst *worst)
{
    for (guint i = 0; i < page->n_tables; i++) {
        for (guint row = 0; row < hiera_table_count(page->tables[i]); row++)
            hiera_worst_want(worst, hiera_table_peek_operation(page->tables[i], row));
    }
}

static void write_heat(const HieraScene *scene, const HieraMatch *match, const GArray *waits, FILE *stream)
{
    g_autoptr(GByteArray) block = hiera_heat_make(scene, match, waits);
    hiera_block_write(block->data, block->len, stream, "heat");
}

static void write_tree(const HieraScene *scene, const GArray *waits, HieraWorst *worst, FILE *stream)
{
    g_autoptr(HieraTree) tree = hiera_tree_make(scene, waits);
    hiera_tree_write(tree, worst, stream);
    hiera_counted_write(scene, stream);
}

void hiera_page_rest_write(const HieraPage *page, const HieraScene *scene, const GArray *waits, const GArray *details,
                           FILE *stream)
{
    HieraCriticalPath path;
    hiera_page_path_find(&path, scene, waits);
    g_autoptr(HieraWorst) worst = hiera_worst_find(scene, waits, &path);
    write_tree(scene, waits, worst, stream);
    want_operations(page, worst);
    hiera_worst_complete(worst, scene, waits);
    hiera_worst_write(worst, scene, stream);
    hiera_operations_write(scene, worst->known, stream);
    hiera_page_waits_write(scene, waits, worst->known, stream);
    write_heat(scene, page->match, waits, stream);
    hiera_matrix_write(find_table(page, "matrix"), stream);
    hiera_iterations_write(find_table(page, "phases --by iteration"), stream);
    hiera_critical_write(scene, &path, stream);
    hiera_hot_write(scene->trace, page->scope, stream);
    hiera_page_tables_write(page, stream);
    hiera_head_write(page, scene, details, stream);
    hiera_critical_path_clear(&path);
    if (stream)
        fprintf(stream, "<script>%s</script>\n</body>\n</html>\n", hiera_file_page_js);
}

void hiera_page_compose(const HieraPage *page, FILE *stream)
{
    HieraScene scene;
    g_autoptr(GArray) waits = hiera_waits_find(page->match);
    g_autofree gint64 *waiting = hiera_waits_by_row(page->match, page->scope);
    hiera_teams_add_waits(hiera_match_peek_trace(page->match), page->scope, waiting);
    hiera_scene_init(&scene, page->match, page->scope, waiting);
    if (stream)
        hiera_page_top_write(page, &scene, stream);
    g_autoptr(GArray) details = page->scope->share.own
                                    ? hiera_tiles_write_together(&scene, stream)
                                    : hiera_tiles_write(&scene, hiera_tiles_room(scene.trace->n_operations), stream);
    g_autoptr(HieraLongest) arrows = hiera_arrows_find(&scene, details, FALSE);
    hiera_longest_write(arrows, "arrows", stream);
    g_autoptr(HieraLongest) bands = hiera_bands_find(&scene, details, FALSE);
    hiera_longest_write(bands, "bands", stream);
    hiera_page_rest_write(page, &scene, waits, details, stream);
    hiera_scene_clear(&scene);
}
