#ifndef MOVE_SUBJECT_H
#define MOVE_SUBJECT_H

#include <stdint.h>

#pragma GCC visibility push(default)

uint64_t subject_nested(uint64_t n);
uint64_t subject_early(uint64_t n);
uint64_t subject_switch(uint64_t n);
uint64_t subject_close(uint64_t n);
uint64_t subject_recursive(uint64_t n);
double subject_floats(uint64_t n);
uint64_t subject_varargs(uint64_t n, ...);
uint64_t subject_tail(uint64_t n);
uint64_t subject_thrower(uint64_t n);
uint64_t subject_jumps(uint64_t n);
uint64_t subject_sort(uint64_t n);
uint64_t subject_bytes(uint64_t n);
/* With masks, compares, gathers and numbers in memory; for processors with AVX-512. */
uint64_t subject_vectors(uint64_t n);
/* 66 loops that are in no other one, the last of which has the most instructions. */
uint64_t subject_wide(uint64_t n);
/* Two loops with 65 and 17 loops inside, of which a plan has not enough room. */
uint64_t subject_many(uint64_t n);
uint64_t subject_leaks(uint64_t n);
/* Ends the thread from inside a loop; what has to be cleaned then is in the sum. */
void subject_exit(uint64_t *sum, uint64_t n);
/* Calls subject_nested(), and counts its end in the sum, however it ends. */
void subject_cancelled(uint64_t *sum, uint64_t n);
/* How many frames are around a callee of it, as the unwinder of exceptions sees them. */
uint64_t subject_unwound(uint64_t n);

/* All of them but those with longjmp, whose buffer all threads would share. */
uint64_t subject_all(uint64_t n, const uint64_t *seeds);

#pragma GCC visibility pop

#endif
