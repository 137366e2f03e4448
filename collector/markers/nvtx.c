/* NVTX: ranges become regions of the level "nvtx". See markers.h.
 *
 * A program uses NVTX in one of two ways. Version 2: it calls functions of libnvToolsExt. Version 3: its functions are
 * in the program, and the library named by NVTX_INJECTION64_PATH fills a table of pointers for them (injection).
 * Domains and registered strings are made here if no other library makes them. */
#include "markers.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

/* Layout of the NVTX interface. */
typedef struct Attributes {
    uint16_t version, size;
    uint32_t category;
    int32_t color_type;
    uint32_t color;
    int32_t payload_type, reserved;
    union {
        uint64_t u64;
        int64_t i64;
        double f64;
        uint32_t u32;
        int32_t i32;
        float f32;
    } payload;
    int32_t message_type;
    union {
        const char *ascii;
        const wchar_t *wide;
        const void *registered;
    } message;
} Attributes;

enum { MESSAGE_ASCII = 1, MESSAGE_WIDE = 2, MESSAGE_REGISTERED = 3 };
enum { PAYLOAD_U64 = 1, PAYLOAD_I64, PAYLOAD_F64, PAYLOAD_U32, PAYLOAD_I32, PAYLOAD_F32 };
enum { NO_LEVEL = -2, NAME_ROOM = 512 };

/* --- domains and registered strings: handle → text, kept until the process ends --- */

typedef struct Text {
    struct Text *next;
    const void *handle;
    char bytes[];
} Text;

static Text *texts;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void narrow(char *to, size_t room, const wchar_t *wide)
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

/* Keep a text under its handle; if the handle is NULL, the address of the copy becomes the handle. Returns the handle.
 */
static void *keep(const char *bytes, void *handle)
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

/* --- ranges --- */

static __thread const void *open_domains[MARKERS_MAX]; /* of open ranges, outermost first */
static __thread int n_open;
static uint64_t last_range;

static const char *message_of(const Attributes *attributes, char *room)
{
    if (!attributes)
        return "";
    if (attributes->message_type == MESSAGE_ASCII && attributes->message.ascii)
        return attributes->message.ascii;
    if (attributes->message_type == MESSAGE_REGISTERED)
        return text_of(attributes->message.registered);
    if (attributes->message_type == MESSAGE_WIDE)
        narrow(room, NAME_ROOM, attributes->message.wide);
    return room;
}

/* Open a region; payload and domain become its arguments. */
static void open_range(void *key, const void *site, const void *domain, const char *name, const Attributes *attributes)
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

/* Returns the depth of the new range, from 0. */
static int push(const void *site, const void *domain, const char *name, const Attributes *attributes)
{
    char room[NAME_ROOM] = "";
    int level = level_in(domain), n = n_open++;
    if (n >= MARKERS_MAX)
        return level;
    open_domains[n] = domain;
    open_range(MARKER_KEY(MARKER_NESTED + n), site, domain, name ? name : message_of(attributes, room), attributes);
    return level;
}

/* Returns the depth of the range that ends. */
static int pop(const void *domain)
{
    int n = n_open > MARKERS_MAX ? MARKERS_MAX : n_open;
    if (n_open > MARKERS_MAX) { /* too deep: not recorded */
        n_open--;
        return n_open;
    }
    while (n > 0 && open_domains[n - 1] != domain)
        n--;
    if (n == 0) {
        if (marker_is_recorded())
            hiera_close_scope(MARKER_KEY(0)); /* the trace notes the surplus end */
        return NO_LEVEL;
    }
    int level = level_in(domain) - 1;
    open_domains[n - 1] = MARKER_KEY(0); /* the range has ended */
    while (n_open > 0 && open_domains[n_open - 1] == MARKER_KEY(0))
        n_open--;
    if (marker_is_recorded())
        hiera_close_scope(MARKER_KEY(MARKER_NESTED + n - 1));
    return level;
}

static uint64_t start(const void *site, const void *domain, const char *name, const Attributes *attributes,
                      uint64_t given)
{
    char room[NAME_ROOM] = "";
    uint64_t id = given ? given : __atomic_add_fetch(&last_range, 1, __ATOMIC_RELAXED);
    open_range(MARKER_KEY(MARKER_PROCESS + id), site, domain, name ? name : message_of(attributes, room), attributes);
    return id;
}

static void end(uint64_t id)
{
    if (marker_is_recorded())
        hiera_close_scope(MARKER_KEY(MARKER_PROCESS + id));
}

#define SITE __builtin_return_address(0)

/* --- the functions of version 2 --- */

#define NEXT_OR(function, otherwise, ...) (MARKER_NEXT(function) ? MARKER_NEXT(function)(__VA_ARGS__) : (otherwise))

