/* Validates a trace against the DTD, element by element: no tree, memory for the open elements only. The DTD is built
 * into this library; a DTD that the trace names is never loaded. */
#pragma once

#include "hiera_trace.h"
#include "xml.h"

typedef struct HieraValidator HieraValidator;

/* Make a validator for one trace. Use it from one thread, the one that made it.
 *
 * @param path        of the trace, for findings; must outlive the validator
 * @param findings    takes the errors
 * @param always_ask  let libxml2 decide every case, which takes many times as long; a test compares the findings of
 *                    both ways
 * @return  NULL if the built-in DTD cannot be parsed */
HieraValidator *hiera_validator_new(const char *path, HieraFindings *findings, gboolean always_ask);
void hiera_validator_free(HieraValidator *validator);
/* Check a start tag: whether the element may stand there, and its attributes. */
void hiera_validator_start(HieraValidator *validator, guint32 line, const char *name,
                           const HieraXmlAttribute *attributes, guint n_attributes);
/* Check the content of the last open element, now that its end is reached. */
void hiera_validator_end(HieraValidator *validator, guint32 line);
