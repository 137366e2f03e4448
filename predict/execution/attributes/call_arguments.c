#include "call_arguments.h"
#include "attribute.h"
#include "call_bytes.h"
#include "execution/mpi/handlers.h"
#include <string.h>

enum { MOST_ELEMENTS = 4096 }; /* greatest number of elements of a list argument; longer lists are left out */

void hiera_call_arguments_clear(HieraCallArguments *arguments)
{
    for (guint i = 0; i < arguments->n; i++)
        g_free(arguments->values[i]);
    g_free(arguments->values);
    g_free(arguments->freed);
    *arguments = (HieraCallArguments){.bytes = -1, .received_bytes = -1, .begun = arguments->begun};
}

/* --- values of arguments as texts --- */

static char *format_number(HieraKnown value)
{
    return value.known ? g_strdup_printf("%" G_GINT64_FORMAT, (gint64)value.bits) : NULL;
}

/* Whether a parameter names the rank at the other end of a message or one-sided access. */
static gboolean is_peer(const HieraCurrentCall *call, const HieraMpiParameter *parameter)
{
    return parameter->name == HIERA_P_DEST || parameter->name == HIERA_P_REM ||
           parameter->name == HIERA_P_TARGET_RANK ||
           (parameter->name == HIERA_P_RANK && hiera_mpi_has(call, HIERA_P_WIN) &&
            parameter->direction == HIERA_DIRECTION_VALUE);
}

/* Format the rank at the other end as the simulation knows it, even if the value of the argument is not known. */
static char *format_peer(HieraCallArguments *arguments, HieraWorld *world, guint32 rank,
                         const HieraMpiParameter *parameter)
{
    const HieraGroupOfRanks *group = hiera_world_group(world, world->calls[rank].group);
    gint32 peer = 0;
    if (!hiera_mpi_find_peer(world, rank, parameter->name, parameter->name == HIERA_P_REM, &peer))
        return g_strdup("MPI_PROC_NULL");
    if (group->is_inter)
        group = hiera_world_group(world, group->remote);
    arguments->any_source |= peer == HIERA_SIM_ANY;
    return peer == HIERA_SIM_ANY ? g_strdup("MPI_ANY_SOURCE")
                                 : g_strdup_printf("%u", hiera_group_member(group, (guint32)peer));
}

static char *format_rank(const HieraWorld *world, HieraKnown value)
{
    gint32 number = (gint32)value.bits;
    if (value.known && number == hiera_mpi_no_process(world))
        return g_strdup("MPI_PROC_NULL");
    if (value.known && number == hiera_mpi_any_source(world))
        return g_strdup("MPI_ANY_SOURCE");
    if (value.known && number == HIERA_MPI_UNDEFINED)
        return g_strdup("MPI_UNDEFINED");
    if (value.known && number < -2)
        return g_strdup("MPI_ROOT");
    return format_number(value);
}

static gboolean is_message(const HieraMpiFunction *function)
{
    static const char *const kinds[] = {"send", "receive", "send-receive", "probe", NULL};
    return g_strv_contains(kinds, function->kind);
}

static char *format_tag(HieraCallArguments *arguments, HieraWorld *world, guint32 rank,
                        const HieraMpiParameter *parameter)
{
    const HieraCurrentCall *call = &world->calls[rank];
    gboolean receives = parameter->name == HIERA_P_RTAG || hiera_mpi_has(call, HIERA_P_REM);
    if (parameter->direction != HIERA_DIRECTION_VALUE || !is_message(call->function))
        return format_number(hiera_mpi_integer(world, rank, parameter->name));
    gint32 tag = hiera_mpi_find_tag(world, rank, parameter->name, receives && parameter->name != HIERA_P_STAG);
    arguments->any_tag |= tag == HIERA_SIM_ANY;
    return tag == HIERA_SIM_ANY ? g_strdup("MPI_ANY_TAG") : g_strdup_printf("%d", tag);
}

