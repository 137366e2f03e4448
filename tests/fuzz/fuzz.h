/* The interface of every fuzz driver, with libFuzzer's name: one function that takes any bytes. With -Dlibfuzzer=true
 * clang's libFuzzer calls it, otherwise mutate.c. */
#ifndef HIERA_FUZZ_H
#define HIERA_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Run the code under test on these bytes. An error ends the process: a report of a sanitizer, or abort(). */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
