/* Arguments of operations, rank by rank: the blocks `operations` and `arguments`. Names and texts are numbered in the
 * order in which they come. */
#pragma once

#include "timeline/lanes.h"
#include <stdio.h>

/* Arguments of the operations of one rank; of all ranks. */
typedef struct HieraArguments HieraArguments;
typedef struct HieraArgumentsOfAll HieraArgumentsOfAll;

HieraArgumentsOfAll *hiera_arguments_new(const HieraScene *scene);
void hiera_arguments_free(HieraArgumentsOfAll *of_all);

/* Begin with a rank, and return its arguments. To be called for one rank after the other, by index. */
HieraArguments *hiera_arguments_of(HieraArgumentsOfAll *of_all, guint32 processor);
/* Begin with an operation that has n arguments. @param number  from hiera_scene_number() */
void hiera_arguments_begin(HieraArguments *of, guint32 number, guint n);
/* Append an argument; `name` and `text` must outlive the blocks. @param text  NULL: the argument is `number` */
void hiera_arguments_add(HieraArguments *of, const char *name, const char *text, gint64 number);

/* Write the blocks; all processes must call it. @param all  whether the page has the arguments of all operations */
void hiera_arguments_write(HieraArgumentsOfAll *of_all, gboolean all, FILE *stream);