static char *format_one(HieraCallArguments *arguments, HieraWorld *world, guint32 rank,
                        const HieraMpiParameter *parameter)
{
    HieraKnown value = hiera_mpi_integer(world, rank, parameter->name);
    switch ((HieraMpiTraced)parameter->traced) {
    case HIERA_TRACED_RANK:
        return is_peer(&world->calls[rank], parameter)           ? format_peer(arguments, world, rank, parameter)
               : parameter->name == HIERA_P_ROOT && !value.known ? g_strdup("0")
                                                                 : format_rank(world, value);
    case HIERA_TRACED_TAG:
        return format_tag(arguments, world, rank, parameter);
    case HIERA_TRACED_COLOR:
        return value.known && (gint32)value.bits == HIERA_MPI_UNDEFINED ? g_strdup("MPI_UNDEFINED")
                                                                        : format_number(value);
    case HIERA_TRACED_TEXT:
        return parameter->width == HIERA_WIDTH_TEXT ? hiera_mpi_text(world, rank, parameter->name) : NULL;
    default:
        return format_number(value);
    }
}

static char *format_handle(HieraHandleNames *names, HieraWorld *world, guint32 rank, const HieraMpiParameter *parameter)
{
    HieraKnown handle = hiera_mpi_handle(world, rank, parameter->name);
    gboolean made = parameter->direction == HIERA_DIRECTION_OUT;
    if (!handle.known && !made && strcmp(parameter->class, "comm") == 0)
        return g_strdup(hiera_handle_names_find_group(names, world, rank, world->calls[rank].group));
    return handle.known ? g_strdup(hiera_handle_names_find(names, world, rank, parameter, handle.bits, made)) : NULL;
}

static char *format_list(HieraHandleNames *names, HieraWorld *world, guint32 rank, const HieraMpiParameter *parameter)
{
    HieraKnown listed = hiera_mpi_integer(world, rank, HIERA_P_OUTCOUNT);
    guint64 n = parameter->length != HIERA_P_OUTCOUNT     ? hiera_mpi_count_elements(world, rank, parameter)
                : listed.known && (gint32)listed.bits > 0 ? listed.bits
                                                          : 0;
    g_autoptr(GString) text = g_string_new(NULL);
    if (parameter->span == HIERA_SPAN_OTHER || n == 0 || n > MOST_ELEMENTS || parameter->traced == HIERA_TRACED_TEXT ||
        g_str_has_prefix(hiera_mpi_parameter_name(parameter->name), "weights"))
        return NULL; /* a list of weights may be MPI_UNWEIGHTED, which cannot be read as an address */
    for (guint64 i = 0; i < n; i++) {
        HieraKnown value = hiera_mpi_element(world, rank, parameter->name, i);
        const char *name = parameter->traced == HIERA_TRACED_HANDLE && value.known
                               ? hiera_handle_names_find(names, world, rank, parameter, value.bits, FALSE)
                               : NULL;
        g_autofree char *number = name || parameter->traced == HIERA_TRACED_HANDLE ? NULL
                                  : parameter->traced == HIERA_TRACED_RANK         ? format_rank(world, value)
                                                                                   : format_number(value);
        if (!name && !number)
            return NULL;
        g_string_append_printf(text, "%s%s", i > 0 ? " " : "", name ? name : number);
    }
    return g_strdup(text->str);
}

/* Whether MPI ignores an argument of a call whose buffer is MPI_IN_PLACE. */
static gboolean is_replaced(const HieraMpiFunction *function, const HieraMpiParameter *parameter)
{
    static const char *const sent[] = {"scount", "stype", "scounts", "sdispls", "stypes", NULL},
                             *const received[] = {"rcount", "rtype", "rcounts", "rdispls", "rtypes", NULL};
    return g_strv_contains(*function->in_place == 's' ? sent : received, hiera_mpi_parameter_name(parameter->name));
}

/* Whether an argument has its value only after the call. */
static gboolean comes_out(const HieraMpiParameter *parameter)
{
    return parameter->direction == HIERA_DIRECTION_OUT ||
           (parameter->direction == HIERA_DIRECTION_INOUT && parameter->traced != HIERA_TRACED_HANDLE);
}

