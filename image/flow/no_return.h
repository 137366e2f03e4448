/* Functions that never return: what comes behind a call of them is no continuation of it. */
#ifndef HIERA_IMAGE_NO_RETURN_H
#define HIERA_IMAGE_NO_RETURN_H

#include "image/code/decoder.h"
#include "image/object/functions.h"

/* Whether a function of the C, C++ or Fortran libraries with this name never returns. NULL: no. */
gboolean hiera_no_return_is_known(const char *name);

/* Find the functions of an object that never return (HieraFunction.stays): known ones, and those that end only in calls
 * of others. Decodes every function, some of them several times. On the way, functions without names that are
 * parts of others are joined to them. */
void hiera_no_return_find(HieraFunctions *functions, HieraDecoder *decoder);

/* The same for a few functions of a large file, one after the other. */
typedef struct HieraNoReturn HieraNoReturn;
/* @param functions, decoder  must outlive it. To be freed with hiera_no_return_free */
HieraNoReturn *hiera_no_return_new(HieraFunctions *functions, HieraDecoder *decoder);
void hiera_no_return_free(HieraNoReturn *search);
/* Look at a function, and at all of the file that it reaches by calls. Parts of others stay in the list. */
void hiera_no_return_look(HieraNoReturn *search, const HieraFunction *function);
/* Look at all that were not looked at. */
void hiera_no_return_look_at_rest(HieraNoReturn *search);
/* Whether a function without a name may be a part of another one: that is known once that one was looked at. */
gboolean hiera_no_return_may_be_part(const HieraNoReturn *search, const HieraFunction *function);

#endif
