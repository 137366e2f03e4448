/* Base of both ways into NVTX: ranges become regions of the level "nvtx"; texts of domains and registered strings
 * are stored under their handles. */
#pragma once

#include "markers.h"

#include <wchar.h>

/* Struct of the NVTX interface (nvtxEventAttributes_t). */
typedef struct NvtxAttributes {
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
} NvtxAttributes;

enum { NVTX_NAME_ROOM = 512 };

/* Convert wide characters to UTF-8, cut to `room` bytes with the NUL. */
void nvtx_narrow(char *to, size_t room, const wchar_t *wide);

/* Store the text of a domain or a registered string under its handle; if the handle is NULL, the address of the copy
 * becomes the handle. Returns the handle. */
void *nvtx_keep(const char *bytes, void *handle);

/* Begin a range of the thread, called at `site`; its name is `name`, or NULL: the message of the attributes, which may
 * be NULL too. Returns its depth in the domain, from 0. */
int nvtx_push(const void *site, const void *domain, const char *name, const NvtxAttributes *attributes);

/* End the innermost open range of the thread in a domain. Returns the range's depth in the domain. */
int nvtx_pop(const void *domain);

/* Begin a range that any thread may end. Returns its id: `given`, or a new one if `given` is 0. */
uint64_t nvtx_start(const void *site, const void *domain, const char *name, const NvtxAttributes *attributes,
                    uint64_t given);
void nvtx_end(uint64_t id);
