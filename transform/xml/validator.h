/* Validity against the DTD, element by element: no tree, memory only for the elements that are open. The DTD is the one
 * built into this library; what the trace names is never loaded. */
#ifndef HIERA_VALIDATOR_H
#define HIERA_VALIDATOR_H

#include "hiera_trace.h"
#include "xml.h"

typedef struct HieraValidator HieraValidator;

/* Findings go to `findings` under `path`. Use from one thread. @param always_ask  leave every decision to libxml2,
 * which takes many times as long: a test holds both to the same findings */
HieraValidator *hiera_validator_new(const char *path, HieraFindings *findings, gboolean always_ask);
void hiera_validator_free(HieraValidator *validator);
void hiera_validator_start(HieraValidator *validator, guint32 line, const char *name,
                           const HieraXmlAttribute *attributes, guint n_attributes);
void hiera_validator_end(HieraValidator *validator, guint32 line);

#endif