static void take_values(HieraCallArguments *arguments, HieraHandleNames *names, HieraWorld *world, guint32 rank,
                        gboolean out)
{
    const HieraMpiFunction *function = world->calls[rank].function;
    guint roles = hiera_call_find_roles(world, rank) | 1 << HIERA_ROLE_ALL;
    gboolean in_place = *function->in_place && hiera_call_is_in_place(world, rank);
    for (guint i = 0; i < function->n_parameters; i++) {
        const HieraMpiParameter *parameter = &function->parameters[i];
        HieraKnown flag = hiera_mpi_integer(world, rank, parameter->flag);
        gboolean counts = parameter->flag == HIERA_P_NONE ||
                          (flag.known && (parameter->flag == HIERA_P_FLAG ? flag.bits != 0 : (gint32)flag.bits >= 0));
        if (comes_out(parameter) != out || parameter->traced == HIERA_TRACED_NOT ||
            parameter->traced == HIERA_TRACED_REQUEST || !(roles & 1 << parameter->role) || !counts ||
            (in_place && is_replaced(function, parameter)))
            continue;
        arguments->values[i] = parameter->n_elements > 0 ? format_list(names, world, rank, parameter)
                               : parameter->traced == HIERA_TRACED_HANDLE
                                   ? format_handle(names, world, rank, parameter)
                                   : format_one(arguments, world, rank, parameter);
    }
}

/* --- attributes of requests and received messages --- */

/* Append the numbers of the requests that were passed to the call. */
static void append_given(const HieraCurrentCall *call, GString *text)
{
    for (guint i = 0; i < call->handles->len; i++) {
        if (i == 0)
            g_string_append(text, " requests=\"");
        g_string_append_printf(text, "%s%" G_GUINT64_FORMAT, i > 0 ? " " : "",
                               g_array_index(call->handles, guint64, i));
    }
    if (call->handles->len > 0)
        g_string_append_c(text, '"');
}

/* Append the requests that the call has completed, and source, tag and size of their messages. */
static void append_completed(const HieraCurrentCall *call, GString *text)
{
    g_autoptr(GString) requests = g_string_new(NULL), sources = g_string_new(NULL), tags = g_string_new(NULL),
                       sizes = g_string_new(NULL);
    for (guint i = 0; i < call->over->len; i++) {
        const HieraCompletedRequest *over = &g_array_index(call->over, HieraCompletedRequest, i);
        const char *space = i > 0 ? " " : "";
        g_string_append_printf(requests, "%s%" G_GUINT64_FORMAT, space, over->handle);
        if (over->received.source < 0) {
            gboolean of_nobody = over->received.source == HIERA_RECEIVED_OF_NOBODY;
            g_string_append_printf(sources, "%s%s", space, of_nobody ? "MPI_PROC_NULL" : "-");
            g_string_append_printf(tags, "%s%s", space, of_nobody ? "MPI_ANY_TAG" : "-");
            g_string_append_printf(sizes, "%s%s", space, of_nobody ? "0" : "-");
            continue;
        }
        g_string_append_printf(sources, "%s%d", space, over->received.source);
        g_string_append_printf(tags, "%s%d", space, over->received.tag);
        g_string_append_printf(sizes, "%s%" G_GUINT64_FORMAT, space, over->received.n);
    }
    if (call->over->len == 0)
        return;
    hiera_attribute_append_text(text, "sources", sources->str);
    hiera_attribute_append_text(text, "tags", tags->str);
    hiera_attribute_append_text(text, "sizes", sizes->str);
    hiera_attribute_append_text(text, "requests", requests->str);
}

/* Replace the call's source and tag by those of the message that it has received. */
static void take_message(HieraCallArguments *arguments, const HieraCurrentCall *call)
{
    const HieraReceived *received = &call->received;
    HieraMpiName tag = hiera_mpi_has(call, HIERA_P_RTAG) ? HIERA_P_RTAG : HIERA_P_TAG;
    if (received->source == HIERA_RECEIVED_NOTHING || !hiera_mpi_has(call, HIERA_P_REM))
        return;
    for (guint i = 0; i < arguments->n; i++) {
        HieraMpiName name = call->function->parameters[i].name;
        if (name != HIERA_P_REM && name != tag)
            continue;
        g_free(arguments->values[i]);
        arguments->values[i] = received->source >= 0
                                   ? g_strdup_printf("%d", name == tag ? received->tag : received->source)
                                   : g_strdup(name == tag ? "MPI_ANY_TAG" : "MPI_PROC_NULL");
    }
}

