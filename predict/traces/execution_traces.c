#include "execution_traces.h"
#include "execution/attributes/attribute.h"
#include "execution/attributes/call_arguments.h"
#include "hiera_graph.h"
#include "hiera_retime.h"
#include "image/places/readable_name.h"
#include "trace_file.h"
#include <errno.h>
#include <string.h>

/* File and line of a call, as attributes of an element. */
typedef struct {
    char *text;
    const HieraObject *object; /* file that the trace must declare, if only an address is known; otherwise NULL */
} Place;

typedef struct {
    TraceFile *file;
    GHashTable *declared; /* HieraObject: set of the files of machine code that the trace has declared */
    HieraCallArguments arguments;
    const HieraMpiFunction *function; /* MPI function that the rank is in; NULL: none that traces have as an element */
    guint vertex;                     /* vertex of the execution graph that makes the call */
    gint64 begin_ps;                  /* begin of the current call; below 0: not known yet */
} RankTrace;

struct ExecutionTraces {
    const HieraExecution *execution;
    guint32 n;
    RankTrace *ranks;
    HieraHandleNames *names;
    GHashTable *places; /* 1 + number of a vertex → Place: file and line of its call */
    char *application;
    HieraWorldFollower follower;
};

/* --- file and line of calls --- */

static char *format_place(const char *file, int line)
{
    GString *text = g_string_new(NULL);
    hiera_attribute_append_text(text, "file", file);
    g_string_append_printf(text, " line=\"%d\"", line);
    return g_string_free(text, FALSE);
}

/* Format an address for the attribute `file` of a call without a known line: "app+0x1a2b". */
static char *name_address(const HieraObject *object, guint64 address)
{
    g_autofree char *base = g_path_get_basename(object->path);
    return g_strdup_printf("%s+0x%" G_GINT64_MODIFIER "x", base, address - object->base);
}

/* Declare a file of machine code in a rank's trace, before the first element that names an address in it. */
static void declare_object(ExecutionTraces *traces, guint32 rank, const HieraObject *object)
{
    g_autofree char *base = g_path_get_basename(object->path);
    if (!object->build_id || !g_hash_table_add(traces->ranks[rank].declared, (gpointer)object))
        return;
    g_autoptr(GString) element = g_string_new("<hieraObject");
    hiera_attribute_append_text(element, "name", base);
    hiera_attribute_append_text(element, "build", object->build_id);
    g_autofree char *path = g_canonicalize_filename(object->path, NULL);
    hiera_attribute_append_text(element, "path", path);
    g_string_append(element, "/>");
    trace_file_add(traces->ranks[rank].file, element->str);
}

/* Find file and line of a call as the collector does; if no line is known, use the return address. */
static Place *find_place(const ExecutionTraces *traces, const HieraVertex *vertex)
{
    const HieraObject *object = hiera_execution_graph(traces->execution, vertex->graph)->object;
    HieraPlaces *places = hiera_modules_places(&traces->execution->modules, vertex->action);
    g_autoptr(GArray) frames = g_array_new(FALSE, FALSE, sizeof(HieraFrame));
    Place *place = g_new0(Place, 1);
    if (places)
        hiera_places_find(places, vertex->action, frames);
    if (frames->len > 0) {
        const HieraFrame *frame = &g_array_index(frames, HieraFrame, 0);
        place->text = format_place(frame->file, frame->line);
        return place;
    }
    g_autofree char *file = name_address(object, vertex->end);
    place->text = format_place(file, 0);
    place->object = object;
    return place;
}

static void free_place(gpointer freed)
{
    Place *place = freed;
    g_free(place->text);
    g_free(place);
}

/* Return file and line of a vertex's call, as attributes of the rank's next element. */
static const char *place_of(ExecutionTraces *traces, guint32 rank, guint number)
{
    gpointer key = GUINT_TO_POINTER(number + 1);
    const Place *place = g_hash_table_lookup(traces->places, key);
    if (!place) {
        Place *found = find_place(traces, hiera_execution_vertex(traces->execution, number));
        g_hash_table_insert(traces->places, key, found);
        place = found;
    }
    if (place->object)
        declare_object(traces, rank, place->object);
    return place->text;
}

/* --- writing what processes do --- */

/* Return file and first line of main, which no call site names. */
static char *place_of_main(ExecutionTraces *traces, guint32 rank, const HieraFunctionGraph *graph)
{
    if (graph->file)
        return format_place(graph->file, graph->first_line);
    g_autofree char *file = name_address(graph->object, hiera_execution_vertex(traces->execution, graph->first)->begin);
    declare_object(traces, rank, graph->object);
    return format_place(file, 0);
}

