/* See communicators.h. Windows and files are treated as communicators with ids of their own, so that calls on them
 * are kept apart from calls on the communicator. */
#include "communicators.h"
#include "base/findings.h"

static void set_neighbors(HieraReadContext *context, const HieraAttributes *attributes, guint32 comm)
{
    const HieraXmlAttribute *in = attributes->at[HIERA_ATTRIBUTE_NEIGHBORS_IN];
    const HieraXmlAttribute *out = attributes->at[HIERA_ATTRIBUTE_NEIGHBORS_OUT];
    if (!hiera_catalog_set_neighbors(context->catalog, comm, context->processor->rank,
                                     hiera_read_context_intern(context, in), hiera_read_context_intern(context, out)))
        hiera_argument_complain(&context->place, HIERA_ATTRIBUTE_NEIGHBORS_IN, in ? in : out,
                                "the neighbours are ignored; write for example 0-6:2 9");
}

void hiera_communicators_declare(HieraReadContext *context, const HieraAttributes *attributes)
{
    const HieraXmlAttribute *id = attributes->at[HIERA_ATTRIBUTE_ID];
    if (hiera_attribute_is_empty(id)) {
        hiera_findings_add(context->place.findings, HIERA_FINDING_VALUE, context->place.path, context->place.line,
                           "comm id", "%s without an id; it is ignored", hiera_element_name(HIERA_ELEMENT_COMM));
        return;
    }
    const HieraXmlAttribute *name = attributes->at[HIERA_ATTRIBUTE_NAME];
    const HieraXmlAttribute *ranks = attributes->at[HIERA_ATTRIBUTE_RANKS];
    const char *text = hiera_read_context_intern(context, id);
    if (!hiera_communicator_ids_add(&context->communicators, text, hiera_read_context_intern(context, ranks),
                                    hiera_read_context_intern(context, attributes->at[HIERA_ATTRIBUTE_REMOTE]),
                                    name ? hiera_read_context_intern(context, name) : NULL))
        hiera_argument_complain(&context->place, HIERA_ATTRIBUTE_RANKS, ranks ? ranks : id,
                                "the communicator is ignored; write for example 0-6:2 9");
    else if (attributes->at[HIERA_ATTRIBUTE_NEIGHBORS_IN] || attributes->at[HIERA_ATTRIBUTE_NEIGHBORS_OUT])
        set_neighbors(context, attributes, hiera_communicator_ids_peek(&context->communicators, text));
}

void hiera_communicators_declare_group(HieraReadContext *context, const HieraAttributes *attributes)
{
    const HieraXmlAttribute *id = attributes->at[HIERA_ATTRIBUTE_ID], *ranks = attributes->at[HIERA_ATTRIBUTE_RANKS];
    if (!hiera_attribute_is_empty(id) &&
        !hiera_communicator_ids_add(&context->communicators, hiera_read_context_intern(context, id),
                                    hiera_read_context_intern(context, ranks), "", NULL))
        hiera_argument_complain(&context->place, HIERA_ATTRIBUTE_RANKS, ranks ? ranks : id, "the group is ignored");
}

guint32 hiera_communicators_find(HieraReadContext *context, const HieraXmlAttribute *attribute)
{
    return hiera_attribute_is_empty(attribute)
               ? HIERA_NONE
               : hiera_communicator_ids_find(&context->communicators, hiera_read_context_intern(context, attribute));
}

/* Return the attribute of a call that names a window or file; NULL: there is none. */
static const HieraXmlAttribute *peek_object(const HieraAttributes *attributes)
{
    return attributes->at[HIERA_ATTRIBUTE_WIN] ? attributes->at[HIERA_ATTRIBUTE_WIN]
                                               : attributes->at[HIERA_ATTRIBUTE_FILE_HANDLE];
}

gboolean hiera_communicators_is_maker(const HieraAttributes *attributes)
{
    return !hiera_attribute_is_empty(peek_object(attributes)) &&
           !hiera_attribute_is_empty(attributes->at[HIERA_ATTRIBUTE_COMMUNICATOR]);
}

/* Declare the window or file that a call makes. Return its index. */
static guint32 make_object(HieraReadContext *context, const HieraAttributes *attributes, const char *id)
{
    const HieraXmlAttribute *path = attributes->at[HIERA_ATTRIBUTE_FILE_NAME];
    const char *of = hiera_read_context_intern(context, attributes->at[HIERA_ATTRIBUTE_COMMUNICATOR]);
    return hiera_communicator_ids_make(&context->communicators, id, of,
                                       path ? hiera_read_context_intern(context, path) : NULL);
}

/* Store the Cartesian topology that MPI_Cart_create gives a communicator. */
static void read_grid(HieraReadContext *context, const HieraAttributes *attributes, guint32 newcomm)
{
    const HieraXmlAttribute *dims = attributes->at[HIERA_ATTRIBUTE_DIMS];
    if (newcomm != HIERA_NONE && dims &&
        !hiera_catalog_set_dims(context->catalog, newcomm, hiera_read_context_intern(context, dims)))
        hiera_argument_complain(&context->place, HIERA_ATTRIBUTE_DIMS, dims,
                                "the topology is ignored; write for example 4 2");
}

void hiera_communicators_read(HieraReadContext *context, const HieraAttributes *attributes, HieraOperation *operation)
{
    const HieraXmlAttribute *comm = attributes->at[HIERA_ATTRIBUTE_COMMUNICATOR];
    const HieraXmlAttribute *group = attributes->at[HIERA_ATTRIBUTE_GROUP], *object = peek_object(attributes);
    operation->comm = hiera_communicators_find(context, comm);
    operation->other = hiera_communicators_find(context, attributes->at[HIERA_ATTRIBUTE_NEWCOMM]);
    read_grid(context, attributes, operation->other);
    if (hiera_attribute_is_empty(object))
        return;
    const char *id = hiera_read_context_intern(context, object);
    if (hiera_communicators_is_maker(attributes))
        operation->other = make_object(context, attributes, id);
    else
        operation->comm = hiera_communicator_ids_peek(&context->communicators, id);
    if (!hiera_attribute_is_empty(group))
        operation->other =
            hiera_communicator_ids_peek(&context->communicators, hiera_read_context_intern(context, group));
}
