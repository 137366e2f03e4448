/* The tags of a trace as the collector and the export write it, found without libxml2, which takes many times as long.
 *
 * It recognises what nobody could read in two ways: tags with names of ASCII letters, values in double quotes, blanks
 * between them. It takes no other decision: where it meets a byte that it does not know, it leaves a document for
 * libxml2, which judges: the head of the trace, start tags for the elements that are open, and all that is not read
 * yet. The end of every trace is such a place. */
#ifndef HIERA_SCANNER_H
#define HIERA_SCANNER_H

#include "input_file.h"
#include "xml_events.h"

typedef struct HieraScanner HieraScanner;

/* The parser that the scanner works for. `enter` and `leave` count the elements that are open; `enter` is FALSE if they
 * are too many, and then the scanner has been stopped. */
typedef struct {
    HieraXmlIntern intern;
    gboolean (*enter)(gpointer parser);
    void (*leave)(gpointer parser);
    gpointer parser;
} HieraScannerHost;

/* @param user  of the events */
HieraScanner *hiera_scanner_new(const HieraScannerHost *host, HieraInputFile *source, const HieraXmlEvents *events,
                                gpointer user);
void hiera_scanner_free(HieraScanner *scanner);
/* Hand over what is recognised, with the names of the host. */
void hiera_scanner_run(HieraScanner *scanner);
/* From inside an event: hand over nothing more. */
void hiera_scanner_stop(HieraScanner *scanner);
/* Where the scanner is. */
guint32 hiera_scanner_line(const HieraScanner *scanner);

/* The document that is left, as hiera_input_file_read. */
int hiera_scanner_read(HieraScanner *scanner, char *buffer, int size);
/* Whether the trace went on behind the place where it was taken to end; see hiera_input_file_is_torn. */
gboolean hiera_scanner_is_torn(const HieraScanner *scanner);
/* Elements of it that have been handed over: it begins with their start tags. */
guint hiera_scanner_count_open(const HieraScanner *scanner);
/* Where the next tag of the document stands in the trace, after the i-th (from 0) of those start tags. */
guint32 hiera_scanner_line_behind(const HieraScanner *scanner, guint i);

#endif
