/* Asks the server of another rank (globals_server.h), for all threads of this process.
 *
 * Each question has the time of `timeout` of HIERA_PROBE_OPTIONS. If there is no reply in time, or the connection has
 * ended, nothing is asked any more. */
#ifndef HIERA_GLOBALS_CLIENT_H
#define HIERA_GLOBALS_CLIENT_H

#include "probing/shared/server_place.h"
#include "probing/shared/shared_questions.h"

/* @return  0 or an errno */
int hiera_globals_connect(const HieraServerPlace *place);

/* Ask; the answer TIMED_OUT or GONE if there is no reply. Any thread may. Keeps errno. */
HieraReply hiera_globals_client_ask(const HieraQuestion *question, const char *key, const char *text,
                                    HieraReplyRoom *room);

/* In a child of fork: its parent's end must not wait for its own. */
void hiera_globals_client_in_child(void);

#endif
