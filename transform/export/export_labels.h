/* What exports say about an operation: its name, its place, its arguments. */
#ifndef HIERA_EXPORT_LABELS_H
#define HIERA_EXPORT_LABELS_H

#include "hiera_match.h"

/* Name of an operation: as the trace has it ("send"); of a method "Class::method". To be freed with g_free. */
char *hiera_export_name(const HieraSite *site);
/* The same with its level before it and its place behind it: "mpi:send (solver.c:88)". To be freed with g_free. */
char *hiera_export_frame(const HieraSite *site);
/* Whether operations of two sites have the same level and name: the sites differ in their place alone. */
gboolean hiera_export_same_name(const HieraSite *a, const HieraSite *b);
/* Name of the lane of a thread: "P3", "P3 thread 2". To be freed with g_free. */
char *hiera_export_lane(const HieraProcessor *processor, guint32 thread);

/* What is known of an operation besides its name and its times. */
typedef struct {
    const char *name;
    const char *text; /* NULL: it is a number */
    gint64 number;
} HieraExportArgument;
#define HIERA_EXPORT_ARGUMENTS 8

/* Find what is known of an operation; what is not is left out.
 * @param arguments  room for HIERA_EXPORT_ARGUMENTS; their texts belong to the match
 * @return how many there are */
guint hiera_export_arguments(const HieraMatch *match, guint32 row, HieraExportArgument *arguments);

/* Call sites in an order that is the same for the same trace, whatever was read first. */
typedef struct {
    guint n;
    const HieraSite **sites;
    guint32 *position; /* by id of a site */
} HieraSiteOrder;
void hiera_site_order_init(HieraSiteOrder *order, const HieraTrace *trace);
void hiera_site_order_clear(HieraSiteOrder *order);

#endif
