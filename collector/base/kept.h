/* HIERA_KEPT: a variable that the writer needs of a process that was killed. hiera_kept_begin() moves it into the file
 * of kept memory (kept_memory.h). */
#ifndef HIERA_KEPT_H
#define HIERA_KEPT_H

#define HIERA_KEPT __attribute__((section("hiera_kept")))

#endif
