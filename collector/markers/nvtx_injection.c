/* NVTX, version 3: its functions are in the program, and the library named by NVTX_INJECTION64_PATH, this one, fills a
 * table of pointers for them. */
#include "nvtx.h"

#define SITE __builtin_return_address(0)

typedef void Function(void);

typedef struct Callbacks {
    size_t bytes;
    int (*get_table)(int module, Function ****table, unsigned *n);
} Callbacks;

enum { TABLE_OF_CALLBACKS = 1, MODULE_CORE = 1, MODULE_CORE2 = 5 };

/* Functions for NVTX's table. They call no other library, since a process has only one injection library. */
static int pushed_a(const char *message)
{
    return nvtx_push(SITE, NULL, message ? message : "", NULL);
}
static int pushed_ex(const NvtxAttributes *attributes)
{
    return nvtx_push(SITE, NULL, NULL, attributes);
}
static int popped(void)
{
    return nvtx_pop(NULL);
}
static uint64_t started_a(const char *message)
{
    return nvtx_start(SITE, NULL, message ? message : "", NULL, 0);
}
static uint64_t started_ex(const NvtxAttributes *attributes)
{
    return nvtx_start(SITE, NULL, NULL, attributes, 0);
}
static int domain_pushed(void *domain, const NvtxAttributes *attributes)
{
    return nvtx_push(SITE, domain, NULL, attributes);
}
static int domain_popped(void *domain)
{
    return nvtx_pop(domain);
}
static void *registered_a(void *domain, const char *text)
{
    return (void)domain, nvtx_keep(text, NULL);
}
static void *created_a(const char *name)
{
    return nvtx_keep(name, NULL);
}

static int pushed_w(const wchar_t *message)
{
    char name[NVTX_NAME_ROOM];
    nvtx_narrow(name, sizeof name, message);
    return nvtx_push(SITE, NULL, name, NULL);
}

static uint64_t domain_started(void *domain, const NvtxAttributes *attributes)
{
    return nvtx_start(SITE, domain, NULL, attributes, 0);
}

static void domain_ended(void *domain, uint64_t id)
{
    (void)domain;
    nvtx_end(id);
}

/* Module and index in that module's table of each function. */
static const struct {
    int module;
    unsigned place;
    Function *function;
} injected[] = {
    {MODULE_CORE, 4, (Function *)started_ex},     {MODULE_CORE, 5, (Function *)started_a},
    {MODULE_CORE, 7, (Function *)nvtx_end},       {MODULE_CORE, 8, (Function *)pushed_ex},
    {MODULE_CORE, 9, (Function *)pushed_a},       {MODULE_CORE, 10, (Function *)pushed_w},
    {MODULE_CORE, 11, (Function *)popped},        {MODULE_CORE2, 2, (Function *)domain_started},
    {MODULE_CORE2, 3, (Function *)domain_ended},  {MODULE_CORE2, 4, (Function *)domain_pushed},
    {MODULE_CORE2, 5, (Function *)domain_popped}, {MODULE_CORE2, 10, (Function *)registered_a},
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
