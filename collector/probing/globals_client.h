/* Asks the server of another rank (globals_server.h), for all threads of this process.
 *
 * Each question has the time of `timeout` of HIERA_PROBE_OPTIONS. If there is no reply in time, or the connection has
 * ended, nothing is asked any more. */
#pragma once

#include "probing/shared/server_place.h"
#include "probing/shared/shared_questions.h"

/* Connect this process to the server of the variables and locks that ranks share. @return  0 or an errno */
int hiera_globals_connect(const HieraServerPlace *place);

/* Send a question to the server and return the reply; the answer is TIMED_OUT or GONE if none comes. Any thread may
 * call this. Keeps errno. */
HieraReply hiera_globals_client_ask(const HieraQuestion *question, const char *key, const char *text,
                                    HieraReplyRoom *room);

/* Called in a child of fork: close the child's copy of the connection, so that the server notices the parent's end. */
void hiera_globals_client_in_child(void);