MARKER_PUBLIC int nvtxRangePushA(const char *message);
MARKER_PUBLIC int nvtxRangePushW(const wchar_t *message);
MARKER_PUBLIC int nvtxRangePushEx(const Attributes *attributes);
MARKER_PUBLIC int nvtxRangePop(void);
MARKER_PUBLIC uint64_t nvtxRangeStartA(const char *message);
MARKER_PUBLIC uint64_t nvtxRangeStartW(const wchar_t *message);
MARKER_PUBLIC uint64_t nvtxRangeStartEx(const Attributes *attributes);
MARKER_PUBLIC void nvtxRangeEnd(uint64_t id);
MARKER_PUBLIC int nvtxDomainRangePushEx(void *domain, const Attributes *attributes);
MARKER_PUBLIC int nvtxDomainRangePop(void *domain);
MARKER_PUBLIC uint64_t nvtxDomainRangeStartEx(void *domain, const Attributes *attributes);
MARKER_PUBLIC void nvtxDomainRangeEnd(void *domain, uint64_t id);
MARKER_PUBLIC void *nvtxDomainCreateA(const char *name);
MARKER_PUBLIC void *nvtxDomainCreateW(const wchar_t *name);
MARKER_PUBLIC void nvtxDomainDestroy(void *domain);
MARKER_PUBLIC void *nvtxDomainRegisterStringA(void *domain, const char *text);
MARKER_PUBLIC void *nvtxDomainRegisterStringW(void *domain, const wchar_t *text);
MARKER_PUBLIC void nvtxMarkA(const char *message);
MARKER_PUBLIC void nvtxMarkW(const wchar_t *message);
MARKER_PUBLIC void nvtxMarkEx(const Attributes *attributes);
MARKER_PUBLIC void nvtxDomainMarkEx(void *domain, const Attributes *attributes);
MARKER_PUBLIC void nvtxNameOsThreadA(uint32_t thread, const char *name);
MARKER_PUBLIC void nvtxNameCategoryA(uint32_t category, const char *name);

int nvtxRangePushA(const char *message)
{
    int level = push(SITE, NULL, message ? message : "", NULL);
    return NEXT_OR(nvtxRangePushA, level, message);
}

int nvtxRangePushW(const wchar_t *message)
{
    char name[NAME_ROOM];
    narrow(name, sizeof name, message);
    int level = push(SITE, NULL, name, NULL);
    return NEXT_OR(nvtxRangePushW, level, message);
}

int nvtxRangePushEx(const Attributes *attributes)
{
    int level = push(SITE, NULL, NULL, attributes);
    return NEXT_OR(nvtxRangePushEx, level, attributes);
}

int nvtxRangePop(void)
{
    int level = pop(NULL);
    return NEXT_OR(nvtxRangePop, level);
}

uint64_t nvtxRangeStartA(const char *message)
{
    return start(SITE, NULL, message ? message : "", NULL, NEXT_OR(nvtxRangeStartA, 0, message));
}

uint64_t nvtxRangeStartW(const wchar_t *message)
{
    char name[NAME_ROOM];
    narrow(name, sizeof name, message);
    return start(SITE, NULL, name, NULL, NEXT_OR(nvtxRangeStartW, 0, message));
}

uint64_t nvtxRangeStartEx(const Attributes *attributes)
{
    return start(SITE, NULL, NULL, attributes, NEXT_OR(nvtxRangeStartEx, 0, attributes));
}

void nvtxRangeEnd(uint64_t id)
{
    end(id);
    if (MARKER_NEXT(nvtxRangeEnd))
        MARKER_NEXT(nvtxRangeEnd)(id);
}

int nvtxDomainRangePushEx(void *domain, const Attributes *attributes)
{
    int level = push(SITE, domain, NULL, attributes);
    return NEXT_OR(nvtxDomainRangePushEx, level, domain, attributes);
}

int nvtxDomainRangePop(void *domain)
{
    int level = pop(domain);
    return NEXT_OR(nvtxDomainRangePop, level, domain);
}

uint64_t nvtxDomainRangeStartEx(void *domain, const Attributes *attributes)
{
    return start(SITE, domain, NULL, attributes, NEXT_OR(nvtxDomainRangeStartEx, 0, domain, attributes));
}

void nvtxDomainRangeEnd(void *domain, uint64_t id)
{
    end(id);
    if (MARKER_NEXT(nvtxDomainRangeEnd))
        MARKER_NEXT(nvtxDomainRangeEnd)(domain, id);
}

void *nvtxDomainCreateA(const char *name)
{
    return keep(name, NEXT_OR(nvtxDomainCreateA, NULL, name));
}

void *nvtxDomainCreateW(const wchar_t *name)
{
    char bytes[NAME_ROOM];
    narrow(bytes, sizeof bytes, name);
    return keep(bytes, NEXT_OR(nvtxDomainCreateW, NULL, name));
}

void nvtxDomainDestroy(void *domain)
{
    if (MARKER_NEXT(nvtxDomainDestroy))
        MARKER_NEXT(nvtxDomainDestroy)(domain);
}

void *nvtxDomainRegisterStringA(void *domain, const char *text)
{
    return keep(text, NEXT_OR(nvtxDomainRegisterStringA, NULL, domain, text));
}

