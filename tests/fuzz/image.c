/* Damaged ELF files: functions, flow of control, loops, lines, at 0 and elsewhere; names as the dynamic linker finds
 * them. The bytes are a file in memory. */
#include "fuzz.h"
#include "image/flow/no_return.h"
#include "image/link/linked_file.h"
#include "image/places/outlined.h"
#include "image/places/places.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST_NAMES = 200 };
#define ELSEWHERE 0x680000000000u

static void look_at(const HieraFunctions *functions, const HieraFunction *function, HieraDecoder *decoder,
                    HieraPlaces *places)
{
    g_autoptr(HieraFlow) flow = hiera_flow_decode(functions, function, decoder);
    hiera_flow_finish(flow);
    if (places)
        hiera_places_function(places, flow);
    for (guint i = 0; i < flow->loops->len; i++) {
        const HieraLoop *loop = flow->loops->pdata[i];
        if (!hiera_flow_graph_dominates(flow->graph, loop->header, loop->header) || loop->nodes->len == 0)
            abort();
        if (places)
            hiera_places_loop(places, flow, loop);
    }
}

static void link_file(const char *path, const HieraFunctions *functions)
{
    g_autoptr(HieraLinkedFile) file = hiera_linked_file_open(path, 0);
    HieraDefinition found;
    for (guint i = 0; file && i < MIN(functions->functions->len, MOST_NAMES); i++) {
        const char *name = ((const HieraFunction *)functions->functions->pdata[i])->name;
        HieraReference reference = hiera_linked_file_reference(file, name);
        hiera_linked_file_find(file, name, reference.version, &found);
    }
}

static void look_elsewhere(const char *path)
{
    g_autoptr(HieraObject) object = hiera_object_open_at(path, ELSEWHERE, NULL);
    g_autoptr(HieraFunctions) functions = object ? hiera_functions_new(object, NULL) : NULL;
    for (guint i = 0; functions && i < functions->functions->len; i++)
        if (((const HieraFunction *)functions->functions->pdata[i])->address < object->base)
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    int fd = memfd_create("image", MFD_CLOEXEC);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    g_autoptr(HieraObject) object = hiera_object_open(path, NULL);
    g_autoptr(HieraFunctions) functions = object ? hiera_functions_new(object, NULL) : NULL;
    g_autoptr(HieraDecoder) decoder = functions ? hiera_decoder_new(object, NULL) : NULL;
    g_autoptr(HieraPlaces) places = decoder ? hiera_places_new(path) : NULL;
    if (decoder) {
        link_file(path, functions);
        look_elsewhere(path);
        hiera_outlined_name(functions);
        hiera_no_return_find(functions, decoder);
        for (guint i = 0; i < functions->functions->len; i++)
            look_at(functions, functions->functions->pdata[i], decoder, places);
    }
    close(fd);
    return 0;
}
