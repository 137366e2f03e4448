/* See call_bytes.h. functions.table explains the expressions that are evaluated here, at its head. */
#include "call_bytes.h"
#include "execution/mpi/handlers.h"
#include <string.h>

enum { OPENMPI_ROOT = -4, MPICH_ROOT = -3 };

guint hiera_call_find_roles(HieraWorld *world, guint32 rank)
{
    const HieraCurrentCall *call = &world->calls[rank];
    const HieraGroupOfRanks *group = hiera_world_group(world, call->group);
    const guint root = 1 << HIERA_ROLE_ROOT, member = 1 << HIERA_ROLE_MEMBERS, any = 1 << HIERA_ROLE_BOTH;
    HieraKnown value = hiera_mpi_integer(world, rank, HIERA_P_ROOT);
    gint32 number = value.known ? (gint32)value.bits : 0;
    if (!hiera_mpi_has(call, HIERA_P_ROOT))
        return root | member | any;
    if (!group->is_inter)
        return member | any | ((guint)number == hiera_group_member(group, rank) ? root : 0);
    if (number == hiera_mpi_no_process(world))
        return 0;
    return any | (number == (world->is_openmpi ? OPENMPI_ROOT : MPICH_ROOT) ? root : member);
}

/* Return the call's parameter with this name; NULL: it has none. */
static const HieraMpiParameter *find_parameter(const HieraCurrentCall *call, const char *name)
{
    for (guint i = 0; i < call->function->n_parameters; i++)
        if (strcmp(hiera_mpi_parameter_name(call->function->parameters[i].name), name) == 0)
            return &call->function->parameters[i];
    return NULL;
}

gboolean hiera_call_is_in_place(HieraWorld *world, guint32 rank)
{
    const HieraMpiParameter *buffer = find_parameter(&world->calls[rank], world->calls[rank].function->in_place);
    return buffer && hiera_mpi_is_in_place(world, rank, hiera_mpi_pointer(world, rank, buffer->name));
}

/* Return a factor of an expression: if the parameter is a type, the size of the type, otherwise the value itself. */
static HieraKnown weigh(HieraWorld *world, guint32 rank, HieraKnown value, const HieraMpiParameter *parameter)
{
    if (parameter->traced != HIERA_TRACED_HANDLE || !value.known)
        return value;
    const HieraMpiType *type = hiera_mpi_type(world, rank, value.bits);
    return (HieraKnown){type != NULL, type ? (guint64)type->size : 0};
}

static HieraKnown find_element(HieraWorld *world, guint32 rank, const char *name, guint64 i)
{
    const HieraMpiParameter *parameter = find_parameter(&world->calls[rank], name);
    return parameter ? weigh(world, rank, hiera_mpi_element(world, rank, parameter->name, i), parameter)
                     : (HieraKnown){FALSE, 0};
}

/* Return the neighbours for which an array argument has elements; NULL: its elements are not for neighbours. */
static GArray *find_neighbours(const HieraWorld *world, guint32 rank, const HieraMpiParameter *parameter)
{
    const HieraGroupOfRanks *group = hiera_world_group(world, world->calls[rank].group);
    guint member = hiera_group_member(group, rank);
    gboolean sends = parameter->span == HIERA_SPAN_DESTINATIONS;
    return member != HIERA_NO_VERTEX && (sends || parameter->span == HIERA_SPAN_SOURCES)
               ? hiera_mpi_neighbours(group, member, sends)
               : NULL;
}

/* Evaluate sum(scounts) or sum(scounts*stypes) over the elements of arrays. @param inside  text in the parentheses */
static HieraKnown add_up(HieraWorld *world, guint32 rank, const char *inside)
{
    g_auto(GStrv) names = g_strsplit(inside, "*", 2);
    const HieraMpiParameter *parameter = find_parameter(&world->calls[rank], names[0]);
    HieraKnown sum = {parameter != NULL, 0};
    if (!parameter)
        return sum;
    g_autoptr(GArray) neighbours = find_neighbours(world, rank, parameter);
    guint64 n = hiera_mpi_count_elements(world, rank, parameter);
    for (guint64 i = 0; i < n && sum.known; i++) {
        if (neighbours && i < neighbours->len && g_array_index(neighbours, gint32, i) < 0)
            continue;
        HieraKnown value = find_element(world, rank, names[0], i),
                   by = names[1] ? find_element(world, rank, names[1], i) : (HieraKnown){TRUE, 1};
        sum.known = value.known && by.known;
        sum.bits += value.bits * by.bits;
    }
    return sum;
}

