/* Numbers for the words of a trace: elements, attributes, operations, special values.
 *
 * Hides where the words come from (dtd/, the generated operations.h) and how they are looked up. The different
 * spellings of the Hiera paper are defined here and nowhere else. */
#pragma once

#include "dtd/names.h"
#include "hiera_trace.h"

typedef enum {
#define X(identifier, name) HIERA_ELEMENT_##identifier,
    HIERA_ELEMENTS(X)
#undef X
        HIERA_N_ELEMENTS
} HieraElement;

typedef enum {
#define X(identifier, name) HIERA_ATTRIBUTE_##identifier,
    HIERA_ATTRIBUTES(X)
#undef X
        HIERA_N_ATTRIBUTES
} HieraAttribute;

/* Names that the Hiera paper spells differently: X(ELEMENT or ATTRIBUTE, identifier, name in the paper). */
#define HIERA_SPELLINGS(X)                                                                                             \
    X(ELEMENT, MPI, "hieramMPI")                                                                                       \
    X(ATTRIBUTE, COMMUNICATOR, "com")

/* Special values of ranks and tags that are not in HIERA_SPECIAL_VALUES, because no argument has them or only the paper
 * uses them: X(name, value). */
#define HIERA_OTHER_SPECIALS(X)                                                                                        \
    X("MPI_MESSAGE_NO_PROC", HIERA_PROC_NULL)                                                                          \
    X("any", HIERA_ANY)

/* Predefined reduction operators of MPI; the number of each is its index in this list, from 0: X(name). */
#define HIERA_REDUCTIONS(X)                                                                                            \
    X("MPI_MAX")                                                                                                       \
    X("MPI_MIN")                                                                                                       \
    X("MPI_SUM")                                                                                                       \
    X("MPI_PROD")                                                                                                      \
    X("MPI_LAND")                                                                                                      \
    X("MPI_BAND")                                                                                                      \
    X("MPI_LOR")                                                                                                       \
    X("MPI_BOR")                                                                                                       \
    X("MPI_LXOR")                                                                                                      \
    X("MPI_BXOR")                                                                                                      \
    X("MPI_MAXLOC")                                                                                                    \
    X("MPI_MINLOC")                                                                                                    \
    X("MPI_REPLACE")                                                                                                   \
    X("MPI_NO_OP")
#define HIERA_OPERATOR_OWN 1000 /* number of all user-defined operators: their names differ from rank to rank */

/* Names of levels, communicators and operations that hiera-transform treats specially. */
#define HIERA_LEVEL_MPI              "mpi"
#define HIERA_LEVEL_OOPS             "oops"
#define HIERA_LEVEL_DEFAULT          "app"
#define HIERA_LEVEL_FUNCTION         "function"
#define HIERA_COMM_WORLD             "MPI_COMM_WORLD"
#define HIERA_COMM_SELF              "MPI_COMM_SELF"
#define HIERA_FREED_HANDLE           "freed:" /* begin of the name of an object that was freed before */
#define HIERA_OPERATION_CANCEL       "cancel"
#define HIERA_OPERATION_REQUEST_FREE "request_free"
#define HIERA_OPERATION_PSEND_INIT   "psend_init"
#define HIERA_OPERATION_PRECV_INIT   "precv_init"
#define HIERA_OPERATION_WIN_FREE     "win_free"

/* Return the name that a number of the vocabulary stands for. */
const char *hiera_element_name(HieraElement element);
const char *hiera_attribute_name(HieraAttribute attribute);

/* Call `word` for each name of an element (or attribute) and its number; the paper's spellings come last. */
typedef void (*HieraWord)(const char *name, int number, gpointer user);
void hiera_vocabulary_elements(HieraWord word, gpointer user);
void hiera_vocabulary_attributes(HieraWord word, gpointer user);
/* Get the names of attributes whose values differ from call to call of a call site, followed by NULL. */
#define HIERA_N_DIFFERING 7
void hiera_vocabulary_differing(const char *names[HIERA_N_DIFFERING + 1]);

/* Find an operation of the MPI level.
 *
 * @param kind    becomes its kind
 * @param starts  becomes the kind of each start of the persistent request that it makes; LOCAL if it makes none
 * @return  FALSE if the operation is unknown */
gboolean hiera_vocabulary_kind(const char *operation, HieraKind *kind, HieraKind *starts);

/* Return the number of a parameter of an operation of the MPI level, from 1; 0: it has none of this name, or one that
 * only gives something back.
 *
 * @param name  of the parameter, as the attribute of the trace */
guint hiera_parameter_find(const char *operation, const char *name);
/* Return the name that MPI has for a parameter: "datatype" for the attribute `type`. */
const char *hiera_parameter_mpi_name(const char *name);

/* Return the number of a reduction operator by its name; HIERA_OPERATOR_OWN if MPI does not define it. */
gint32 hiera_vocabulary_operator(const char *text, gsize length);
/* Return the name of a reduction operator by its number. */
const char *hiera_operator_name(gint32 number);

/* Find the value of a special rank or tag, as MPI_ANY_SOURCE; FALSE if the text is no name of one. */
gboolean hiera_vocabulary_special(const char *text, gsize length, gint32 *value);
