/* Texts and arguments of an operation, which many export formats have in common. */
#pragma once

#include "hiera_match.h"

/* Name of a call site's operation as in the trace ("send"); of a method "Class::method". To be freed with g_free. */
char *hiera_export_name(const HieraSite *site);
/* Level, name, file and line of a call site: "mpi:send (solver.c:88)". To be freed with g_free. */
char *hiera_export_frame(const HieraSite *site);
/* Whether two sites have the same level, class and operation, so that they differ in file and line only. */
gboolean hiera_export_same_name(const HieraSite *a, const HieraSite *b);
/* Name of a thread as viewers show it: "P3" (the main thread), "P3 thread 2". To be freed with g_free. */
char *hiera_export_lane(const HieraProcessor *processor, guint32 thread);

/* An argument of a call that is a column of the trace, as tag or bytes. */
typedef struct {
    const char *name;
    const char *text; /* value of the argument; NULL: the argument is a number */
    gint64 number;
} HieraExportArgument;
#define HIERA_EXPORT_ARGUMENTS 8

/* Get the known arguments of an operation.
 * @param arguments  room for HIERA_EXPORT_ARGUMENTS; their texts belong to the match
 * @return how many there are */
guint hiera_export_arguments(const HieraMatch *match, guint32 row, HieraExportArgument *arguments);

/* All call sites, sorted: an order that does not depend on which file was read first. */
typedef struct {
    guint n;
    const HieraSite **sites;
    guint32 *position; /* by id of a site: index in `sites` */
} HieraSiteOrder;
void hiera_site_order_init(HieraSiteOrder *order, const HieraTrace *trace);
void hiera_site_order_clear(HieraSiteOrder *order);
