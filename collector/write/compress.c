#include "compress.h"

#include "base/settings.h"

#include <dlfcn.h>
#include <stdint.h>
#include <string.h>

#ifdef HIERA_HAVE_ZLIB
#include <zlib.h>
#endif
#ifdef HIERA_HAVE_ZSTD
#include <zstd.h>
#endif

enum { LEVEL = 1 }; /* the fastest: higher levels take several times as long and save a tenth of the bytes */

typedef struct Method {
    const char *name, *suffix, *library;
    bool (*begin)(void *library); /* find functions in the loaded library, and allocate all memory */
    size_t (*pack)(char *to, const char *text, size_t n);  /* compress into one frame; returns its length, 0: failed */
    size_t (*store)(char *to, const char *text, size_t n); /* make an uncompressed frame; returns its length */
} Method;

static char *put_little_endian(char *to, uint32_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        *to++ = (char)(value >> 8 * i);
    return to;
}

/* --- compression by zstd --- */

#ifdef HIERA_HAVE_ZSTD
static struct {
    ZSTD_CCtx *context;
    __typeof__(&ZSTD_compressCCtx) compress;
    __typeof__(&ZSTD_isError) is_error;
} zstd;

static size_t pack_zstd(char *to, const char *text, size_t n)
{
    size_t bytes = zstd.compress(zstd.context, to, HIERA_PACK_ROOM, text, n, LEVEL);
    return zstd.is_error(bytes) ? 0 : bytes;
}

/* Compress a frame of the largest size now, because a zstd context allocates its memory at its first frame. */
static bool begin_zstd(void *library)
{
    static char nothing[HIERA_PACK_MAX], frame[HIERA_PACK_ROOM];
    __typeof__(&ZSTD_createCCtx) create = (__typeof__(create))dlsym(library, "ZSTD_createCCtx");
    zstd.compress = (__typeof__(zstd.compress))dlsym(library, "ZSTD_compressCCtx");
    zstd.is_error = (__typeof__(zstd.is_error))dlsym(library, "ZSTD_isError");
    zstd.context = create && zstd.compress && zstd.is_error ? create() : NULL;
    return zstd.context && pack_zstd(frame, nothing, sizeof nothing) > 0;
}

#define ZSTD begin_zstd, pack_zstd
#else
#define ZSTD NULL, NULL
#endif

/* Write the frame of RFC 8878: magic number, descriptor (single segment), content size in four bytes, one raw block. */
static size_t store_zstd(char *to, const char *text, size_t n)
{
    char *at = put_little_endian(to, 0xfd2fb528u, 4);
    *at++ = (char)0xa0;
    at = put_little_endian(at, (uint32_t)n, 4);
    at = put_little_endian(at, (uint32_t)n << 3 | 1, 3);
    memcpy(at, text, n);
    return (size_t)(at - to) + n;
}

/* --- compression by zlib as gzip --- */

#ifdef HIERA_HAVE_ZLIB
static struct {
    z_stream stream;
    __typeof__(&deflate) deflate;
    __typeof__(&deflateReset) reset;
    __typeof__(&crc32) sum;
} gzip;

static size_t pack_gzip(char *to, const char *text, size_t n)
{
    z_stream *stream = &gzip.stream;
    stream->next_in = (z_const Bytef *)(uintptr_t)text;
    stream->avail_in = (uInt)n;
    stream->next_out = (Bytef *)to;
    stream->avail_out = HIERA_PACK_ROOM;
    return gzip.reset(stream) == Z_OK && gzip.deflate(stream, Z_FINISH) == Z_STREAM_END
               ? HIERA_PACK_ROOM - stream->avail_out
               : 0;
}

static bool begin_gzip(void *library)
{
    enum { WINDOW = 15 + 16, MEMORY = 8 }; /* for deflateInit2(); + 16: with a gzip header */
    __typeof__(&deflateInit2_) begin = (__typeof__(begin))dlsym(library, "deflateInit2_");
    gzip.deflate = (__typeof__(gzip.deflate))dlsym(library, "deflate");
    gzip.reset = (__typeof__(gzip.reset))dlsym(library, "deflateReset");
    gzip.sum = (__typeof__(gzip.sum))dlsym(library, "crc32");
    return begin && gzip.deflate && gzip.reset && gzip.sum &&
           begin(&gzip.stream, LEVEL, Z_DEFLATED, WINDOW, MEMORY, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                 (int)sizeof gzip.stream) == Z_OK;
}

/* Write the member of RFC 1952 and 1951: header, stored blocks, checksum and size. */
static size_t store_gzip(char *to, const char *text, size_t n)
{
    static const char header[10] = {0x1f, (char)0x8b, 8, 0, 0, 0, 0, 0, 0, 3};
    enum { BLOCK_MAX = 65535 };
    size_t left = n;
    memcpy(to, header, sizeof header);
    char *at = to + sizeof header;
    do {
        size_t part = left < BLOCK_MAX ? left : BLOCK_MAX;
        *at++ = part == left;
        at = put_little_endian(at, (uint32_t)part, 2);
        at = put_little_endian(at, ~(uint32_t)part, 2);
        memcpy(at, text + (n - left), part);
        at += part;
        left -= part;
    } while (left > 0);
    at = put_little_endian(at, (uint32_t)gzip.sum(gzip.sum(0, NULL, 0), (const Bytef *)text, (uInt)n), 4);
    return (size_t)(put_little_endian(at, (uint32_t)n, 4) - to);
}

#define GZIP begin_gzip, pack_gzip, store_gzip
#else
#define GZIP NULL, NULL, NULL
#endif

/* --- the method that HIERA_COMPRESS chooses --- */

static const Method methods[] = {
    {"zstd", ".zst", "libzstd.so.1", ZSTD, store_zstd},
    {"gzip", ".gz", "libz.so.1", GZIP},
};
static const Method *method; /* method that HIERA_COMPRESS chooses; NULL: files are not compressed */
static bool is_loaded;

bool hiera_pack_is_loaded(void)
{
    return is_loaded || strcmp(hiera_settings.compress, "none") == 0;
}

void hiera_pack_load(bool careful)
{
    if (is_loaded)
        return;
    is_loaded = true;
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        const Method *wanted = &methods[i];
        if (strcmp(hiera_settings.compress, wanted->name) != 0)
            continue;
        void *library = wanted->begin && !careful ? dlopen(wanted->library, RTLD_NOW | RTLD_LOCAL) : NULL;
        if (library && wanted->begin(library))
            method = wanted;
        else if (!careful)
            hiera_settings_blame("HIERA_COMPRESS", wanted->name, strlen(wanted->name),
                                 wanted->begin ? "its library cannot be loaded; nothing is compressed"
                                               : "this build cannot do that; nothing is compressed");
    }
}

const char *hiera_pack_suffix(void)
{
    return method ? method->suffix : "";
}

size_t hiera_pack_stored(char *to, const char *text, size_t n)
{
    return method->store(to, text, n);
}

size_t hiera_pack(char *to, const char *text, size_t n)
{
    size_t bytes = method->pack(to, text, n);
    return bytes > 0 ? bytes : method->store(to, text, n);
}
