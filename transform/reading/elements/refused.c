/* See refused.h. A rule belongs to the name of a parameter; parameters that only give something back are not looked at.
 * Chapters are those of MPI 4.1. */
#include "refused.h"
#include "base/parse_numbers.h"
#include <string.h>

typedef enum {
    NATURAL,  /* not negative; also the numbers of a list */
    POSITIVE, /* at least 1 */
    TARGET,   /* a rank, or MPI_PROC_NULL */
    SOURCE,   /* as TARGET, or MPI_ANY_SOURCE */
    ROOT,     /* a rank; between two groups MPI_ROOT or MPI_PROC_NULL, too */
    TAG,      /* of a receive MPI_ANY_TAG, too */
    COLOR,    /* not negative, or MPI_UNDEFINED */
    GRID,     /* numbers of ranks along the dimensions */
    HANDLE,   /* not the null handle */
    INTRA     /* as HANDLE; of some functions no intercommunicator, of others only one */
} Rule;

static const struct {
    const char *name;
    Rule rule;
    const char *chapter, *count; /* count: of a datatype the parameter with the number of its elements */
} rules[] = {
    {"count", NATURAL, "3.2.2", NULL},
    {"scount", NATURAL, "3.2.2", NULL},
    {"rcount", NATURAL, "3.2.2", NULL},
    {"scounts", NATURAL, "6.2", NULL},
    {"rcounts", NATURAL, "6.2", NULL},
    {"origin_count", NATURAL, "12.3", NULL},
    {"target_count", NATURAL, "12.3", NULL},
    {"result_count", NATURAL, "12.3", NULL},
    {"incount", NATURAL, "3.7.5", NULL},
    {"partitions", NATURAL, "4.2", NULL},
    {"blocklength", NATURAL, "5.1.2", NULL},
    {"blocklengths", NATURAL, "5.1.2", NULL},
    {"ndims", NATURAL, "8.5", NULL},
    {"maxdims", NATURAL, "8.5", NULL},
    {"nnodes", NATURAL, "8.5", NULL},
    {"size", NATURAL, "12.2", NULL},
    {"n", NATURAL, "7.3.2", NULL},
    {"disp_unit", POSITIVE, "12.2.1", NULL},
    {"dest", TARGET, "3.2.3", NULL},
    {"target_rank", TARGET, "12.3", NULL},
    {"rem", SOURCE, "3.2.4", NULL},
    {"root", ROOT, "6.2", NULL},
    {"tag", TAG, "3.2.3", NULL},
    {"stag", TAG, "3.2.3", NULL},
    {"rtag", TAG, "3.2.4", NULL},
    {"color", COLOR, "7.4.2", NULL},
    {"dims", GRID, "8.5.1", NULL},
    {"comm", INTRA, "2.5.1", NULL},
    {"local_comm", INTRA, "2.5.1", NULL},
    {"type", HANDLE, "2.5.1", "count"},
    {"stype", HANDLE, "2.5.1", "scount"},
    {"rtype", HANDLE, "2.5.1", "rcount"},
    {"origin_type", HANDLE, "2.5.1", "origin_count"},
    {"target_type", HANDLE, "2.5.1", "target_count"},
    {"oldtype", HANDLE, "2.5.1", NULL},
    {"op", HANDLE, "2.5.1", NULL},
    {"group", HANDLE, "2.5.1", NULL},
    {"win", HANDLE, "2.5.1", NULL},
    {"fh", HANDLE, "2.5.1", NULL},
};

typedef struct {
    HieraReadContext *context;
    const HieraXmlAttribute *attributes;
    guint n;
    const HieraOperation *operation;
    const char *name;               /* of the operation */
    const HieraCommunicator *comm;  /* NULL: its members are not known */
    const HieraXmlAttribute *about; /* the argument that is looked at */
    gsize length;                   /* of its value */
    GString *why;                   /* what is wrong with it; empty: nothing */
    const char *chapter;
} Call;

static const HieraXmlAttribute *find(const Call *call, const char *name)
{
    for (guint i = 0; i < call->n; i++)
        if (strcmp(call->attributes[i].name, name) == 0)
            return &call->attributes[i];
    return NULL;
}

static gboolean is_text(const HieraXmlAttribute *attribute, const char *text)
{
    return attribute && hiera_attribute_length(attribute) == strlen(text) &&
           memcmp(attribute->value, text, strlen(text)) == 0;
}

static gboolean is(const Call *call, const char *text)
{
    return is_text(call->about, text);
}

static gboolean number_of(const Call *call, gint64 *number)
{
    return hiera_number_parse(call->about->value, call->length, number);
}

/* Return how many bytes of the value say that the object was freed before. */
static gsize count_freed(const Call *call)
{
    gsize n = strlen(HIERA_FREED_HANDLE);
    return call->length > n && memcmp(call->about->value, HIERA_FREED_HANDLE, n) == 0 ? n : 0;
}

