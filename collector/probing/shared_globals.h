/* State of the HIERA_PROBE script that all ranks share: variables `#name`, locks, and published texts; and decisions of
 * one rank for all.
 *
 * It is in a table. Ranks that can map the file of the first one use that file; the others ask its server. Before the
 * process has joined its job, and if it cannot share, it has a table of its own. No wait takes more than
 * `timeout` of HIERA_PROBE_OPTIONS. */
#pragma once

#include "probes/probes.h"
#include "probing/shared/server_place.h"

/* Functions for a HieraProbeHost. */
extern const HieraProbeGlobals hiera_shared_globals;
bool hiera_globals_publish(void *user, const char *bytes, size_t length);
bool hiera_globals_gather(void *user, HieraProbeTotals *totals);

/* Publish a decision of this rank to all ranks: a text of less than HIERA_SHARED_TEXT bytes. The next one replaces it.
 * @return  whether other ranks can read it */
bool hiera_globals_decide(const char *text);
/* Get the last decision. @return  false: there is none, it is longer than `room`, or it cannot be read */
bool hiera_globals_decision(char *text, size_t room);

/* Called at load, if the script of this process shares something, or if one rank decides for all. */
void hiera_globals_load(bool has_script);
/* Name of the shared features, for messages. */
const char *hiera_globals_what(void);

/* --- the process joins its job (mpi/life/share_globals.c) --- */

/* Return a number for this process: ranks with the same number share. @return  0: this process shares nothing */
uint64_t hiera_globals_number(void);

/* Map the file of the ranks on this computer. @return  number that identifies it; 0: there is none */
uint64_t hiera_globals_map(void);

/* From now on use the file, or the process's own table; or ask the server. @return  0 or an errno */
int hiera_globals_use_file(void);
int hiera_globals_use_server(const HieraServerPlace *place);
/* Become the server for `clients` other ranks. @return  0 or an errno */
int hiera_globals_be_server(unsigned clients, HieraServerPlace *place);
/* All ranks have connected: the file needs no name any more. */
void hiera_globals_settle(void);

/* --- it ends --- */

/* The script has ended: print once in this job which values are incomplete. */
void hiera_globals_report(const HieraProbeScript *script);

/* Called in a child of fork. */
void hiera_globals_in_child(void);
