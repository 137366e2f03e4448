/* The probe script of this process: HIERA_PROBE. It is read once, when the library is loaded; then what may fire is found once for
 * each MPI function and each name of a region, as a set of clauses. */
#ifndef HIERA_CLAUSES_H
#define HIERA_CLAUSES_H

#include "probes/probes.h"

/* Clauses of the script, as bits. */
typedef uint64_t HieraClauseSet;
enum { HIERA_MOST_CLAUSES = 63 };
/* Not a clause: it is told for another reason. */
#define HIERA_WATCHED_ALONE (UINT64_C(1) << 63)

/* Read the script. */
void hiera_clauses_load(void);
/* Print on standard error why it could not be read. */
void hiera_clauses_complain(void);

/* The script; NULL if there is none. */
const HieraProbeScript *hiera_clauses_script(void);
/* Whether it asks for this variable. */
bool hiera_clauses_ask(HieraProbeVariableId variable);

/* The clauses of a kind that take some event of an operation of this name. Those that do not hold for this rank are among them.
 *
 * @param operation  as traces name it; NULL: any */
HieraClauseSet hiera_clauses_find(HieraProbeKind kind, const char *operation);

#endif
