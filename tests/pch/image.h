/* As graph.h, of what knows GLib alone: image, execution, simulator, page. */
#include <glib.h>
#include <string.h>
