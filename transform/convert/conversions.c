/* See conversions.h. Process i of n runs the conversions i, i + n, i + 2n, …. */
#include "conversions.h"
#include "base/output_file.h"
#include "hiera_trace.h"
#include "parallel/parallel.h"
#include "trace/pack_process.h"
#include <glib/gstdio.h>

void hiera_conversion_clear(gpointer conversion)
{
    g_free(((HieraConversion *)conversion)->target);
    g_free(((HieraConversion *)conversion)->problem);
}

static HieraConversion *peek(const GArray *all, guint i)
{
    return &g_array_index(all, HieraConversion, i);
}

static void convert(HieraConversion *one, HieraEncoding encoding, const HieraConvertChanges *changes)
{
    HieraOutputFile output;
    g_autoptr(GError) error = NULL;
    one->done = hiera_output_file_open(&output, one->target, &error) &&
                hiera_output_file_close(
                    &output, hiera_convert(one->path, encoding, changes, one->index, output.stream, &error), &error);
    if (!one->done)
        one->problem = g_strdup(error->message);
}

/* Run the conversions of this process, up to the first that fails (included). */
static void convert_own(const GArray *all, HieraEncoding encoding)
{
    gboolean good = TRUE;
    for (guint i = hiera_parallel_rank(); good && i < all->len; i += hiera_parallel_size()) {
        convert(peek(all, i), encoding, NULL);
        good = peek(all, i)->done;
    }
}

static void convert_changed(const GArray *all, HieraEncoding encoding, const HieraConvertChanges *changes)
{
    gboolean good = TRUE;
    for (guint i = 0; good && i < all->len; i++) {
        convert(peek(all, i), encoding, changes);
        good = peek(all, i)->done;
    }
}

/* --- conversions shared among processes --- */

static void broadcast(const GArray *all, HieraEncoding encoding)
{
    HieraPacker *packer = hiera_packer_new();
    hiera_pack_number(packer, encoding);
    hiera_pack_number(packer, all->len);
    for (guint i = 0; i < all->len; i++) {
        hiera_pack_text(packer, peek(all, i)->path);
        hiera_pack_text(packer, peek(all, i)->target);
    }
    hiera_packer_broadcast(packer);
}

static void send_results(const GArray *all)
{
    HieraPacker *packer = hiera_packer_to(0);
    for (guint i = hiera_parallel_rank(); i < all->len; i += hiera_parallel_size()) {
        hiera_pack_number(packer, peek(all, i)->done);
        hiera_pack_text(packer, peek(all, i)->problem);
    }
    hiera_packer_end(packer);
}

static void receive_results(const GArray *all, guint process)
{
    g_autoptr(HieraCatalog) texts = hiera_catalog_new();
    HieraUnpacker *unpacker = hiera_unpacker_from(process, texts);
    for (guint i = process; i < all->len; i += hiera_parallel_size()) {
        peek(all, i)->done = (gboolean)hiera_unpack_number(unpacker);
        peek(all, i)->problem = g_strdup(hiera_unpack_text(unpacker));
    }
    hiera_unpacker_free(unpacker);
}

void hiera_conversions_follow(void)
{
    g_autoptr(HieraCatalog) texts = hiera_catalog_new();
    g_autoptr(GArray) all = g_array_new(FALSE, TRUE, sizeof(HieraConversion));
    HieraUnpacker *unpacker = hiera_unpacker_of_broadcast(texts);
    g_array_set_clear_func(all, hiera_conversion_clear);
    HieraEncoding encoding = (HieraEncoding)hiera_unpack_number(unpacker);
    for (gint64 n = hiera_unpack_number(unpacker); n > 0; n--) {
        HieraConversion one = {.path = hiera_unpack_text(unpacker)};
        one.target = g_strdup(hiera_unpack_text(unpacker));
        g_array_append_val(all, one);
    }
    convert_own(all, encoding);
    send_results(all);
    hiera_unpacker_free(unpacker);
}

/* --- running all conversions --- */

static gboolean settle(const GArray *all, GError **error)
{
    guint first = 0;
    while (first < all->len && peek(all, first)->done)
        first++;
    for (guint i = first; i < all->len; i++) {
        if (peek(all, i)->done)
            g_unlink(peek(all, i)->target);
    }
    if (first < all->len)
        g_set_error_literal(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_OUTPUT, peek(all, first)->problem);
    return first == all->len;
}

gboolean hiera_conversions_do(GArray *all, HieraEncoding encoding, const HieraConvertChanges *changes, GError **error)
{
    gboolean shared = hiera_parallel_size() > 1 && !changes;
    if (shared)
        broadcast(all, encoding);
    if (changes)
        convert_changed(all, encoding, changes);
    else
        convert_own(all, encoding);
    for (guint i = 1; shared && i < hiera_parallel_size(); i++)
        receive_results(all, i);
    return settle(all, error);
}
