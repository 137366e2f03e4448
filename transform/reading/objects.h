/* Places that the collector wrote without a line ("app+0x1a2b"): their file and line, by the debug information of the
 * program or library (libdw), if its file is still there and has the same build id.
 *
 * The files of all traces are opened once in a process, and stay open; one lock. Without libdw nothing is found. */
#ifndef HIERA_OBJECTS_H
#define HIERA_OBJECTS_H

#include <glib.h>

/* What one trace calls its objects. */
typedef struct HieraObjects HieraObjects;

HieraObjects *hiera_objects_new(void);
/* NULL is allowed. */
void hiera_objects_free(HieraObjects *objects);

/* The trace calls `name` the object of this build id. It is looked for at `path` and beside the trace. Two of one name
 * have no lines from then on. @return whether its file is there */
gboolean hiera_objects_declare(HieraObjects *objects, const char *name, const char *build, const char *path,
                               const char *trace);

/* What the function at a place "NAME+0x1a2b" is called in the source; NULL: not known. To be freed. */
char *hiera_objects_find_function(HieraObjects *objects, const char *place);

/* The file and line of the call at a place "NAME+0x1a2b"; false: not known. `file` stays. */
gboolean hiera_objects_find_line(HieraObjects *objects, const char *place, const char **file, guint32 *line);

#endif
