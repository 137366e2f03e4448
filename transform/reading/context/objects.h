/* Finds source lines for places that the collector wrote without a line: "app+0x1a2b" is an object (program or
 * library) and an offset in it. The line comes from the debug information of the object's file (libdw). The file must
 * have the build id that the trace names.
 *
 * Files are opened once for all traces and stay open; one lock protects them. Without libdw nothing is found. */
#pragma once

#include <glib.h>

/* The objects (program, shared libraries) that one trace names, by name. */
typedef struct HieraObjects HieraObjects;

HieraObjects *hiera_objects_new(void);
/* Free the objects of one trace. NULL is allowed. */
void hiera_objects_free(HieraObjects *objects);

/* Declare an object of a trace. If two objects have the same name, neither has lines afterwards.
 *
 * @param name   used in places of the trace
 * @param build  build id, in hexadecimal
 * @param path   path of its file; a file of the same name beside the trace is tried as well
 * @param trace  path of the trace
 * @return  TRUE if a file with the build id was found */
gboolean hiera_objects_declare(HieraObjects *objects, const char *name, const char *build, const char *path,
                               const char *trace);

/* Return the source name of the function at a place "NAME+0x1a2b", to be freed with g_free; NULL: unknown. */
char *hiera_objects_find_function(HieraObjects *objects, const char *place);

/* Return a place "NAME+0x1a2b" of a call without a line as "NAME+0x1a2b in FUNCTION", by the symbols that the object
 * exports; NULL if the function is unknown or the line is known. Valid for the lifetime of the process. */
const char *hiera_objects_describe(HieraObjects *objects, const char *place);

/* Find the variable at a place "NAME+0x4060" that is not on a stack.
 *
 * @param inside  receives how many bytes of it are before the place
 * @return  its name, to be freed with g_free; NULL: none is known, or its size is not */
char *hiera_objects_find_variable(HieraObjects *objects, const char *place, gint64 *inside, gint64 *bytes);

/* Find the variable at an address in the frame of the function that has made the call at a place "NAME+0x1a2b", with
 * these values of the stack pointer and the frame pointer there. x86-64 only.
 *
 * @param begin  receives its address
 * @return  its name, with its basic type (HieraSizedVariable), valid for the lifetime of the process; NULL: none is
 * known for certain */
const char *hiera_objects_find_local(HieraObjects *objects, const char *place, gint64 stack_pointer,
                                     gint64 frame_pointer, gint64 address, gint64 *begin, gint64 *bytes);

/* Find the source file and line of the call at a place "NAME+0x1a2b". Return FALSE if they are unknown. `file` is
 * valid for the lifetime of the process. */
gboolean hiera_objects_find_line(HieraObjects *objects, const char *place, const char **file, guint32 *line);
