/* Find and run the compiler in whose place hiera-cc is called. */
#pragma once

#include "run/words.h"

/* Find the compiler: the words of HIERA_CC (or HIERA_CXX), else the first `cc` (or `c++`) in PATH that is not hiera-cc.
 * If a compiler called by hiera-cc has started this process, only PATH is searched. */
HieraWords hiera_compiler_find(bool is_cxx);

/* Whether another hiera-cc, which has edited the sources, runs a compiler that started this process. */
bool hiera_compiler_is_inside(void);

/* Replace this process by the compiler with these arguments. Does not return. */
void hiera_compiler_become(const HieraWords *compiler, const HieraWords *words) __attribute__((noreturn));

/* Run the compiler, and wait. @param input  a file that becomes its standard input; -1: none
 * @return  its exit status; 128 + signal if a signal ended it */
int hiera_compiler_run(const HieraWords *compiler, const HieraWords *words, int input);

/* Run the compiler with these arguments, and return the text that it prints on standard output or standard error. */
char *hiera_compiler_ask(const HieraWords *compiler, const HieraWords *words, bool on_stderr);
