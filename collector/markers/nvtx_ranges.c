/* NVTX ranges as regions, and the texts of domains and registered strings. */
#include "nvtx.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_ASCII = 1, MESSAGE_WIDE = 2, MESSAGE_REGISTERED = 3 };
enum { PAYLOAD_U64 = 1, PAYLOAD_I64, PAYLOAD_F64, PAYLOAD_U32, PAYLOAD_I32, PAYLOAD_F32 };
enum { NO_LEVEL = -2 };

/* --- domains and registered strings: handle → text, kept until the process ends --- */

typedef struct Text {
    struct Text *next;
    const void *handle;
    char bytes[];
} Text;

static Text *texts;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void nvtx_narrow(char *to, size_t room, const wchar_t *wide)
{
    size_t n = 0;
    for (; wide && *wide && n + 5 < room; wide++) {
        uint32_t c = (uint32_t)*wide;
        if (c < 0x80) {
            to[n++] = (char)c;
        } else if (c < 0x800) {
            to[n++] = (char)(0xc0 | c >> 6);
            to[n++] = (char)(0x80 | (c & 0x3f));
        } else if (c < 0x10000) {
            to[n++] = (char)(0xe0 | c >> 12);
            to[n++] = (char)(0x80 | (c >> 6 & 0x3f));
            to[n++] = (char)(0x80 | (c & 0x3f));
        } else {
            to[n++] = (char)(0xf0 | (c >> 18 & 7));
            to[n++] = (char)(0x80 | (c >> 12 & 0x3f));
            to[n++] = (char)(0x80 | (c >> 6 & 0x3f));
            to[n++] = (char)(0x80 | (c & 0x3f));
        }
    }
    to[n] = '\0';
}

void *nvtx_keep(const char *bytes, void *handle)
{
    size_t n = strlen(bytes ? bytes : "") + 1;
    Text *text = malloc(sizeof *text + n);
    if (!text)
        return handle;
    memcpy(text->bytes, bytes ? bytes : "", n);
    text->handle = handle ? handle : text;
    pthread_mutex_lock(&lock);
    text->next = texts;
    __atomic_store_n(&texts, text, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&lock);
    return (void *)(uintptr_t)text->handle;
}

static const char *text_of(const void *handle)
{
    for (const Text *text = __atomic_load_n(&texts, __ATOMIC_ACQUIRE); text; text = text->next)
        if (text->handle == handle)
            return text->bytes;
    return "";
}

/* --- ranges as regions --- */

static __thread const void *open_domains[MARKERS_MAX]; /* [depth]: domain of the open range */
static __thread int n_open;
static uint64_t last_range;

static const char *message_of(const NvtxAttributes *attributes, char *room)
{
    if (!attributes)
        return "";
    if (attributes->message_type == MESSAGE_ASCII && attributes->message.ascii)
        return attributes->message.ascii;
    if (attributes->message_type == MESSAGE_REGISTERED)
        return text_of(attributes->message.registered);
    if (attributes->message_type == MESSAGE_WIDE)
        nvtx_narrow(room, NVTX_NAME_ROOM, attributes->message.wide);
    return room;
}

/* Open a region for a range; the range's payload and domain become arguments of the region. */
static void open_range(void *key, const void *site, const void *domain, const char *name,
                       const NvtxAttributes *attributes)
{
    const char *in = domain ? " domain=" : "", *of = domain ? text_of(domain) : "";
    int type = attributes ? attributes->payload_type : 0;
    if (!marker_is_recorded())
        return;
    if (type == PAYLOAD_U64 || type == PAYLOAD_U32)
        hiera_open_scope(key, site, "nvtx", name, "payload=%llu%s%s",
                         (unsigned long long)(type == PAYLOAD_U64 ? attributes->payload.u64 : attributes->payload.u32),
                         in, of);
    else if (type == PAYLOAD_I64 || type == PAYLOAD_I32)
        hiera_open_scope(key, site, "nvtx", name, "payload=%lld%s%s",
                         (long long)(type == PAYLOAD_I64 ? attributes->payload.i64 : attributes->payload.i32), in, of);
    else if (type == PAYLOAD_F64 || type == PAYLOAD_F32)
        hiera_open_scope(key, site, "nvtx", name, "payload=%g%s%s",
                         type == PAYLOAD_F64 ? attributes->payload.f64 : (double)attributes->payload.f32, in, of);
    else if (domain)
        hiera_open_scope(key, site, "nvtx", name, "domain=%s", of);
    else
        hiera_open_scope(key, site, "nvtx", name, NULL);
}

static int level_in(const void *domain)
{
    int level = 0;
    for (int i = 0; i < n_open && i < MARKERS_MAX; i++)
        level += open_domains[i] == domain;
    return level;
}

int nvtx_push(const void *site, const void *domain, const char *name, const NvtxAttributes *attributes)
{
    char room[NVTX_NAME_ROOM] = "";
    int level = level_in(domain), n = n_open++;
    if (n >= MARKERS_MAX)
        return level;
    open_domains[n] = domain;
    open_range(MARKER_KEY(MARKER_NESTED + n), site, domain, name ? name : message_of(attributes, room), attributes);
    return level;
}

int nvtx_pop(const void *domain)
{
    int n = n_open > MARKERS_MAX ? MARKERS_MAX : n_open;
    if (n_open > MARKERS_MAX) { /* too many open ranges: the last ones are not recorded */
        n_open--;
        return n_open;
    }
    while (n > 0 && open_domains[n - 1] != domain)
        n--;
    if (n == 0) {
        if (marker_is_recorded())
            hiera_close_scope(MARKER_KEY(0)); /* no scope has this address: the trace notes an end without a begin */
        return NO_LEVEL;
    }
    int level = level_in(domain) - 1;
    open_domains[n - 1] = MARKER_KEY(0); /* MARKER_KEY(0) instead of a domain: the range has ended */
    while (n_open > 0 && open_domains[n_open - 1] == MARKER_KEY(0))
        n_open--;
    if (marker_is_recorded())
        hiera_close_scope(MARKER_KEY(MARKER_NESTED + n - 1));
    return level;
}

uint64_t nvtx_start(const void *site, const void *domain, const char *name, const NvtxAttributes *attributes,
                    uint64_t given)
{
    char room[NVTX_NAME_ROOM] = "";
    uint64_t id = given ? given : __atomic_add_fetch(&last_range, 1, __ATOMIC_RELAXED);
    open_range(MARKER_KEY(MARKER_PROCESS + id), site, domain, name ? name : message_of(attributes, room), attributes);
    return id;
}

void nvtx_end(uint64_t id)
{
    if (marker_is_recorded())
        hiera_close_scope(MARKER_KEY(MARKER_PROCESS + id));
}
