#include "ends.h"
#include "image/places/readable_name.h"

char *hiera_function_text(const HieraExecution *execution, guint graph)
{
    return hiera_readable_name(hiera_execution_graph(execution, graph)->name,
                               hiera_execution_graph(execution, graph)->file);
}

char *hiera_place_text(const HieraExecution *execution, guint vertex)
{
    g_autoptr(GArray) frames = g_array_new(FALSE, FALSE, sizeof(HieraFrame));
    const HieraVertex *at = hiera_execution_vertex(execution, vertex);
    const HieraObject *object = hiera_execution_graph(execution, at->graph)->object;
    guint64 address = at->action != 0 ? at->action : at->begin;
    HieraPlaces *places = hiera_modules_places(&execution->modules, address);
    if (places)
        hiera_places_find(places, address, frames);
    const HieraFrame *frame = frames->len > 0 ? &g_array_index(frames, HieraFrame, 0) : NULL;
    g_autofree char *base = g_path_get_basename(frame && frame->file ? frame->file : object->path);
    return frame && frame->file ? g_strdup_printf("%s:%d", base, frame->line)
                                : g_strdup_printf("%s:0x%" G_GINT64_MODIFIER "x", base, address - object->base);
}

char *hiera_drawn_text(const HieraProcess *process)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < MIN(process->n_last_drawn, HIERA_LAST_DRAWN); i++) {
        guint vertex = process->last_drawn[(process->n_last_drawn - 1 - i) % HIERA_LAST_DRAWN];
        g_autofree char *place = hiera_place_text(process->execution, vertex),
                        *name = hiera_function_text(process->execution,
                                                    hiera_execution_vertex(process->execution, vertex)->graph);
        if (i == 0)
            g_string_append_printf(text, "; before that it drew decisions (--decide %s=yes or =no makes one):", place);
        g_string_append_printf(text, "%s %s in %s", i > 0 ? "," : "", place, name);
    }
    return g_string_free(text, FALSE);
}
