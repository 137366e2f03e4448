/* HIERA_KEPT: for a variable that is needed to complete the trace of a killed process. hiera_kept_begin() moves these
 * variables into the file of kept memory (kept_memory.h). */
#pragma once

#define HIERA_KEPT __attribute__((section("hiera_kept")))
