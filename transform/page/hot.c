/* The block `hot`: loops in which each region of each rank computes; the page explains by them why others wait. */
#include "hot.h"
#include "base/block.h"
#include "base/json.h"
#include "inside/hot_loops.h"

enum { LINES_MAX = 20000 }; /* most lines of loops on the page: those of the regions with most samples */

typedef struct {
    const HieraTrace *trace;
    GString *json;
    guint n;
} Lines;

static void add_line(guint32 processor, const char *path, gboolean further, const char *sentence, gpointer user)
{
    Lines *lines = user;
    if (further || lines->n >= LINES_MAX)
        return;
    lines->n++;
    hiera_json_next(lines->json);
    g_string_append_printf(lines->json, "[%u,", lines->trace->processors[processor].rank);
    hiera_json_text(lines->json, path);
    g_string_append_c(lines->json, ',');
    hiera_json_text(lines->json, sentence);
    g_string_append_c(lines->json, ']');
}

void hiera_hot_write(const HieraTrace *trace, const HieraScope *scope, FILE *stream)
{
    g_autoptr(HieraHotLoops) loops = hiera_hot_loops_gather(trace, scope);
    g_autoptr(GString) json = g_string_new("[");
    Lines lines = {.trace = trace, .json = json};
    if (loops)
        hiera_hot_loops_visit(loops, add_line, &lines);
    g_string_append_c(json, ']');
    hiera_block_write((const guint8 *)json->str, json->len, stream, "hot");
}
