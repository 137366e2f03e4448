/* A thin MPI with the ABI of MPI 5.0 above MPICH, for tests. MPICH is loaded with a scope of its own (RTLD_DEEPBIND),
 * since both have the same names. layer.py makes the functions; layer.c translates what they have: a handle that MPICH
 * makes is the same number in both, a predefined one is found by its name. */
#pragma once

#include "mpi/call/handle_classes.h"

#include <mpi.h>
#include <stddef.h>

#define LAYER __attribute__((visibility("default")))

enum { HIERA_HANDLE_REQUEST = HIERA_HANDLE_CLASS_COUNT }; /* requests are a class of their own */
enum { LAYER_MOST = 16 };                                 /* handles in a list */

/* The status of MPICH. */
typedef struct LowerStatus {
    int low, high, source, tag, error;
} LowerStatus;

/* --- layer.c --- */

void *lower_function(const char *name);
int lower_count(int count); /* ends the process if the list is too long */
int lower(unsigned class, const void *handle);
void *upper(unsigned class, int handle);
LowerStatus lower_status(const MPI_Status *status);
void upper_status(MPI_Status *to, const LowerStatus *from);
const void *lower_buffer(const void *buffer);
int lower_rank(int rank);
int upper_rank(int rank);
int lower_tag(int tag);
int upper_tag(int tag);
int lower_level(int level);
int upper_level(int level);
int lower_keyval(int keyval);
int upper_keyval(int keyval);
int lower_topology(int topology);
int upper_topology(int topology);
int upper_binding(int binding);
int upper_variable(int class);

/* MPICH has begun: it is to return its errors. */
void layer_begin(void);

/* A function had an error of MPICH. It is reported as an MPI does that has the ABI. Returns what the function returns.
 */
int layer_error(const char *function, int error);

/* --- mpich.c, which sees MPICH's <mpi.h> --- */

/* The predefined handle of MPICH with this name; `other`: it has none. */
int mpich_handle(unsigned class, const char *name, int other);
void *lower_status_ignore(void);
void *lower_statuses_ignore(void);
