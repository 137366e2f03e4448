/* What most files of the analyser include, compiled once where tests are built: half the time. A build without tests,
 * as of ./run-example, does without it, and finds an include that is missing.
 */
#include <glib.h>
#include <igraph.h>
#include <libxml/xmlreader.h>
