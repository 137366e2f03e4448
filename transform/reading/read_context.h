/* What the elements of one trace are read with, and what they have told so far: shared by the rooms of the reader. */
#ifndef HIERA_SCENE_H
#define HIERA_SCENE_H

#include "arguments.h"
#include "clock.h"
#include "communicator_ids.h"
#include "objects.h"
#include "outstanding_requests.h"
#include "xml/name_index.h"

typedef struct {
    HieraPlace place;
    HieraCatalog *catalog;
    HieraCache *cache;
    HieraProcessor *processor;
    HieraClock clock;
    HieraDeclarations communicators;
    HieraObjects *objects;
    HieraOutstanding *outstanding;
    gint64 last_ns;          /* the last time seen */
    gboolean open_operation; /* one without a finish time was seen */
    struct {
        const HieraSite *site; /* NULL: there was none */
        const char *doubts;    /* arguments that MPI refuses */
        guint32 line;
        gint64 *requests; /* the first of those that it was given; NULL: none */
        guint n_told, n_requests;
    } open_call; /* the last MPI call without a finish time, of the main thread if there is one (ending.h) */
    HieraWords elements, attributes;
} HieraScene;

/* Put the attributes of an element into `sorted`, which must be empty; those that are not known there are a finding. */
void hiera_scene_sort(HieraScene *scene, HieraElement element, const HieraXmlAttribute *attributes, guint n,
                      HieraAttributes *sorted);

/* The text of an attribute, "" of one that is not there. */
static inline const char *hiera_scene_intern(HieraScene *scene, const HieraXmlAttribute *attribute)
{
    return attribute ? hiera_cache_intern(scene->cache, attribute->value, hiera_attribute_length(attribute)) : "";
}

/* The name of an operation, or of a function that the collector could not name where it stood. */
const char *hiera_scene_name(HieraScene *scene, const char *level, const HieraXmlAttribute *name);

static inline void hiera_scene_see_time(HieraScene *scene, gint64 ns)
{
    scene->last_ns = MAX(scene->last_ns, ns);
}

#endif
