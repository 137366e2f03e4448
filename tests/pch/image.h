/* As graph.h, of the image and the execution. */
#include <glib.h>
#include <string.h>
