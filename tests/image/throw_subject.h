/* Functions that throw; the tests find them by their names in a library. */
#ifndef THROW_SUBJECT_H
#define THROW_SUBJECT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

uint64_t throw_some(uint64_t i);
uint64_t throw_out(uint64_t n);
uint64_t throw_outside(uint64_t n);
uint64_t throw_inside(uint64_t n);
uint64_t throw_stays(uint64_t n);
uint64_t throw_again(uint64_t n);
uint64_t throw_twice(uint64_t n);
uint64_t throw_nested(uint64_t n);
uint64_t throw_each(uint64_t n);
uint64_t throw_deep(uint64_t n);
uint64_t throw_deep_outside(uint64_t n);
uint64_t throw_lists(uint64_t n);
uint64_t throw_switch(uint64_t n);
void throw_exit(uint64_t *sum, uint64_t n);
uint64_t throw_all(uint64_t n);

#ifdef __cplusplus
}
#endif

#endif