/* Write the begin of a function as a region, with file and line of the call. */
static void enters(gpointer user, guint32 rank, guint number, guint from, gint64 ps)
{
    ExecutionTraces *traces = user;
    const HieraFunctionGraph *graph = hiera_execution_graph(traces->execution, number);
    g_autofree char *own = from == HIERA_NO_VERTEX ? place_of_main(traces, rank, graph) : NULL;
    g_autofree char *name = hiera_readable_name(graph->name, graph->file);
    trace_file_enter(traces->ranks[rank].file, name, own ? own : place_of(traces, rank, from), ps);
}

static void leaves(gpointer user, guint32 rank, gint64 ps)
{
    ExecutionTraces *traces = user;
    trace_file_leave(traces->ranks[rank].file, ps);
}

static void declare(ExecutionTraces *traces, guint32 rank)
{
    g_autoptr(GPtrArray) elements = hiera_handle_names_take_declarations(traces->names, rank);
    for (guint i = 0; i < elements->len; i++)
        trace_file_add(traces->ranks[rank].file, elements->pdata[i]);
}

/* Whether collectors record a function as an element; not MPI_Init, MPI_Comm_rank, …, of which at most times are
 * recorded. */
static gboolean is_recorded(const HieraMpiFunction *function)
{
    return *function->name && strcmp(function->group, "env") != 0;
}

static void calls(gpointer user, HieraWorld *world, guint32 rank)
{
    ExecutionTraces *traces = user;
    RankTrace *of = &traces->ranks[rank];
    const HieraMpiFunction *function = world->calls[rank].function;
    of->begin_ps = -1;
    of->function = is_recorded(function) ? function : NULL;
    of->vertex = world->processes[rank]->at;
    if (!of->function)
        return;
    hiera_call_arguments_take(&of->arguments, traces->names, world, rank);
    for (guint i = 0; i < function->n_parameters; i++)
        if (strcmp(function->parameters[i].class, "comm") == 0 &&
            function->parameters[i].direction == HIERA_DIRECTION_OUT && strcmp(function->kind, "local") != 0)
            hiera_handle_names_count_constructor(traces->names, world, rank);
}

static void begins(gpointer user, guint32 rank, gint64 ps)
{
    ((ExecutionTraces *)user)->ranks[rank].begin_ps = ps;
}

/* @param finish_ps  below 0: the call never ends, and its finish time is empty */
static GString *begin_element(ExecutionTraces *traces, guint32 rank, gint64 finish_ps)
{
    RankTrace *of = &traces->ranks[rank];
    GString *text = g_string_new(NULL);
    g_string_append_printf(text, "<hieraMPI operation=\"%s\"%s start_time=\"", of->function->operation,
                           place_of(traces, rank, of->vertex));
    trace_file_append_time(text, of->begin_ps);
    g_string_append(text, "\" finish_time=\"");
    if (finish_ps >= 0)
        trace_file_append_time(text, finish_ps);
    g_string_append_c(text, '"');
    return text;
}

static void returns(gpointer user, HieraWorld *world, guint32 rank, gint64 ps)
{
    ExecutionTraces *traces = user;
    RankTrace *of = &traces->ranks[rank];
    const char *name = world->calls[rank].function->name;
    if (g_str_has_prefix(name, "init") && strcmp(name, "initialized") != 0)
        trace_file_init(of->file, ps);
    if (strcmp(name, "finalize") == 0)
        trace_file_finalize(of->file, of->begin_ps);
    if (!of->function || strcmp(name, "abort") == 0)
        return; /* the call is not recorded; or it never returns, and is written at the end, without a finish time */
    GString *text = begin_element(traces, rank, ps);
    hiera_call_arguments_append(&of->arguments, traces->names, world, rank, text);
    g_string_append(text, "/>");
    declare(traces, rank);
    trace_file_add(of->file, text->str);
    g_string_free(text, TRUE);
    of->function = NULL;
}

/* --- begin and end of the traces --- */

ExecutionTraces *execution_traces_new(const HieraExecution *execution, guint32 n_processes, const Hosts *hosts,
                                      const char *command, const char *folder, GError **error)
{
    g_autoptr(ExecutionTraces) traces = g_new0(ExecutionTraces, 1);
    traces->execution = execution;
    traces->n = n_processes;
    traces->ranks = g_new0(RankTrace, n_processes);
    traces->names = hiera_handle_names_new(n_processes);
    traces->places = g_hash_table_new_full(NULL, NULL, NULL, free_place);
    traces->application = g_path_get_basename(execution->object->path);
    traces->follower = (HieraWorldFollower){enters, leaves, calls, begins, returns, traces};
    if (!hiera_traces_folder(folder, traces->application, n_processes, error))
        return NULL;
    for (guint32 i = 0; i < n_processes; i++) {
        const TraceHead head = {.rank = i,
                                .size = n_processes,
                                .application = traces->application,
                                .host = hosts->names ? hosts->names->pdata[hosts->host[i]] : "host0",
                                .job = (guint64)g_str_hash(command) + 1,
                                .command = command};
        g_autofree char *name = g_strdup_printf("trace%u.xml", i);
        g_autofree char *path = g_build_filename(folder, name, NULL);
        traces->ranks[i].file = trace_file_new(path, &head);
        traces->ranks[i].declared = g_hash_table_new(NULL, NULL);
        hiera_call_arguments_clear(&traces->ranks[i].arguments);
    }
    return g_steal_pointer(&traces);
}

