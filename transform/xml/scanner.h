/* Fast scanner for traces as the collector and the export write them; libxml2 takes many times as long.
 *
 * It accepts only unambiguous XML: tags with ASCII names, values in double quotes, spaces between attributes. At the
 * first other byte it stops and leaves a document for libxml2: the head of the trace, start tags of the open
 * elements, and the bytes that are not read yet. libxml2 then decides whether the trace is well-formed. The scanner
 * never reads to the end: the root's end tag is always left to libxml2. */
#pragma once

#include "input_file.h"
#include "xml_events.h"

typedef struct HieraScanner HieraScanner;

/* Functions of the parser that uses the scanner. `intern` gives the pointers for names. `enter` and `leave` count the
 * open elements; if there are too many, `enter` stops the scanner and returns FALSE. */
typedef struct {
    HieraXmlIntern intern;
    gboolean (*enter)(gpointer parser);
    void (*leave)(gpointer parser);
    gpointer parser;
} HieraScannerHost;

/* @param source  read by the scanner; must outlive it
 * @param user    first argument of the events */
HieraScanner *hiera_scanner_new(const HieraScannerHost *host, HieraInputFile *source, const HieraXmlEvents *events,
                                gpointer user);
void hiera_scanner_free(HieraScanner *scanner);
/* Report all tags as events, up to the first tag that is not recognised. */
void hiera_scanner_run(HieraScanner *scanner);
/* Make the scanner stop after the current event, from inside which this is called. */
void hiera_scanner_stop(HieraScanner *scanner);
/* Return the scanner's current line in the trace, from 1. */
guint32 hiera_scanner_line(const HieraScanner *scanner);

/* Read from the document that the scanner leaves for libxml2, like hiera_input_file_read(). */
int hiera_scanner_read(HieraScanner *scanner, char *buffer, int size);
/* Whether reading of the source ended at zero bytes that other bytes follow (hiera_input_file_is_torn()). */
gboolean hiera_scanner_is_torn(const HieraScanner *scanner);
/* Return the number of open elements. The document that is left begins with their start tags, for which the scanner
 * has already called the event. */
guint hiera_scanner_count_open(const HieraScanner *scanner);
/* Return the line in the trace of the tag after the i-th start tag (from 0) of the document left for libxml2. */
guint32 hiera_scanner_line_after(const HieraScanner *scanner, guint i);
