/* hiera-image --plan: plans of files for the collector. */
#ifndef HIERA_IMAGE_PROGRAM_PLAN_H
#define HIERA_IMAGE_PROGRAM_PLAN_H

#include "options.h"

/* Write a plan for each file that has one of the functions that are asked for, one behind the other, to standard output
 * or to
 * --output. A function is looked for in the files in their order, until one has it; what no file has is refused in the
 * last plan. A file that cannot be read is passed over. */
gboolean plan_write(const ImageOptions *options, GError **error);

#endif
