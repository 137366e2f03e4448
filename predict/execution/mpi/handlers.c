/* Which MPI functions are simulated, and by which functions of this folder. See handlers.h. */
#include "handlers.h"
#include <string.h>

#define P(direction, width, name, length, n, span, traced, class, role, flag)                                          \
    {HIERA_P_##name,    HIERA_DIRECTION_##direction, HIERA_WIDTH_##width, HIERA_P_##length, n,                         \
     HIERA_SPAN_##span, HIERA_TRACED_##traced,       HIERA_ROLE_##role,   HIERA_P_##flag,   class},
/* By index of the function: its parameters; a last one, HIERA_P_NONE, is there since C has no empty arrays. */
#define X(name, operation, kind, group, sent, received, in_place, list) {list{HIERA_P_NONE}},
enum { MOST_PARAMETERS = 16 };
static const HieraMpiParameter parameters[][MOST_PARAMETERS] = {HIERA_MPI_FUNCTIONS(X, P)};
#undef X
#undef P
#define P(...)
#define X(name, operation, kind, group, sent, received, in_place, list)                                                \
    {name, operation, kind, group, sent, received, in_place},
static const struct {
    const char *name, *operation, *kind, *group, *sent, *received, *in_place;
} names[] = {HIERA_MPI_FUNCTIONS(X, P)};
#undef X
#undef P
#define X(identifier, name) name,
static const char *const parameter_names[] = {HIERA_MPI_NAMES(X)};
#undef X

const char *hiera_mpi_parameter_name(HieraMpiName name)
{
    return parameter_names[name];
}

/* What is done at the begin and end of some functions. Names are without `_c`; of collectives without `i` and `_init`,
 * too. */
typedef struct {
    const char *names; /* names of the MPI functions in lower case, separated by blanks */
    HieraMpiWork begin, end;
    guint8 detail;
} Handler;

static const Handler handlers[] = {
    {"send psend", hiera_mpi_begin_send, NULL, HIERA_SIM_STANDARD},
    {"ssend", hiera_mpi_begin_send, NULL, HIERA_SIM_SYNCHRONOUS},
    {"bsend", hiera_mpi_begin_send, NULL, HIERA_SIM_BUFFERED},
    {"rsend", hiera_mpi_begin_send, NULL, HIERA_SIM_READY},
    {"recv", hiera_mpi_begin_receive, hiera_mpi_end_receives, 0},
    {"precv", hiera_mpi_begin_receive, NULL, 0},
    {"mrecv", hiera_mpi_begin_matched_receive, hiera_mpi_end_receives, 0},
    {"sendrecv sendrecv_replace", hiera_mpi_begin_exchange, hiera_mpi_end_receives, 0},
    {"probe iprobe mprobe improbe", hiera_mpi_begin_probe, hiera_mpi_end_probe, 0},
    {"start startall", hiera_mpi_begin_start, NULL, 0},
    {"pready pready_range pready_list", hiera_mpi_begin_ready, NULL, 0},
    {"wait waitall test testall", hiera_mpi_begin_wait, hiera_mpi_end_wait, HIERA_SIM_ALL},
    {"waitany testany", hiera_mpi_begin_wait, hiera_mpi_end_wait, HIERA_SIM_ONE},
    {"waitsome testsome", hiera_mpi_begin_wait, hiera_mpi_end_wait, HIERA_SIM_SOME},
    {"parrived request_get_status", hiera_mpi_begin_arrived, hiera_mpi_end_arrived, HIERA_SIM_ALL},
    {"request_free", NULL, hiera_mpi_free_request, 0},
    {"barrier", hiera_mpi_begin_collective, hiera_mpi_end_collective, HIERA_SIM_BARRIER},
    {"bcast", hiera_mpi_begin_collective, hiera_mpi_end_collective, HIERA_SIM_BROADCAST},
    {"scatter scatterv", hiera_mpi_begin_collective, hiera_mpi_end_collective, HIERA_SIM_SCATTER},
    {"gather gatherv", hiera_mpi_begin_collective, hiera_mpi_end_collective, HIERA_SIM_GATHER},
    {"allgather allgatherv", hiera_mpi_begin_collective, hiera_mpi_end_collective, HIERA_SIM_ALLGATHER},
    {"alltoall alltoallv alltoallw", hiera_mpi_begin_collective, hiera_mpi_end_collective, HIERA_SIM_ALLTOALL},
    {"reduce", hiera_mpi_begin_collective, hiera_mpi_end_collective, HIERA_SIM_REDUCE},
    {"allreduce", hiera_mpi_begin_collective, hiera_mpi_end_collective, HIERA_SIM_ALLREDUCE},
    {"reduce_scatter reduce_scatter_block", hiera_mpi_begin_collective, hiera_mpi_end_collective,
     HIERA_SIM_REDUCE_SCATTER},
    {"scan exscan", hiera_mpi_begin_collective, hiera_mpi_end_collective, HIERA_SIM_SCAN},
    {"neighbor_allgather neighbor_allgatherv neighbor_alltoall neighbor_alltoallv neighbor_alltoallw",
     hiera_mpi_begin_neighbours, hiera_mpi_end_receives, 0},
    {"comm_free", NULL, NULL, 0},
    {"comm_rank comm_size comm_remote_size comm_test_inter group_rank group_size", NULL, hiera_mpi_tell_group, 0},
    {"comm_compare group_compare", NULL, hiera_mpi_compare_groups, 0},
    {"group_translate_ranks", NULL, hiera_mpi_translate_ranks, 0},
    {"comm_group comm_remote_group win_get_group file_get_group group_incl group_excl "
     "group_range_incl group_range_excl group_union group_intersection group_difference "
     "group_from_session_pset",
     NULL, hiera_mpi_make_group, 0},
    {"comm_dup comm_dup_with_info comm_idup comm_idup_with_info file_open", hiera_mpi_begin_split, hiera_mpi_end_split,
     HIERA_SPLIT_DUPLICATE},
    {"comm_split", hiera_mpi_begin_split, hiera_mpi_end_split, HIERA_SPLIT_COLOR},
    {"comm_split_type", hiera_mpi_begin_split, hiera_mpi_end_split, HIERA_SPLIT_KEY},
    {"comm_create", hiera_mpi_begin_split, hiera_mpi_end_split, HIERA_SPLIT_GROUP},
    {"comm_create_group comm_create_from_group", hiera_mpi_begin_split, hiera_mpi_end_split, HIERA_SPLIT_MEMBERS},
    {"intercomm_create intercomm_create_from_groups", hiera_mpi_begin_leaders, hiera_mpi_end_leaders, 0},
    {"intercomm_merge", hiera_mpi_begin_split, hiera_mpi_end_split, HIERA_SPLIT_MERGE},
    {"cart_create", hiera_mpi_begin_split, hiera_mpi_end_split, HIERA_SPLIT_GRID},
    {"cart_sub", hiera_mpi_begin_split, hiera_mpi_end_split, HIERA_SPLIT_SUBGRID},
    {"graph_create", hiera_mpi_begin_split, hiera_mpi_end_split, HIERA_SPLIT_GRAPH},
    {"dist_graph_create", hiera_mpi_begin_split, hiera_mpi_end_split, HIERA_SPLIT_EDGES},
    {"dist_graph_create_adjacent", hiera_mpi_begin_split, hiera_mpi_end_split, HIERA_SPLIT_ADJACENT},
    {"win_create win_allocate win_allocate_shared win_create_dynamic", hiera_mpi_begin_split, hiera_mpi_end_split,
     HIERA_SPLIT_WINDOW},
    {"cart_shift", NULL, hiera_mpi_shift_in_grid, 0},
    {"cart_coords cart_get cartdim_get", NULL, hiera_mpi_write_coordinates, 0},
    {"cart_rank", NULL, hiera_mpi_write_member, 0},
    {"dims_create", NULL, hiera_mpi_create_dimensions, 0},
    {"topo_test graph_neighbors graph_neighbors_count dist_graph_neighbors dist_graph_neighbors_count", NULL,
     hiera_mpi_tell_neighbours, 0},
    {"type_contiguous type_vector type_dup", NULL, hiera_mpi_make_type, HIERA_TYPE_VECTOR},
    {"type_create_hvector type_hvector", NULL, hiera_mpi_make_type, HIERA_TYPE_VECTOR_IN_BYTES},
    {"type_indexed type_create_indexed_block", NULL, hiera_mpi_make_type, HIERA_TYPE_INDEXED},
    {"type_create_hindexed type_hindexed type_create_hindexed_block type_create_struct type_struct", NULL,
     hiera_mpi_make_type, HIERA_TYPE_INDEXED_IN_BYTES},
    {"type_create_subarray", NULL, hiera_mpi_make_type, HIERA_TYPE_SUBARRAY},
    {"type_create_darray", NULL, hiera_mpi_make_type, HIERA_TYPE_UNKNOWN},
    {"type_create_resized", NULL, hiera_mpi_make_type, HIERA_TYPE_RESIZED},
    {"type_match_size type_create_f90_integer type_create_f90_real type_create_f90_complex", NULL, hiera_mpi_name_type,
     0},
    {"type_free", NULL, hiera_mpi_free_type, 0},
    {"type_size type_size_x type_get_extent type_get_extent_x type_extent pack_size get_count "
     "get_elements get_elements_x get_address address",
     NULL, hiera_mpi_tell_type, 0},
    {"pack", NULL, hiera_mpi_pack_call, 0},
    {"unpack", NULL, hiera_mpi_unpack_call, 0},
    {"put rput accumulate raccumulate", hiera_mpi_begin_access, NULL, HIERA_SIM_PUT},
    {"get rget get_accumulate rget_accumulate fetch_and_op compare_and_swap", hiera_mpi_begin_access, NULL,
     HIERA_SIM_GET},
    {"win_fence", hiera_mpi_begin_epoch, NULL, HIERA_SIM_FENCE},
    {"win_post", hiera_mpi_begin_epoch, NULL, HIERA_SIM_POST},
    {"win_start", hiera_mpi_begin_epoch, NULL, HIERA_SIM_START},
    {"win_complete", hiera_mpi_begin_epoch, NULL, HIERA_SIM_COMPLETE},
    {"win_wait", hiera_mpi_begin_epoch, NULL, HIERA_SIM_EXPOSED},
    {"win_test", hiera_mpi_begin_epoch, hiera_mpi_end_arrived, HIERA_SIM_EXPOSED},
    {"win_lock win_lock_all", hiera_mpi_begin_epoch, NULL, HIERA_SIM_LOCK},
    {"win_unlock win_unlock_all", hiera_mpi_begin_epoch, NULL, HIERA_SIM_UNLOCK},
    {"win_flush win_flush_all win_flush_local win_flush_local_all", hiera_mpi_begin_epoch, NULL, HIERA_SIM_FLUSH},
    {"alloc_mem", NULL, hiera_mpi_allocate, 0},
    {"init init_thread", hiera_mpi_begin_gathering, hiera_mpi_end_init, 0},
    {"initialized", NULL, hiera_mpi_end_arrived, 0},
    {"finalize", hiera_mpi_begin_finalize, hiera_mpi_end_collective, 0},
    {"abort", NULL, hiera_mpi_abort, 0},
};

static gboolean has_word(const char *words, const char *word)
{
    gsize n = strlen(word);
    for (const char *at = n > 0 ? strstr(words, word) : NULL; at; at = strstr(at + 1, word)) {
        if ((at == words || at[-1] == ' ') && (at[n] == ' ' || at[n] == 0))
            return TRUE;
    }
    return FALSE;
}

static const Handler *find_handler(const char *name)
{
    for (guint i = 0; i < G_N_ELEMENTS(handlers); i++)
        if (has_word(handlers[i].names, name))
            return &handlers[i];
    return NULL;
}

/* Return the handler of a function that has no row in `handlers`, by its kind; NULL: nothing is done. */
static const Handler *find_by_kind(const char *kind)
{
    /* For collectives that only synchronize all members, such as MPI_Win_free and MPI_File_set_view. */
    static const Handler meeting = {"", hiera_mpi_begin_gathering, hiera_mpi_end_collective, 0};
    static const Handler file = {"", hiera_mpi_begin_file, hiera_mpi_end_collective, 0};
    if (g_str_has_prefix(kind, "io"))
        return &file;
    return strcmp(kind, "all-to-all") == 0 ? &meeting : NULL;
}

/* Whether a function connects to other programs, which are not simulated. */
static gboolean is_beyond(const char *name)
{
    return has_word("comm_spawn comm_spawn_multiple comm_accept comm_connect comm_join", name);
}

static const HieraMpiFunction *add_function(HieraMpiFunctions *functions, guint i)
{
    HieraMpiFunction *function = g_new0(HieraMpiFunction, 1);
    g_autofree char *name = g_strdup(names[i].name);
    gsize n = strlen(name);
    function->name = names[i].name;
    function->operation = names[i].operation;
    function->kind = names[i].kind;
    function->group = names[i].group;
    function->sent = names[i].sent;
    function->received = names[i].received;
    function->in_place = names[i].in_place;
    function->parameters = parameters[i];
    while (parameters[i][function->n_parameters].name != HIERA_P_NONE)
        function->n_parameters++;
    for (guint k = 0; k < function->n_parameters; k++)
        if (parameters[i][k].name == HIERA_P_REQUEST && parameters[i][k].direction == HIERA_DIRECTION_OUT)
            function->start = HIERA_MPI_MAKES_REQUEST;
    if (g_str_has_suffix(name, "_c"))
        name[n - 2] = 0;
    if (function->start == HIERA_MPI_MAKES_REQUEST && g_str_has_suffix(name, "_init")) {
        function->start = HIERA_MPI_PERSISTENT;
        name[strlen(name) - 5] = 0;
    }
    const Handler *handler = find_handler(name);
    if (!handler && function->start == HIERA_MPI_MAKES_REQUEST && name[0] == 'i')
        handler =
            find_handler(name + 1); /* a non-blocking call such as MPI_Isend has the handler of the name without i */
    if (!handler && !is_beyond(name))
        handler = find_by_kind(names[i].kind);
    if (handler) {
        function->begin = handler->begin;
        function->end = handler->end;
        function->detail = handler->detail;
    }
    g_hash_table_insert(functions->by_name, (gpointer)function->name, function);
    return function;
}

/* Convert a name to lower case, without the ends that Fortran compilers and the module mpi_f08 add. */
static char *strip(const char *name, gboolean fortran)
{
    char *lower = g_ascii_strdown(name, -1);
    static const char *const added[] = {"_", "_f08ts", "_f08"};
    for (guint i = 0; fortran && i < G_N_ELEMENTS(added); i++)
        while (g_str_has_suffix(lower, added[i]))
            lower[strlen(lower) - strlen(added[i])] = 0;
    return lower;
}

const HieraMpiFunction *hiera_mpi_function(HieraMpiFunctions *functions, const char *name, gboolean *fortran)
{
    const char *base = *name == 'P' || *name == 'p' ? name + 1 : name;
    const HieraMpiFunction *function = g_hash_table_lookup(functions->by_called, name);
    *fortran = g_str_has_prefix(base, "mpi_");
    if (function)
        return function;
    g_autofree char *lower = strip(base + strlen("MPI_"), *fortran);
    function = g_hash_table_lookup(functions->by_name, lower);
    for (guint i = 0; !function && i < G_N_ELEMENTS(names); i++)
        if (strcmp(names[i].name, lower) == 0)
            function = add_function(functions, i);
    if (function)
        g_hash_table_insert(functions->by_called, (gpointer)name, (gpointer)function);
    return function;
}

gboolean hiera_mpi_is_left_out(const HieraMpiFunction *function)
{
    return is_beyond(function->name);
}

gboolean hiera_mpi_moves_file(const HieraMpiFunction *function)
{
    gboolean counts = FALSE;
    for (guint i = 0; i < function->n_parameters; i++)
        counts |= function->parameters[i].name == HIERA_P_COUNT;
    return counts && g_str_has_prefix(function->kind, "io");
}
