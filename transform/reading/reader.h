/* One trace file → operations. Hides the grammar: which element is an operation and of which level, what nests, what a
 * cut trace means, how the paper wrote it. See hiera_load for the contract with the sinks. */
#ifndef HIERA_READER_H
#define HIERA_READER_H

#include "hiera_trace.h"
#include "trace/catalog.h"
#include "xml/input_file.h"
#include "xml/validator.h"

/* What a reader leaves behind. */
typedef struct {
    HieraProcessor processor;
    gboolean usable;  /* has a rank; its sinks have states */
    gpointer *states; /* one per sink; NULL if not usable */
} HieraReading;

/* Read a file into the sinks. What is wrong with it goes to `findings`. `validator` may be NULL. */
HieraReading *hiera_read(HieraInputFile *source, const HieraSink *sinks, guint n_sinks, HieraCatalog *catalog,
                         HieraFindings *findings, HieraValidator *validator);
void hiera_reading_free(HieraReading *reading);

#endif
