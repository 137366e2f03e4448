/* Names parts of functions that clang makes for OpenMP and gives no name of their function. */
#pragma once

#include "image/object/functions.h"

/* Give each part ".omp_outlined..3" the name that later versions of clang give it, "relax.omp_outlined.3": so it is
 * found as what the compiler made of `relax`. Its function is the one in whose lines it is, by debug information;
 * without that the one whose code has its address. If there is none, or the code is not of x86-64, it keeps its name.
 */
void hiera_outlined_name(HieraFunctions *functions);
