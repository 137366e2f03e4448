/* See operation.h. */
#include "operation.h"
#include "base/findings.h"
#include "communicators.h"
#include <string.h>

#define NO_TIME (-1) /* times are not negative */

/* The collector may have known no more than the object. */
static void find_line(HieraScene *scene, HieraSite *key)
{
    const char *file;
    if (key->line == 0 && scene->objects && hiera_objects_find_line(scene->objects, key->file, &file, &key->line))
        key->file = hiera_cache_intern(scene->cache, file, strlen(file));
}

/* An element with a class and a method is of the framework, whatever its name: the paper wrote hieramMPI for both. */
static const HieraSite *find_site(HieraScene *scene, HieraElement element, const HieraAttributes *attributes)
{
    const HieraXmlAttribute *const *at = attributes->at;
    gboolean method = element != HIERA_ELEMENT_REGION && (at[HIERA_ATTRIBUTE_CLASS] || at[HIERA_ATTRIBUTE_METHOD]);
    HieraSite key = {.class_name = "", .file = hiera_scene_intern(scene, at[HIERA_ATTRIBUTE_FILE])};
    key.line = (guint32)hiera_argument_number(&scene->place, attributes, HIERA_ATTRIBUTE_LINE, 0, G_MAXINT32, 0);
    find_line(scene, &key);
    if (method || element == HIERA_ELEMENT_OOPS) {
        key.level = HIERA_LEVEL_OOPS;
        key.class_name = hiera_scene_intern(scene, at[HIERA_ATTRIBUTE_CLASS]);
        key.operation = hiera_scene_intern(scene, at[HIERA_ATTRIBUTE_METHOD]);
    } else {
        key.operation = hiera_scene_intern(scene, at[HIERA_ATTRIBUTE_OPERATION]);
        key.level = HIERA_LEVEL_MPI;
        if (element == HIERA_ELEMENT_REGION)
            key.level = hiera_attribute_is_empty(at[HIERA_ATTRIBUTE_LEVEL]) ? HIERA_LEVEL_DEFAULT : NULL;
    }
    key.level = key.level ? hiera_cache_intern(scene->cache, key.level, strlen(key.level))
                          : hiera_scene_intern(scene, at[HIERA_ATTRIBUTE_LEVEL]);
    if (element == HIERA_ELEMENT_REGION)
        key.operation = hiera_scene_name(scene, key.level, at[HIERA_ATTRIBUTE_OPERATION]);
    return hiera_cache_site(scene->cache, &key);
}

static void check_known(HieraScene *scene, const HieraSite *site)
{
    if (!site->known)
        hiera_findings_add(scene->place.findings, HIERA_FINDING_UNKNOWN_OPERATION, scene->place.path, scene->place.line,
                           site->operation,
                           "operation '%s' is not known to the level mpi; it is counted and timed, not matched",
                           site->operation);
}

void hiera_operation_read(HieraScene *scene, HieraElement element, const HieraAttributes *attributes,
                          HieraOperation *operation)
{
    *operation = (HieraOperation){.site = find_site(scene, element, attributes)};
    hiera_communicators_read(scene, attributes, operation);
    check_known(scene, operation->site);
    hiera_arguments_read(&scene->place, attributes, operation);
}

/* On the job's axis. */
static gint64 read_time(HieraScene *scene, const HieraAttributes *attributes, HieraAttribute attribute)
{
    gint64 ns =
        hiera_argument_time(&scene->place, attributes, attribute, NO_TIME, "the operation counts, without a duration");
    return ns == NO_TIME ? NO_TIME : hiera_clock_correct(&scene->clock, ns);
}

void hiera_operation_read_times(HieraScene *scene, const HieraAttributes *attributes, HieraOperation *operation)
{
    const HieraXmlAttribute *finish = attributes->at[HIERA_ATTRIBUTE_FINISH_TIME];
    gint64 start = read_time(scene, attributes, HIERA_ATTRIBUTE_START_TIME);
    operation->start_ns = start == NO_TIME ? scene->last_ns : start;
    hiera_scene_see_time(scene, operation->start_ns);
    if (hiera_attribute_is_empty(finish)) {
        operation->finish_ns = HIERA_TIME_OPEN;
        scene->open_operation = TRUE;
        return;
    }
    gint64 end = read_time(scene, attributes, HIERA_ATTRIBUTE_FINISH_TIME);
    operation->finish_ns = end == NO_TIME ? operation->start_ns : end;
    if (start == NO_TIME) {
        operation->start_ns = operation->finish_ns;
    } else if (operation->finish_ns < operation->start_ns) {
        hiera_argument_complain(&scene->place, HIERA_ATTRIBUTE_FINISH_TIME, finish,
                                "it is before start_time; the operation counts, without a duration");
        operation->finish_ns = operation->start_ns;
    }
    hiera_scene_see_time(scene, operation->finish_ns);
}

void hiera_operation_read_span(HieraScene *scene, const HieraAttributes *attributes, HieraOperation *operation)
{
    gint64 start = hiera_argument_number(&scene->place, attributes, HIERA_ATTRIBUTE_T, 0, G_MAXINT64 / 2, NO_TIME);
    gint64 duration = hiera_argument_number(&scene->place, attributes, HIERA_ATTRIBUTE_D, 0, G_MAXINT64 / 2, NO_TIME);
    operation->start_ns = start == NO_TIME ? scene->last_ns : hiera_clock_correct(&scene->clock, start);
    hiera_scene_see_time(scene, operation->start_ns);
    if (hiera_attribute_is_empty(attributes->at[HIERA_ATTRIBUTE_D])) {
        operation->finish_ns = HIERA_TIME_OPEN;
        scene->open_operation = TRUE;
        return;
    }
    operation->finish_ns = start == NO_TIME || duration == NO_TIME
                               ? operation->start_ns
                               : hiera_clock_correct(&scene->clock, start + duration);
    hiera_scene_see_time(scene, operation->finish_ns);
}
