#include "executable_notes.h"
#include "execution/ends.h"
#include "execution/run.h"
#include <string.h>

/* Add texts to the notes, sorted. @param from  set of char * */
static void tell_all(GHashTable *from, GPtrArray *notes)
{
    GList *texts = g_list_sort(g_hash_table_get_keys(from), (GCompareFunc)strcmp);
    for (GList *text = texts; text; text = text->next)
        g_ptr_array_add(notes, g_strdup(text->data));
    g_list_free(texts);
}

/* A note to be given if the program calls a library function. */
typedef struct {
    const char *name;
    const char *text; /* text with %s for the name of the function, and %s for that of its caller */
    gboolean always;  /* FALSE: the note is left out if --machine threads= is given */
} CallNote;

static const CallNote call_notes[] = {
    {"dlopen", "libraries that are loaded by %s in %s are not walked", TRUE},
    {"dlmopen", "libraries that are loaded by %s in %s are not walked", TRUE},
    {"pthread_create", "threads that are made by %s in %s are not walked", TRUE},
    {"__kmpc_fork_call", "regions of OpenMP that are begun by %s in %s are not walked: only those of GCC are", TRUE},
    {"GOMP_parallel",
     "regions of OpenMP (%s in %s and the like) take as long as one thread needs for all their work: "
     "--machine threads=4 shares it out among 4",
     FALSE},
};

static gboolean was_called(const ExecutableSums *sums, const char *name, guint *graph)
{
    for (guint i = 0; i < sums->execution->vertices->len; i++) {
        const HieraVertex *vertex = hiera_execution_vertex(sums->execution, i);
        *graph = vertex->graph;
        for (guint32 p = 0;
             vertex->kind == HIERA_VERTEX_CALL && vertex->callee == HIERA_NO_VERTEX && p < sums->n_processes; p++)
            if (sums->processes[p].counters[i] > 0 && g_strcmp0(vertex->name, name) == 0)
                return TRUE;
    }
    return FALSE;
}

static void tell_calls(const ExecutableSums *sums, gboolean has_threads, GPtrArray *notes)
{
    for (guint i = 0; i < G_N_ELEMENTS(call_notes); i++) {
        const CallNote *note = &call_notes[i];
        guint graph;
        if ((!note->always && has_threads) || !was_called(sums, note->name, &graph))
            continue;
        g_autofree char *caller = hiera_function_text(sums->execution, graph);
        g_autoptr(GString) text = g_string_new(note->text);
        g_string_replace(text, "%s", note->name, 1);
        g_string_replace(text, "%s", caller, 1);
        g_ptr_array_add(notes, g_strdup(text->str));
    }
}

static void tell_without_mpi(const HieraExecution *execution, GPtrArray *notes)
{
    if (hiera_execution_calls_mpi(execution))
        return;
    g_ptr_array_add(notes,
                    g_strdup("the program calls no function of MPI, as far as its code is followed: each process "
                             "does the same by itself"));
}

void executable_notes_add(const ExecutableSums *sums, gboolean has_threads, GPtrArray *notes)
{
    tell_all(sums->execution->notes, notes);
    tell_all(sums->notes, notes);
    tell_calls(sums, has_threads, notes);
    tell_without_mpi(sums->execution, notes);
    for (guint i = 0; i < sums->execution->graphs->len; i++) {
        const HieraFunctionGraph *graph = hiera_execution_graph(sums->execution, i);
        gboolean called = FALSE;
        for (guint32 p = 0; p < sums->n_processes; p++)
            called |= sums->processes[p].counters[hiera_counter_of_graph(sums->execution, i)] > 0;
        if (graph->doubt && called)
            g_ptr_array_add(notes, g_strdup_printf("%s is not known for certain: %s", graph->name, graph->doubt));
    }
}
