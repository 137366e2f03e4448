/* See communicators.h. Windows and files are communicators of another name: what is called on one is counted apart. */
#include "communicators.h"
#include "base/findings.h"

static void set_neighbors(HieraScene *scene, const HieraAttributes *attributes, guint32 comm)
{
    const HieraXmlAttribute *in = attributes->at[HIERA_ATTRIBUTE_NEIGHBORS_IN];
    const HieraXmlAttribute *out = attributes->at[HIERA_ATTRIBUTE_NEIGHBORS_OUT];
    if (!hiera_catalog_set_neighbors(scene->catalog, comm, scene->processor->rank, hiera_scene_intern(scene, in),
                                     hiera_scene_intern(scene, out)))
        hiera_argument_complain(&scene->place, HIERA_ATTRIBUTE_NEIGHBORS_IN, in ? in : out,
                                "the neighbours are ignored; write for example 0-6:2 9");
}

void hiera_communicators_declare(HieraScene *scene, const HieraAttributes *attributes)
{
    const HieraXmlAttribute *id = attributes->at[HIERA_ATTRIBUTE_ID];
    if (hiera_attribute_is_empty(id)) {
        hiera_findings_add(scene->place.findings, HIERA_FINDING_VALUE, scene->place.path, scene->place.line, "comm id",
                           "%s without an id; it is ignored", hiera_element_name(HIERA_ELEMENT_COMM));
        return;
    }
    const HieraXmlAttribute *name = attributes->at[HIERA_ATTRIBUTE_NAME];
    const HieraXmlAttribute *ranks = attributes->at[HIERA_ATTRIBUTE_RANKS];
    const char *text = hiera_scene_intern(scene, id);
    if (!hiera_declarations_add(&scene->communicators, text, hiera_scene_intern(scene, ranks),
                                hiera_scene_intern(scene, attributes->at[HIERA_ATTRIBUTE_REMOTE]),
                                name ? hiera_scene_intern(scene, name) : NULL))
        hiera_argument_complain(&scene->place, HIERA_ATTRIBUTE_RANKS, ranks ? ranks : id,
                                "the communicator is ignored; write for example 0-6:2 9");
    else if (attributes->at[HIERA_ATTRIBUTE_NEIGHBORS_IN] || attributes->at[HIERA_ATTRIBUTE_NEIGHBORS_OUT])
        set_neighbors(scene, attributes, hiera_declarations_peek(&scene->communicators, text));
}

void hiera_communicators_declare_group(HieraScene *scene, const HieraAttributes *attributes)
{
    const HieraXmlAttribute *id = attributes->at[HIERA_ATTRIBUTE_ID], *ranks = attributes->at[HIERA_ATTRIBUTE_RANKS];
    if (!hiera_attribute_is_empty(id) && !hiera_declarations_add(&scene->communicators, hiera_scene_intern(scene, id),
                                                                 hiera_scene_intern(scene, ranks), "", NULL))
        hiera_argument_complain(&scene->place, HIERA_ATTRIBUTE_RANKS, ranks ? ranks : id, "the group is ignored");
}

guint32 hiera_communicators_find(HieraScene *scene, const HieraXmlAttribute *attribute)
{
    return hiera_attribute_is_empty(attribute)
               ? HIERA_NONE
               : hiera_declarations_find(&scene->communicators, hiera_scene_intern(scene, attribute));
}

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

void hiera_communicators_read(HieraScene *scene, const HieraAttributes *attributes, HieraOperation *operation)
{
    const HieraXmlAttribute *comm = attributes->at[HIERA_ATTRIBUTE_COMMUNICATOR];
    const HieraXmlAttribute *group = attributes->at[HIERA_ATTRIBUTE_GROUP], *object = peek_object(attributes);
    operation->comm = hiera_communicators_find(scene, comm);
    operation->other = hiera_communicators_find(scene, attributes->at[HIERA_ATTRIBUTE_NEWCOMM]);
    if (hiera_attribute_is_empty(object))
        return;
    const char *id = hiera_scene_intern(scene, object);
    if (hiera_communicators_is_maker(attributes))
        operation->other = hiera_declarations_make(&scene->communicators, id, hiera_scene_intern(scene, comm));
    else
        operation->comm = hiera_declarations_peek(&scene->communicators, id);
    if (!hiera_attribute_is_empty(group))
        operation->other = hiera_declarations_peek(&scene->communicators, hiera_scene_intern(scene, group));
}
