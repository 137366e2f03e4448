/* Functions that never return: execution does not continue behind a call of them. */
#pragma once

#include "image/code/decoder.h"
#include "image/object/functions.h"

/* Whether `name` is a function of the C, C++ or Fortran libraries that never returns; FALSE for NULL. */
gboolean hiera_no_return_is_known(const char *name);

/* Find the functions of an object that never return (HieraFunction.stays): known ones, and functions that end only in
 * calls of such functions. Decodes every function, some of them several times. Also joins functions without names to
 * the functions that they are parts of. */
void hiera_no_return_find(HieraFunctions *functions, HieraDecoder *decoder);

/* A search for functions that never return, for a few functions of a large file, one after the other. */
typedef struct HieraNoReturn HieraNoReturn;
/* Begin a search. @param functions, decoder  must outlive the result. To be freed with hiera_no_return_free */
HieraNoReturn *hiera_no_return_new(HieraFunctions *functions, HieraDecoder *decoder);
void hiera_no_return_free(HieraNoReturn *search);
/* Analyse a function and all functions of the file that it reaches by calls. Functions that are parts of others stay
 * in the list. */
void hiera_no_return_look(HieraNoReturn *search, const HieraFunction *function);
/* Analyse all functions that the search has not analysed yet. */
void hiera_no_return_look_at_rest(HieraNoReturn *search);
/* Whether a function without a name may be a part of another one. The answer is final once that other one was analysed.
 */
gboolean hiera_no_return_may_be_part(const HieraNoReturn *search, const HieraFunction *function);