static guint64 count_neighbours(const HieraWorld *world, guint32 rank, gboolean sends)
{
    const HieraGroupOfRanks *group = hiera_world_group(world, world->calls[rank].group);
    guint member = hiera_group_member(group, rank);
    guint64 n = 0;
    if (member == HIERA_NO_VERTEX)
        return 0;
    g_autoptr(GArray) members = hiera_mpi_neighbours(group, member, sends);
    for (guint i = 0; i < members->len; i++)
        n += g_array_index(members, gint32, i) >= 0;
    return n;
}

static HieraKnown find_factor(HieraWorld *world, guint32 rank, const char *word)
{
    const HieraCurrentCall *call = &world->calls[rank];
    const HieraGroupOfRanks *own = hiera_world_group(world, call->group),
                            *peers = own->is_inter ? hiera_world_group(world, own->remote) : own;
    const HieraMpiParameter *parameter = find_parameter(call, word);
    g_autofree char *inside = strchr(word, '(') ? g_strdup(strchr(word, '(') + 1) : NULL;
    if (inside)
        inside[strlen(inside) - 1] = 0;
    if (g_str_has_prefix(word, "sum("))
        return add_up(world, rank, inside);
    if (g_str_has_prefix(word, "own("))
        return find_element(world, rank, inside, hiera_group_member(own, rank));
    if (strcmp(word, "size") == 0)
        return (HieraKnown){TRUE, peers->ranks->len};
    if (strcmp(word, "local_size") == 0)
        return (HieraKnown){TRUE, own->ranks->len};
    if (strcmp(word, "indegree") == 0 || strcmp(word, "outdegree") == 0)
        return (HieraKnown){TRUE, count_neighbours(world, rank, word[0] == 'o')};
    if (!parameter)
        return (HieraKnown){g_ascii_isdigit(word[0]), g_ascii_strtoull(word, NULL, 10)};
    return parameter->traced == HIERA_TRACED_HANDLE
               ? weigh(world, rank, hiera_mpi_handle(world, rank, parameter->name), parameter)
               : hiera_mpi_integer(world, rank, parameter->name);
}

/* Evaluate the product of all factors between stars; stars within parentheses belong to a factor. */
static HieraKnown find_product(HieraWorld *world, guint32 rank, const char *term)
{
    HieraKnown product = {TRUE, 1};
    g_autofree char *text = g_strdup(term);
    char *word = text;
    guint depth = 0;
    for (char *at = text;; at++) {
        gboolean is_end = *at == 0;
        depth += (*at == '(') - (*at == ')');
        if (!is_end && (*at != '*' || depth > 0))
            continue;
        *at = 0;
        HieraKnown factor = find_factor(world, rank, word);
        product.known &= factor.known;
        product.bits *= factor.bits;
        word = at + 1;
        if (is_end)
            return product;
    }
}

/* Whether the call transfers nothing: its target is MPI_PROC_NULL, or its operation MPI_NO_OP. */
static gboolean moves_nothing(HieraWorld *world, guint32 rank, const char *expression)
{
    const HieraCurrentCall *call = &world->calls[rank];
    HieraMpiName peer = hiera_mpi_has(call, HIERA_P_TARGET_RANK) ? HIERA_P_TARGET_RANK : HIERA_P_DEST;
    HieraKnown to = hiera_mpi_integer(world, rank, peer), op = hiera_mpi_handle(world, rank, HIERA_P_OP);
    if (hiera_mpi_has(call, peer) && to.known && (gint32)to.bits == hiera_mpi_no_process(world))
        return TRUE;
    if (strcmp(call->function->kind, "update") != 0 || !op.known || expression != call->function->sent)
        return FALSE;
    g_autofree char *name = hiera_mpi_predefined_name(world, rank, "op", op.bits);
    return g_strcmp0(name, "MPI_NO_OP") == 0;
}

gint64 hiera_call_find_bytes(HieraWorld *world, guint32 rank, const char *expression)
{
    const char *colon = strchr(expression, ':');
    guint roles = hiera_call_find_roles(world, rank);
    gboolean is_root = roles & 1 << HIERA_ROLE_ROOT, is_member = roles & 1 << HIERA_ROLE_MEMBERS;
    if (colon && !(*expression == 'r' ? is_root : *expression == 'm' ? is_member : is_member && !is_root))
        return 0;
    if (moves_nothing(world, rank, expression))
        return 0;
    g_auto(GStrv) terms = g_strsplit(colon ? colon + 1 : expression, "|", 2);
    HieraKnown bytes = find_product(world, rank, terms[1] && hiera_call_is_in_place(world, rank) ? terms[1] : terms[0]);
    return bytes.known ? (gint64)bytes.bits : world->options->message_bytes;
}
