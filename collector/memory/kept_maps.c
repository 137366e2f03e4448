/* Copies /proc/self/maps, without lines that name no file, into memory that survives a kill. */
#include "kept_maps.h"

#include "base/proc_maps.h"
#include "kept_memory.h"

#include <stdlib.h>
#include <string.h>

/* Buffer of `room` bytes for the copy of the list of mappings; bytes NULL: only the length is counted. */
typedef struct Text {
    char *bytes;
    size_t length, room;
} Text;

static bool add(const char *line, void *data)
{
    Text *text = data;
    size_t n = strlen(line) + 1;
    if (!strchr(line, '/'))
        return false;
    if (text->bytes && text->length + n > text->room)
        return true;
    if (text->bytes) {
        memcpy(text->bytes + text->length, line, n);
        text->bytes[text->length + n - 1] = '\n';
    }
    text->length += n;
    return false;
}

void hiera_kept_maps_note(void)
{
    HieraKeptHeader *header = hiera_kept_header();
    Text text = {.bytes = NULL};
    if (!header)
        return;
    hiera_maps_lines(add, &text);
    size_t bytes = (text.length + 2 * HIERA_KEPT_PAGE) & ~(size_t)(HIERA_KEPT_PAGE - 1);
    text = (Text){hiera_kept_map(bytes), 0, bytes};
    if (!text.bytes)
        return;
    hiera_maps_lines(add, &text);
    char *old = (char *)(uintptr_t)header->maps;
    size_t old_bytes = header->maps_bytes;
    header->maps = 0; /* first no text, then the new one, so that a killed process never leaves half a text */
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    header->maps_bytes = bytes;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    header->maps = (uintptr_t)text.bytes;
    if (old)
        hiera_kept_unmap(old, old_bytes);
}

static bool is_noted(const HieraKeptHeader *header, uintptr_t address)
{
    const char *at = (const char *)(uintptr_t)header->maps;
    while (at && *at) {
        char *dash;
        unsigned long begin = strtoul(at, &dash, 16), end = *dash == '-' ? strtoul(dash + 1, NULL, 16) : 0;
        if (address >= begin && address < end)
            return true;
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    return false;
}

void hiera_kept_maps_see(const void *address)
{
    const HieraKeptHeader *header = hiera_kept_header();
    if (header && !is_noted(header, (uintptr_t)address))
        hiera_kept_maps_note();
}
