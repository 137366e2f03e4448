/* See moved_subjects.h. */
#include "moved_subjects.h"

#include "move_subject.h"

#include <dlfcn.h>

static const char *const names[] = {
    "subject_nested",  "subject_early",   "subject_switch",  "subject_recursive", "subject_floats", "subject_varargs",
    "subject_tail",    "subject_thrower", "subject_jumps",   "subject_sort",      "subject_bytes",  "subject_all",
    "subject_unwound", "subject_exit",    "subject_vectors", "subject_close",     "subject_leaks"};

MovingSubject moved_subjects_plan(void)
{
    Dl_info info;
    ck_assert(dladdr((void *)(uintptr_t)subject_all, &info) != 0);
    return moving_plan(info.dli_fname, (uintptr_t)info.dli_fbase, names, G_N_ELEMENTS(names));
}

uint64_t moved_subjects_compute(uint64_t n)
{
    uint64_t seed = 7 + n;
    return subject_all(n, &seed) ^ subject_jumps(n % 30);
}
