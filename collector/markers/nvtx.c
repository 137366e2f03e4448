/* NVTX, version 2: the functions of libnvToolsExt that programs call. Domains and registered strings are made here if
 * no other library makes them. */
#include "nvtx.h"

#define SITE __builtin_return_address(0)

#define NEXT_OR(function, otherwise, ...) (MARKER_NEXT(function) ? MARKER_NEXT(function)(__VA_ARGS__) : (otherwise))

MARKER_PUBLIC int nvtxRangePushA(const char *message);
MARKER_PUBLIC int nvtxRangePushW(const wchar_t *message);
MARKER_PUBLIC int nvtxRangePushEx(const NvtxAttributes *attributes);
MARKER_PUBLIC int nvtxRangePop(void);
MARKER_PUBLIC uint64_t nvtxRangeStartA(const char *message);
MARKER_PUBLIC uint64_t nvtxRangeStartW(const wchar_t *message);
MARKER_PUBLIC uint64_t nvtxRangeStartEx(const NvtxAttributes *attributes);
MARKER_PUBLIC void nvtxRangeEnd(uint64_t id);
MARKER_PUBLIC int nvtxDomainRangePushEx(void *domain, const NvtxAttributes *attributes);
MARKER_PUBLIC int nvtxDomainRangePop(void *domain);
MARKER_PUBLIC uint64_t nvtxDomainRangeStartEx(void *domain, const NvtxAttributes *attributes);
MARKER_PUBLIC void nvtxDomainRangeEnd(void *domain, uint64_t id);
MARKER_PUBLIC void *nvtxDomainCreateA(const char *name);
MARKER_PUBLIC void *nvtxDomainCreateW(const wchar_t *name);
MARKER_PUBLIC void nvtxDomainDestroy(void *domain);
MARKER_PUBLIC void *nvtxDomainRegisterStringA(void *domain, const char *text);
MARKER_PUBLIC void *nvtxDomainRegisterStringW(void *domain, const wchar_t *text);
MARKER_PUBLIC void nvtxMarkA(const char *message);
MARKER_PUBLIC void nvtxMarkW(const wchar_t *message);
MARKER_PUBLIC void nvtxMarkEx(const NvtxAttributes *attributes);
MARKER_PUBLIC void nvtxDomainMarkEx(void *domain, const NvtxAttributes *attributes);
MARKER_PUBLIC void nvtxNameOsThreadA(uint32_t thread, const char *name);
MARKER_PUBLIC void nvtxNameCategoryA(uint32_t category, const char *name);

int nvtxRangePushA(const char *message)
{
    int level = nvtx_push(SITE, NULL, message ? message : "", NULL);
    return NEXT_OR(nvtxRangePushA, level, message);
}

int nvtxRangePushW(const wchar_t *message)
{
    char name[NVTX_NAME_ROOM];
    nvtx_narrow(name, sizeof name, message);
    int level = nvtx_push(SITE, NULL, name, NULL);
    return NEXT_OR(nvtxRangePushW, level, message);
}

int nvtxRangePushEx(const NvtxAttributes *attributes)
{
    int level = nvtx_push(SITE, NULL, NULL, attributes);
    return NEXT_OR(nvtxRangePushEx, level, attributes);
}

int nvtxRangePop(void)
{
    int level = nvtx_pop(NULL);
    return NEXT_OR(nvtxRangePop, level);
}

uint64_t nvtxRangeStartA(const char *message)
{
    return nvtx_start(SITE, NULL, message ? message : "", NULL, NEXT_OR(nvtxRangeStartA, 0, message));
}

uint64_t nvtxRangeStartW(const wchar_t *message)
{
    char name[NVTX_NAME_ROOM];
    nvtx_narrow(name, sizeof name, message);
    return nvtx_start(SITE, NULL, name, NULL, NEXT_OR(nvtxRangeStartW, 0, message));
}

uint64_t nvtxRangeStartEx(const NvtxAttributes *attributes)
{
    return nvtx_start(SITE, NULL, NULL, attributes, NEXT_OR(nvtxRangeStartEx, 0, attributes));
}

void nvtxRangeEnd(uint64_t id)
{
    nvtx_end(id);
    if (MARKER_NEXT(nvtxRangeEnd))
        MARKER_NEXT(nvtxRangeEnd)(id);
}

int nvtxDomainRangePushEx(void *domain, const NvtxAttributes *attributes)
{
    int level = nvtx_push(SITE, domain, NULL, attributes);
    return NEXT_OR(nvtxDomainRangePushEx, level, domain, attributes);
}

int nvtxDomainRangePop(void *domain)
{
    int level = nvtx_pop(domain);
    return NEXT_OR(nvtxDomainRangePop, level, domain);
}

uint64_t nvtxDomainRangeStartEx(void *domain, const NvtxAttributes *attributes)
{
    return nvtx_start(SITE, domain, NULL, attributes, NEXT_OR(nvtxDomainRangeStartEx, 0, domain, attributes));
}

void nvtxDomainRangeEnd(void *domain, uint64_t id)
{
    nvtx_end(id);
    if (MARKER_NEXT(nvtxDomainRangeEnd))
        MARKER_NEXT(nvtxDomainRangeEnd)(domain, id);
}

void *nvtxDomainCreateA(const char *name)
{
    return nvtx_keep(name, NEXT_OR(nvtxDomainCreateA, NULL, name));
}

void *nvtxDomainCreateW(const wchar_t *name)
{
    char bytes[NVTX_NAME_ROOM];
    nvtx_narrow(bytes, sizeof bytes, name);
    return nvtx_keep(bytes, NEXT_OR(nvtxDomainCreateW, NULL, name));
}

void nvtxDomainDestroy(void *domain)
{
    if (MARKER_NEXT(nvtxDomainDestroy))
        MARKER_NEXT(nvtxDomainDestroy)(domain);
}

void *nvtxDomainRegisterStringA(void *domain, const char *text)
{
    return nvtx_keep(text, NEXT_OR(nvtxDomainRegisterStringA, NULL, domain, text));
}

void *nvtxDomainRegisterStringW(void *domain, const wchar_t *text)
{
    char bytes[NVTX_NAME_ROOM];
    nvtx_narrow(bytes, sizeof bytes, text);
    return nvtx_keep(bytes, NEXT_OR(nvtxDomainRegisterStringW, NULL, domain, text));
}

/* Not recorded, since a mark is a moment and no range; only passed on to the next library. */
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

void nvtxMarkEx(const NvtxAttributes *attributes)
{
    if (MARKER_NEXT(nvtxMarkEx))
        MARKER_NEXT(nvtxMarkEx)(attributes);
}

void nvtxDomainMarkEx(void *domain, const NvtxAttributes *attributes)
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