const HieraWorldFollower *execution_traces_follower(ExecutionTraces *traces)
{
    return &traces->follower;
}

/* Write the element of a call that never returns: without finish time. */
static void write_open(ExecutionTraces *traces, const HieraCurrentCall *call, guint32 rank)
{
    RankTrace *of = &traces->ranks[rank];
    GString *text = begin_element(traces, rank, -1);
    hiera_call_arguments_append_open(&of->arguments, call, text);
    g_string_append(text, "/>");
    declare(traces, rank);
    trace_file_add(of->file, text->str);
    g_string_free(text, TRUE);
}

/* --- how a process ends without MPI_Finalize --- */

/* Whether a function ends its process with SIGABRT. */
static gboolean kills(const char *function)
{
    static const char *const killers[] = {"abort",      "__assert",       "__assert_fail",    "__assert_perror_fail",
                                          "__chk_fail", "__fortify_fail", "__stack_chk_fail", "_ZSt9terminatev",
                                          NULL};
    return g_strv_contains(killers, function);
}

/* Whether a function makes the process continue where it is not simulated: exceptions, longjmp, threads. */
static gboolean leads_elsewhere(const char *function)
{
    return g_str_has_prefix(function, "__cxa_") || g_str_has_prefix(function, "_Unwind_") ||
           strstr(function, "longjmp") || strstr(function, "thrd_exit") || strstr(function, "pthread_exit");
}

/* Return attributes of hieraEnd, as collectors write them. @return NULL: the process has called MPI_Finalize, or the
 * cause is not known */
static char *find_cause(const HieraCurrentCall *call, const HieraProcess *process)
{
    const char *by = process->ended_by ? process->ended_by : "exit";
    gboolean has_status = process->end_status.known;
    gint32 status = (gint32)process->end_status.bits;
    if (!process->ended || process->stuck || !call->is_inside || leads_elsewhere(by))
        return NULL;
    if (kills(by))
        return g_strdup(" cause=\"signal\" value=\"6\" name=\"SIGABRT\"");
    gboolean at_once = g_ascii_strcasecmp(by, "_exit") == 0, is_abort = strcmp(by, "MPI_Abort") == 0;
    const char *cause = is_abort || strcmp(by, "quick_exit") == 0 ? by : at_once ? "_exit" : "exit";
    return (at_once || is_abort) && has_status ? g_strdup_printf(" cause=\"%s\" value=\"%d\"", cause, status)
                                               : g_strdup_printf(" cause=\"%s\"", cause);
}

/* Whether a process ends normally: neither killed, nor by MPI_Abort, nor waiting forever. */
static gboolean ends_by_itself(const HieraProcess *process)
{
    const char *by = process->ended_by;
    return process->ended && !process->stuck &&
           !(by && (kills(by) || leads_elsewhere(by) || strcmp(by, "MPI_Abort") == 0));
}

gboolean execution_traces_close(ExecutionTraces *traces, const HieraExecutionRun *run, GError **error)
{
    gboolean good = TRUE;
    for (guint32 i = 0; i < traces->n; i++) {
        RankTrace *of = &traces->ranks[i];
        const HieraProcess *process = run->world.processes[i];
        gboolean ended = ends_by_itself(process) && !run->world.calls[i].is_open;
        g_autofree char *cause = find_cause(&run->world.calls[i], process);
        if (of->function && of->begin_ps >= 0)
            write_open(traces, &run->world.calls[i], i);
        good = trace_file_close(g_steal_pointer(&of->file), ended, run->world.calls[i].now_ps, cause,
                                good ? error : NULL) &&
               good;
    }
    return good;
}

void execution_traces_free(ExecutionTraces *traces)
{
    for (guint32 i = 0; i < traces->n; i++) {
        trace_file_free(traces->ranks[i].file);
        if (traces->ranks[i].declared)
            g_hash_table_unref(traces->ranks[i].declared);
        hiera_call_arguments_clear(&traces->ranks[i].arguments);
    }
    g_free(traces->ranks);
    hiera_handle_names_free(traces->names);
    g_hash_table_unref(traces->places);
    g_free(traces->application);
    g_free(traces);
}
