/* hiera-image --plan: makes plans of files for the collector. */
#pragma once

#include "options.h"

/* Write a plan for each file that has one of the requested functions, one after the other, to standard output or to
 * --output. Files are searched in their order, until one has the function; functions in no file are refused in a
 * last plan, of the first file that can be read. A file that cannot be read is skipped. */
gboolean plan_write(const ImageOptions *options, GError **error);
