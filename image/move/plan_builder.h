/* Builds a plan (dtd/plan.h): copies of functions that time their loops, for the collector. */
#pragma once

#include "dtd/plan.h"
#include "image/places/places.h"

typedef struct HieraPlanBuilder HieraPlanBuilder;

/* Begin a plan for a file. @param places  lines of the file; NULL: not known. `places` and `functions` must outlive the
 * plan */
HieraPlanBuilder *hiera_plan_builder_new(const HieraFunctions *functions, HieraDecoder *decoder, HieraPlaces *places);

/* Add a function, or the reason why it is left alone.
 *
 * @param depth  depth of the innermost loops that are timed, 1: only the outermost; G_MAXUINT: all loops
 * @return whether the function is moved */
gboolean hiera_plan_builder_add(HieraPlanBuilder *builder, const HieraFunction *function, guint depth);

/* Return why a function would be left alone in a plan of its own, to be freed with g_free; NULL: it would be moved.
 *
 * @param flow  flow after hiera_flow_finish */
char *hiera_plan_builder_reason(HieraPlanBuilder *builder, const HieraFlow *flow);

/* Add to the plan the reason for which a requested function is not moved. @param function  NULL: there is none */
void hiera_plan_builder_refuse(HieraPlanBuilder *builder, const HieraFunction *function, const char *name,
                               const char *reason);

/* Finish the plan, and free the builder. @return the plan, to be freed with g_byte_array_unref */
GByteArray *hiera_plan_builder_end(HieraPlanBuilder *builder);

/* Free a builder whose plan is not needed. */
void hiera_plan_builder_free(HieraPlanBuilder *builder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraPlanBuilder, hiera_plan_builder_free)
