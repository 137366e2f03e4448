/* What exports say about an operation: its name, its place, its arguments. */
#pragma once

#include "hiera_match.h"

/* Name of an operation, as in the trace ("send"); of a method "Class::method". To be freed with g_free. */
char *hiera_export_name(const HieraSite *site);
/* The same with level and place: "mpi:send (solver.c:88)". To be freed with g_free. */
char *hiera_export_frame(const HieraSite *site);
/* Whether operations of two sites have the same level and name: the sites differ only in their place. */
gboolean hiera_export_same_name(const HieraSite *a, const HieraSite *b);
/* Name of the lane of a thread: "P3", "P3 thread 2". To be freed with g_free. */
char *hiera_export_lane(const HieraProcessor *processor, guint32 thread);

/* An argument of an operation: everything except its name and times. */
typedef struct {
    const char *name;
    const char *text; /* NULL: the argument is a number */
    gint64 number;
} HieraExportArgument;
#define HIERA_EXPORT_ARGUMENTS 8

/* Get the known arguments of an operation.
 * @param arguments  room for HIERA_EXPORT_ARGUMENTS; their texts belong to the match
 * @return how many there are */
guint hiera_export_arguments(const HieraMatch *match, guint32 row, HieraExportArgument *arguments);

/* Call sites in an order that does not depend on which file was read first. */
typedef struct {
    guint n;
    const HieraSite **sites;
    guint32 *position; /* by id of a site */
} HieraSiteOrder;
void hiera_site_order_init(HieraSiteOrder *order, const HieraTrace *trace);
void hiera_site_order_clear(HieraSiteOrder *order);
