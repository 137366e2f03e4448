/* Loops of a folded trace: a `hieraBody` declares calls that repeat, and a `hieraLoop` has the times of its iterations.
 * Hides how the calls are recovered: the user sees the `c` of all iterations, as if they were in the trace. Memory is
 * limited by the size of the bodies, time by that of `times`, however many iterations a loop has. */
#pragma once

#include "base/vocabulary.h"
#include "xml/xml.h"

typedef struct HieraReadLoops HieraReadLoops;

/* Callbacks for calls, as for a `c` in the trace (xml_events.h). `problem` (may be NULL): a loop or a body is not
 * valid; the unreadable part is skipped. */
typedef struct {
    void (*start)(gpointer user, const char *name, const HieraXmlAttribute *attributes, guint n, gpointer *note);
    void (*end)(gpointer user);
    void (*problem)(gpointer user, guint32 line, const char *problem);
} HieraLoopEvents;

/* @param xml     the parser that reads the trace; must outlive the result
 * @param events  copied */
HieraReadLoops *hiera_read_loops_new(HieraXml *xml, const HieraLoopEvents *events, gpointer user);
void hiera_read_loops_free(HieraReadLoops *loops);
/* Process each start tag and end tag of the trace. Return TRUE if it belongs to a loop or body: then it is no other
 * element. At the end of a loop its calls are passed to the events. */
gboolean hiera_read_loops_start(HieraReadLoops *loops, HieraElement element, const HieraXmlAttribute *attributes,
                                guint n);
gboolean hiera_read_loops_end(HieraReadLoops *loops);
/* Make the reader pass on no further calls. */
void hiera_read_loops_stop(HieraReadLoops *loops);
/* Return the line in the trace of the loop whose calls are being passed on. */
guint32 hiera_read_loops_line(const HieraReadLoops *loops);
