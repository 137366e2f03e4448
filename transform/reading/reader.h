/* Reads one trace file and passes its operations to sinks. Hides the format: which elements are operations, of which
 * level, how they nest, what a trace that ends too early means. See hiera_load() for the contract with the sinks. */
#pragma once

#include "reading/elements/reading.h"
#include "trace/catalog.h"
#include "xml/input_file.h"
#include "xml/validator.h"

/* Read a file and pass its operations to the sinks.
 *
 * @param findings   takes everything that is wrong with the file
 * @param validator  checks each element against the DTD; may be NULL
 * @return  free it with hiera_reading_free() */
HieraReading *hiera_read(HieraInputFile *source, const HieraSink *sinks, guint n_sinks, HieraCatalog *catalog,
                         HieraFindings *findings, HieraValidator *validator);
void hiera_reading_free(HieraReading *reading);