static void append_values(const HieraCallArguments *arguments, const HieraMpiFunction *function, GString *text)
{
    for (guint i = 0; i < arguments->n; i++)
        if (arguments->values[i])
            hiera_attribute_append_text(text, hiera_mpi_parameter_name(function->parameters[i].name),
                                        arguments->values[i]);
}

static void append_bytes(const HieraCallArguments *arguments, GString *text)
{
    if (arguments->bytes >= 0)
        g_string_append_printf(text, " bytes=\"%" G_GINT64_FORMAT "\"", arguments->bytes);
    if (arguments->received_bytes >= 0)
        g_string_append_printf(text, " rbytes=\"%" G_GINT64_FORMAT "\"", arguments->received_bytes);
}

/* Return the bytes that the call has received: of its message; of a file, as many as were asked for. */
static gint64 find_received(HieraCallArguments *arguments, HieraWorld *world, guint32 rank)
{
    const HieraCurrentCall *call = &world->calls[rank];
    if (g_str_has_prefix(call->function->kind, "io"))
        return hiera_mpi_has(call, HIERA_P_COUNT)
                   ? hiera_mpi_data(world, rank, HIERA_P_BUF, HIERA_P_COUNT, HIERA_P_TYPE).bytes
                   : arguments->begun;
    return call->received.source >= 0 ? (gint64)call->received.n : 0;
}

/* --- all attributes of a call --- */

static gboolean comes_with_message(const char *expression)
{
    return strcmp(expression, "status") == 0;
}

void hiera_call_arguments_take(HieraCallArguments *arguments, HieraHandleNames *names, HieraWorld *world, guint32 rank)
{
    const HieraMpiFunction *function = world->calls[rank].function;
    hiera_call_arguments_clear(arguments);
    arguments->n = function->n_parameters;
    arguments->values = g_new0(char *, arguments->n + 1);
    take_values(arguments, names, world, rank, FALSE);
    if (strcmp(function->name, "request_free") == 0)
        arguments->freed = format_number(hiera_mpi_handle(world, rank, HIERA_P_REQUEST));
    if (*function->sent)
        arguments->bytes = hiera_call_find_bytes(world, rank, function->sent);
    if (*function->received && !comes_with_message(function->received))
        *(*function->sent ? &arguments->received_bytes : &arguments->bytes) =
            hiera_call_find_bytes(world, rank, function->received);
}

void hiera_call_arguments_append(HieraCallArguments *arguments, HieraHandleNames *names, HieraWorld *world,
                                 guint32 rank, GString *text)
{
    const HieraCurrentCall *call = &world->calls[rank];
    const HieraMpiFunction *function = call->function;
    gboolean completes = strcmp(function->kind, "complete") == 0, arrives = call->received.source >= 0;
    take_values(arguments, names, world, rank, TRUE);
    if (!completes)
        take_message(arguments, call);
    append_values(arguments, function, text);
    if (!completes && arrives && arguments->any_source)
        hiera_attribute_append_text(text, "posted", "any");
    if (!completes && arrives && arguments->any_tag)
        hiera_attribute_append_text(text, "posted_tag", "any");
    if (comes_with_message(function->received))
        *(*function->sent ? &arguments->received_bytes : &arguments->bytes) = find_received(arguments, world, rank);
    append_bytes(arguments, text);
    if (strstr(function->name, "_begin"))
        arguments->begun = hiera_mpi_data(world, rank, HIERA_P_BUF, HIERA_P_COUNT, HIERA_P_TYPE).bytes;
    if (call->opened > 0)
        g_string_append_printf(text, " request=\"%" G_GUINT64_FORMAT "\"", call->opened);
    if (completes)
        append_completed(call, text);
    else
        append_given(call, text);
    if (arguments->freed)
        hiera_attribute_append_text(text, "requests", arguments->freed);
}

void hiera_call_arguments_append_open(const HieraCallArguments *arguments, const HieraCurrentCall *call, GString *text)
{
    append_values(arguments, call->function, text);
    append_bytes(arguments, text);
    if (call->opened > 0)
        g_string_append_printf(text, " request=\"%" G_GUINT64_FORMAT "\"", call->opened);
    append_given(call, text);
}
