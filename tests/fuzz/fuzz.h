/* What every fuzz driver offers, in the spelling of libFuzzer: one function that takes any bytes at all. With
 * -Dlibfuzzer=true clang's libFuzzer calls it, else mutate.c. */
#ifndef HIERA_FUZZ_H
#define HIERA_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Give the bytes to the code under test. What is wrong ends the process: a sanitizer's report, or abort(). */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
