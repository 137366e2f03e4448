/* State of the HIERA_PROBE script that all ranks share: variables `#name`, locks, and published texts; and decisions of
 * one rank for all.
 *
 * It is in a table. Ranks that can map the file of the first one use that file; the others ask its server. Before the
 * process has joined its job, and if it cannot share, it has a table of its own. No wait takes more than
 * `timeout` of HIERA_PROBE_OPTIONS. */
#pragma once

#include "probes/probes.h"
#include "probing/shared/server_place.h"

/* Functions by which a script uses what ranks share; for HieraProbeHost.globals, .publish and .gather. */
extern const HieraProbeGlobals hiera_shared_globals;
bool hiera_globals_publish(void *user, const char *bytes, size_t length);
bool hiera_globals_gather(void *user, HieraProbeTotals *totals);

/* Publish a decision of this rank to all ranks: a text of less than HIERA_SHARED_TEXT bytes. The next one replaces it.
 * @return  whether other ranks can read it */
bool hiera_globals_decide(const char *text);
/* Get the last decision of any rank. @return  false: there is none, it is longer than `room`, or cannot be read */
bool hiera_globals_decision(char *text, size_t room);

/* Make the process's own table. Called at load, if the script shares something, or if one rank decides for all. */
void hiera_globals_load(bool has_script);
/* Return what ranks share in this process, as words of a message. */
const char *hiera_globals_what(void);

/* --- what is called when the process joins its job (mpi/agree/share_globals.c) --- */

/* Return a number that is equal on the ranks of a job that have the same script. @return  0: nothing is shared */
uint64_t hiera_globals_number(void);

/* Map the file that ranks of this computer share. @return  number that identifies the file; 0: there is none */
uint64_t hiera_globals_map(void);

/* From now on use the mapped file's table (if none is mapped, the own one), or the server. @return  0 or an errno */
int hiera_globals_use_file(void);
int hiera_globals_use_server(const HieraServerPlace *place);
/* Become the server of `clients` ranks on other computers. @return  0 or an errno */
int hiera_globals_be_server(unsigned clients, HieraServerPlace *place);
/* Remove the file's name, which is not needed any more: all ranks have mapped the file, or have a server. */
void hiera_globals_settle(void);

/* --- what is called when the script ends, and after fork --- */

/* Print, once in the job, which shared values are incomplete. Called when the script has ended. */
void hiera_globals_report(const HieraProbeScript *script);

/* Called in a child of fork: it is another owner of locks, and has no connection to the server. */
void hiera_globals_in_child(void);
