/* The functions of move_subject.c, as those that are moved. */
#ifndef TESTS_IMAGE_MOVED_SUBJECTS_H
#define TESTS_IMAGE_MOVED_SUBJECTS_H

#include "moving.h"

#include <check.h>

/* @return a plan for all of them, as they are loaded; the caller owns it */
MovingSubject moved_subjects_plan(void);

/* @return what they compute of n, all together */
uint64_t moved_subjects_compute(uint64_t n);

/* @return the tests of breakpoints, for a suite */
TCase *moving_breakpoints(void);

#endif
