/* What most files of the analyser include, compiled once. Only here: without it a missing include would not be found.
 */
#include <glib.h>
#include <igraph.h>
#include <libxml/xmlreader.h>