/* --- numbers --- */

static void check_numbers(Call *call, gint64 least)
{
    if (g_str_has_prefix(call->name, "status_")) /* a status may be told that it has MPI_UNDEFINED elements */
        return;
    const char *at = call->about->value, *end = at + call->length;
    while (at < end) {
        gsize length = 0;
        gint64 number;
        while (at + length < end && !g_ascii_isspace(at[length]))
            length++;
        if (length > 0 && hiera_number_parse(at, length, &number) && number < least) {
            g_string_assign(call->why, least == 0 ? "is below 0" : "is not above 0");
            return;
        }
        at += length + 1;
    }
}

static void check_color(Call *call)
{
    gint64 color;
    if (number_of(call, &color) && color < 0)
        g_string_assign(call->why, "is neither MPI_UNDEFINED nor at least 0");
}

/* A grid has no more places than its communicator has ranks. */
static void check_grid(Call *call)
{
    check_numbers(call, 0);
    if (call->why->len > 0 || !call->comm || call->comm->remote || strcmp(call->name, "cart_create") != 0)
        return;
    g_autofree char *text = g_strndup(call->about->value, call->length);
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    gint64 places = 1, members = hiera_ranks_count(call->comm->ranks), number;
    for (guint i = 0; words[i]; i++)
        if (!hiera_number_parse(words[i], strlen(words[i]), &number) || __builtin_mul_overflow(places, number, &places))
            return;
    if (places > members)
        g_string_printf(call->why, "needs %" G_GINT64_FORMAT " ranks, and %s has %" G_GINT64_FORMAT, places,
                        call->comm->id, members);
}

/* --- ranks and tags --- */

static void check_rank(Call *call)
{
    gint64 rank, members;
    if (!number_of(call, &rank) || (rank >= 0 && !call->comm))
        return;
    members = call->comm ? hiera_ranks_count(call->comm->remote ? call->comm->remote : call->comm->ranks) : 0;
    if (rank < 0)
        g_string_assign(call->why, "is below 0");
    else if (rank >= members)
        g_string_printf(call->why, "is no rank of %s, which has %" G_GINT64_FORMAT " %s", call->comm->id, members,
                        call->comm->remote ? "in the other group"
                        : members == 1     ? "rank"
                                           : "ranks");
}

static gboolean has_wildcards(const Call *call)
{
    return !g_str_has_prefix(call->name, HIERA_OPERATION_PRECV_INIT);
}

static void check_peer(Call *call, Rule rule)
{
    if (is(call, "MPI_ROOT") || (is(call, "MPI_ANY_SOURCE") && rule == TARGET))
        g_string_assign(call->why, "names no rank that could get anything");
    else if (is(call, "MPI_ANY_SOURCE") && !has_wildcards(call))
        g_string_assign(call->why, "is no rank: partitioned receives name theirs");
    else
        check_rank(call);
}

static void check_root(Call *call)
{
    gboolean across = call->comm && call->comm->remote;
    if (is(call, "MPI_ANY_SOURCE"))
        g_string_assign(call->why, "is no rank");
    else if (call->comm && !across && (is(call, "MPI_ROOT") || is(call, "MPI_PROC_NULL")))
        g_string_printf(call->why, "is no rank, and %s no intercommunicator", call->comm->id);
    else
        check_rank(call);
}

static void check_tag(Call *call)
{
    gboolean receives =
        strcmp(call->about->name, "rtag") == 0 || (strcmp(call->about->name, "tag") == 0 && find(call, "rem"));
    gint64 tag;
    if (is_text(find(call, receives ? "rem" : "dest"), "MPI_PROC_NULL"))
        return;
    if (is(call, "MPI_ANY_TAG") && !(receives && has_wildcards(call)))
        g_string_assign(call->why, receives ? "is no tag: partitioned receives name theirs"
                                            : "is no tag: only receives and probes may take any");
    else if (number_of(call, &tag) && tag < 0)
        g_string_assign(call->why, "is below 0");
}

/* --- handles --- */

/* Whether a function takes a null handle: those that ask for its name or number, and for the error handler of all
 * files. */
static gboolean takes_null(const Call *call)
{
    return g_str_has_suffix(call->name, "_get_name") || g_str_has_suffix(call->name, "_c2f") ||
           g_str_has_suffix(call->name, "_toint") ||
           (g_str_has_prefix(call->name, "file_") && g_str_has_suffix(call->name, "_errhandler"));
}

