/* Variables `#name`, locks, and what ranks have published, of the script of HIERA_PROBE, which all ranks share; and
 * what one rank has decided for all.
 *
 * They are in a table. Ranks that can map the file of the first one use that; the others ask its server. Before the
 * process has joined its job, and if it cannot share, it has a table of its own. No wait takes more than
 * `timeout` of HIERA_PROBE_OPTIONS. */
#ifndef HIERA_SHARED_GLOBALS_H
#define HIERA_SHARED_GLOBALS_H

#include "probes/probes.h"
#include "probing/shared/server_place.h"

/* Of a HieraProbeHost. */
extern const HieraProbeGlobals hiera_shared_globals;
bool hiera_globals_publish(void *user, const char *bytes, size_t length);
bool hiera_globals_gather(void *user, HieraProbeTotals *totals);

/* Tell all ranks what this one has decided: a text of less than HIERA_SHARED_TEXT bytes. The next one replaces it.
 * @return  whether they can know it */
bool hiera_globals_decide(const char *text);
/* What was decided last. @return  false: nothing, it is longer than the room, or it is not to be had */
bool hiera_globals_decision(char *text, size_t room);

/* The script of this process shares something, or one rank decides for all. At load. */
void hiera_globals_load(bool has_script);
/* What ranks share, for messages. */
const char *hiera_globals_what(void);

/* --- the process joins its job (mpi/life/share_globals.c) --- */

/* Ranks with the same number share. @return  0: this process shares nothing */
uint64_t hiera_globals_number(void);

/* Map the file of the ranks of this computer. @return  what identifies it; 0: there is none */
uint64_t hiera_globals_map(void);

/* From now on use the file, or the table of the process alone; or ask the server. @return  0 or an errno */
int hiera_globals_use_file(void);
int hiera_globals_use_server(const HieraServerPlace *place);
/* Become the server, for so many others. @return  0 or an errno */
int hiera_globals_be_server(unsigned clients, HieraServerPlace *place);
/* All have come: the file needs no name any more. */
void hiera_globals_settle(void);

/* --- it ends --- */

/* The script has ended: say, once here, what is incomplete. */
void hiera_globals_report(const HieraProbeScript *script);

/* In a child of fork. */
void hiera_globals_in_child(void);

#endif