void *nvtxDomainRegisterStringW(void *domain, const wchar_t *text)
{
    char bytes[NAME_ROOM];
    narrow(bytes, sizeof bytes, text);
    return keep(bytes, NEXT_OR(nvtxDomainRegisterStringW, NULL, domain, text));
}

/* A mark is a moment, not a range: it is not recorded. */
void nvtxMarkA(const char *message)
{
    if (MARKER_NEXT(nvtxMarkA))
        MARKER_NEXT(nvtxMarkA)(message);
}

void nvtxMarkW(const wchar_t *message)
{
    if (MARKER_NEXT(nvtxMarkW))
        MARKER_NEXT(nvtxMarkW)(message);
}

void nvtxMarkEx(const Attributes *attributes)
{
    if (MARKER_NEXT(nvtxMarkEx))
        MARKER_NEXT(nvtxMarkEx)(attributes);
}

void nvtxDomainMarkEx(void *domain, const Attributes *attributes)
{
    if (MARKER_NEXT(nvtxDomainMarkEx))
        MARKER_NEXT(nvtxDomainMarkEx)(domain, attributes);
}

void nvtxNameOsThreadA(uint32_t thread, const char *name)
{
    if (MARKER_NEXT(nvtxNameOsThreadA))
        MARKER_NEXT(nvtxNameOsThreadA)(thread, name);
}

void nvtxNameCategoryA(uint32_t category, const char *name)
{
    if (MARKER_NEXT(nvtxNameCategoryA))
        MARKER_NEXT(nvtxNameCategoryA)(category, name);
}

/* --- the injection of version 3 --- */

typedef void Function(void);

typedef struct Callbacks {
    size_t bytes;
    int (*get_table)(int module, Function ****table, unsigned *n);
} Callbacks;

enum { TABLE_OF_CALLBACKS = 1, MODULE_CORE = 1, MODULE_CORE2 = 5 };

/* Functions for the table. They pass nothing on: a process has only one injection library. */
static int pushed_a(const char *message)
{
    return push(SITE, NULL, message ? message : "", NULL);
}
static int pushed_ex(const Attributes *attributes)
{
    return push(SITE, NULL, NULL, attributes);
}
static int popped(void)
{
    return pop(NULL);
}
static uint64_t started_a(const char *message)
{
    return start(SITE, NULL, message ? message : "", NULL, 0);
}
static uint64_t started_ex(const Attributes *attributes)
{
    return start(SITE, NULL, NULL, attributes, 0);
}
static int domain_pushed(void *domain, const Attributes *attributes)
{
    return push(SITE, domain, NULL, attributes);
}
static int domain_popped(void *domain)
{
    return pop(domain);
}
static void *registered_a(void *domain, const char *text)
{
    return (void)domain, keep(text, NULL);
}
static void *created_a(const char *name)
{
    return keep(name, NULL);
}

static int pushed_w(const wchar_t *message)
{
    char name[NAME_ROOM];
    narrow(name, sizeof name, message);
    return push(SITE, NULL, name, NULL);
}

static uint64_t domain_started(void *domain, const Attributes *attributes)
{
    return start(SITE, domain, NULL, attributes, 0);
}

static void domain_ended(void *domain, uint64_t id)
{
    (void)domain;
    end(id);
}

/* Indices in the tables of the two modules. */
static const struct {
    int module;
    unsigned place;
    Function *function;
} injected[] = {
    {MODULE_CORE, 4, (Function *)started_ex},
    {MODULE_CORE, 5, (Function *)started_a},
    {MODULE_CORE, 7, (Function *)end},
    {MODULE_CORE, 8, (Function *)pushed_ex},
    {MODULE_CORE, 9, (Function *)pushed_a},
    {MODULE_CORE, 10, (Function *)pushed_w},
    {MODULE_CORE, 11, (Function *)popped},
    {MODULE_CORE2, 2, (Function *)domain_started},
    {MODULE_CORE2, 3, (Function *)domain_ended},
    {MODULE_CORE2, 4, (Function *)domain_pushed},
    {MODULE_CORE2, 5, (Function *)domain_popped},
    {MODULE_CORE2, 10, (Function *)registered_a},
    {MODULE_CORE2, 12, (Function *)created_a},
};

MARKER_PUBLIC int InitializeInjectionNvtx2(const void *(*get_tables)(uint32_t which));

int InitializeInjectionNvtx2(const void *(*get_tables)(uint32_t which))
{
    const Callbacks *callbacks = get_tables(TABLE_OF_CALLBACKS);
    if (!callbacks || callbacks->bytes < sizeof *callbacks)
        return 0;
    for (size_t i = 0; i < sizeof injected / sizeof injected[0]; i++) {
        Function ***table = NULL;
        unsigned n = 0;
        if (callbacks->get_table(injected[i].module, &table, &n) && table && injected[i].place < n &&
            table[injected[i].place])
            *table[injected[i].place] = injected[i].function;
    }
    return 1;
}