static void check_handle(Call *call, const char *count)
{
    static const char *const nulls[] = {"MPI_COMM_NULL",  "MPI_DATATYPE_NULL", "MPI_OP_NULL",
                                        "MPI_GROUP_NULL", "MPI_WIN_NULL",      "MPI_FILE_NULL"};
    gboolean null = FALSE;
    if (count_freed(call) > 0) {
        g_string_assign(call->why, HIERA_REFUSED_FREED);
        return;
    }
    for (guint i = 0; i < G_N_ELEMENTS(nulls); i++)
        null = null || is(call, nulls[i]);
    if (!null || takes_null(call) || (count && is_text(find(call, count), "0")) ||
        (strcmp(call->about->name, "origin_type") == 0 && is_text(find(call, "op"), "MPI_NO_OP")))
        return;
    g_string_assign(call->why, "is a null handle");
}

static gboolean begins_with_one_of(const char *name, const char *const *begins)
{
    for (; *begins; begins++)
        if (g_str_has_prefix(name, *begins))
            return TRUE;
    return FALSE;
}

/* Whether a function is about a topology, which MPI_COMM_WORLD and MPI_COMM_SELF do not have. */
static gboolean needs_topology(const char *name)
{
    static const char *const begins[] = {
        "cart_get",  "cart_rank",       "cart_coords",   "cart_shift", "cart_sub",   "cartdim_get",
        "graph_get", "graph_neighbors", "graphdims_get", "neighbor_",  "ineighbor_", "dist_graph_neighbors",
        NULL};
    return begins_with_one_of(name, begins);
}

static void check_communicator(Call *call)
{
    static const char *const intra[] = {
        "scan",       "iscan",        "exscan",    "iexscan", "cart_create", "graph_create", "dist_graph_create",
        "win_create", "win_allocate", "file_open", NULL};
    check_handle(call, NULL);
    if (call->why->len > 0 || !call->comm)
        return;
    if (call->comm->remote && begins_with_one_of(call->name, intra)) {
        g_string_assign(call->why, "is an intercommunicator, for which this is not defined");
        call->chapter = "7.6";
    } else if (!call->comm->remote && strcmp(call->name, "intercomm_merge") == 0) {
        g_string_assign(call->why, "is no intercommunicator");
        call->chapter = "7.6.2";
    } else if ((is(call, HIERA_COMM_WORLD) || is(call, HIERA_COMM_SELF)) && needs_topology(call->name)) {
        g_string_assign(call->why, "has no topology");
        call->chapter = "8.5.5";
    }
}

/* --- all arguments --- */

static void check(Call *call, Rule rule, const char *count)
{
    switch (rule) {
    case NATURAL:
    case POSITIVE:
        check_numbers(call, rule == POSITIVE);
        break;
    case TARGET:
    case SOURCE:
        check_peer(call, rule);
        break;
    case ROOT:
        check_root(call);
        break;
    case TAG:
        check_tag(call);
        break;
    case COLOR:
        check_color(call);
        break;
    case GRID:
        check_grid(call);
        break;
    case HANDLE:
        check_handle(call, count);
        break;
    case INTRA:
        check_communicator(call);
        break;
    }
}

static void put(const Call *call, guint number, const char *before, const char *between, GString *text)
{
    enum { SHOWN_BYTES = 60 };
    gsize skipped = count_freed(call);
    g_string_append_printf(text, "%s%sargument %u, %s = %.*s, %s (MPI 4.1, %s)", text->len > 0 ? between : "", before,
                           number, hiera_parameter_mpi_name(call->about->name),
                           (int)MIN(call->length - skipped, SHOWN_BYTES), call->about->value + skipped, call->why->str,
                           call->chapter);
}

void hiera_refused_read(HieraReadContext *context, const HieraXmlAttribute *attributes, guint n,
                        const HieraOperation *operation, const char *before, const char *between, GString *text)
{
    Call call = {context, attributes, n, operation, operation->site->operation, NULL, NULL, 0, NULL, NULL};
    if (!operation->site->mpi || !operation->site->known)
        return;
    if (operation->comm != HIERA_NONE)
        call.comm = hiera_catalog_peek_communicator(context->catalog, operation->comm);
    if (call.comm && !call.comm->declared)
        call.comm = NULL;
    call.why = g_string_new(NULL);
    for (guint i = 0; i < n; i++) {
        call.about = &attributes[i];
        call.length = hiera_attribute_length(call.about);
        for (guint k = 0; k < G_N_ELEMENTS(rules); k++) {
            if (strcmp(rules[k].name, call.about->name) != 0)
                continue;
            guint number = hiera_parameter_find(call.name, rules[k].name);
            call.chapter = rules[k].chapter;
            g_string_truncate(call.why, 0);
            if (number > 0)
                check(&call, rules[k].rule, rules[k].count);
            if (call.why->len > 0)
                put(&call, number, before, between, text);
            break;
        }
    }
    g_string_free(call.why, TRUE);
}
