#include "decompress.h"
#include "hiera_trace.h"
#include <string.h>
#include <zlib.h>
#ifdef HIERA_HAVE_ZSTD
#include <zstd.h>
#endif

/* A compression method: gzip or zstd. `begin` returns FALSE if it fails; `run` is as hiera_decompressor_run(). */
typedef struct {
    const char *name, *magic;
    gsize n_magic;
    gboolean (*begin)(HieraDecompressor *decompressor); /* NULL: this build lacks the method */
    gssize (*run)(HieraDecompressor *decompressor, const char *in, gsize *n_in, char *out, gsize size);
    void (*end)(HieraDecompressor *decompressor);
} Method;

struct HieraDecompressor {
    const Method *method;
    z_stream zlib;
    gboolean between; /* whether a compressed member has ended, so that the next byte begins another one */
#ifdef HIERA_HAVE_ZSTD
    ZSTD_DStream *zstd;
#endif
};

#define GZIP_WINDOW (15 + 16) /* windowBits for zlib: 15, the largest window, and 16 for gzip's header */

static gboolean begin_gzip(HieraDecompressor *decompressor)
{
    return inflateInit2(&decompressor->zlib, GZIP_WINDOW) == Z_OK;
}

static gssize run_gzip(HieraDecompressor *decompressor, const char *in, gsize *n_in, char *out, gsize size)
{
    z_stream *zlib = &decompressor->zlib;
    if (decompressor->between && *n_in > 0) {
        inflateReset(zlib);
        decompressor->between = FALSE;
    }
    zlib->next_in = (z_const Bytef *)(gpointer)in;
    zlib->avail_in = (uInt)*n_in;
    zlib->next_out = (Bytef *)(gpointer)out;
    zlib->avail_out = (uInt)size;
    int status = inflate(zlib, Z_NO_FLUSH);
    *n_in -= zlib->avail_in;
    decompressor->between = status == Z_STREAM_END;
    return status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR ? (gssize)(size - zlib->avail_out) : -1;
}

static void end_gzip(HieraDecompressor *decompressor)
{
    inflateEnd(&decompressor->zlib);
}

#ifdef HIERA_HAVE_ZSTD
static gboolean begin_zstd(HieraDecompressor *decompressor)
{
    decompressor->zstd = ZSTD_createDStream();
    return decompressor->zstd != NULL;
}

static gssize run_zstd(HieraDecompressor *decompressor, const char *in, gsize *n_in, char *out, gsize size)
{
    ZSTD_inBuffer input = {in, *n_in, 0};
    ZSTD_outBuffer output = {out, size, 0};
    size_t status = ZSTD_decompressStream(decompressor->zstd, &output, &input);
    *n_in = input.pos;
    return ZSTD_isError(status) ? -1 : (gssize)output.pos;
}

static void end_zstd(HieraDecompressor *decompressor)
{
    ZSTD_freeDStream(decompressor->zstd);
}
#define ZSTD begin_zstd, run_zstd, end_zstd
#else
#define ZSTD NULL, NULL, NULL
#endif

static const Method methods[] = {
    {"gzip", "\x1f\x8b", 2, begin_gzip, run_gzip, end_gzip},
    {"zstd", "\x28\xb5\x2f\xfd", 4, ZSTD},
};

HieraDecompressor *hiera_decompressor_new(const char *head, gsize n, GError **error)
{
    for (guint i = 0; i < G_N_ELEMENTS(methods); i++) {
        const Method *method = &methods[i];
        if (n < method->n_magic || memcmp(head, method->magic, method->n_magic) != 0)
            continue;
        HieraDecompressor *decompressor = g_new0(HieraDecompressor, 1);
        decompressor->method = method;
        if (method->begin && method->begin(decompressor))
            return decompressor;
        g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_READ,
                    "is compressed with %s, which this build cannot read; decompress it first", method->name);
        g_free(decompressor);
        return NULL;
    }
    return NULL;
}

gssize hiera_decompressor_run(HieraDecompressor *decompressor, const char *in, gsize *n_in, char *out, gsize size)
{
    return decompressor->method->run(decompressor, in, n_in, out, size);
}

void hiera_decompressor_free(HieraDecompressor *decompressor)
{
    if (!decompressor)
        return;
    decompressor->method->end(decompressor);
    g_free(decompressor);
}
