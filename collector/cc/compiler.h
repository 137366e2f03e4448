/* The compiler that hiera-cc stands for. */
#ifndef HIERA_CC_COMPILER_H
#define HIERA_CC_COMPILER_H

#include "run/words.h"

/* Find it: the words of HIERA_CC (or HIERA_CXX), else the first `cc` (or `c++`) of PATH that is not hiera-cc. If this
 * process was started by such a compiler, it is the latter. */
HieraWords hiera_compiler_find(bool is_cxx);

/* Whether this process was started by the compiler of another hiera-cc, which has done all that is to be done. */
bool hiera_compiler_is_inside(void);

/* Execute it. Does not return. */
void hiera_compiler_become(const HieraWords *compiler, const HieraWords *words) __attribute__((noreturn));

/* Run it, and wait. @param input  a file that becomes its standard input; -1: none
 * @return  its exit status; 128 and the signal if it died of one */
int hiera_compiler_run(const HieraWords *compiler, const HieraWords *words, int input);

/* Run it with these words, and return what it prints: on standard output, or on standard error. */
char *hiera_compiler_ask(const HieraWords *compiler, const HieraWords *words, bool on_stderr);

#endif
