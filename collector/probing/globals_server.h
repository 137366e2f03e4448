/* Lets ranks on other computers use the table of this one: variables, locks and published texts.
 *
 * Idea: a thread owns the connections, in a table of descriptors of its own. So they do not count against the program's
 * limit, none of their numbers is used in the program, and neither fork nor exec inherits them. A client first sends
 * the secret. The thread accepts no more connections when all clients have come, and lives as long as its process. When
 * a connection ends, its locks are freed. */
#pragma once

#include "probing/shared/server_place.h"
#include "probing/shared/shared_table.h"

enum { HIERA_SERVER_PATIENCE_S = 10 }; /* time limit in s, for starting the server and for connecting */

/* Start the server. *place becomes its addresses and secret.
 *
 * @param clients  number of clients that will connect
 * @return  0 or an errno */
int hiera_globals_serve(HieraSharedTable *table, unsigned clients, HieraServerPlace *place);

/* Accept no more clients: all have had their chance to connect. */
void hiera_globals_server_settle(void);

/* First message of a client, which has the secret. */
typedef struct HieraServerHello {
    uint64_t version; /* version of the protocol and size of a question: equal on both sides */
    uint8_t question[HIERA_PLACE_SECRET];
} HieraServerHello;
#define HIERA_SERVER_VERSION (UINT64_C(0x0100686965726100) + sizeof(HieraQuestion))
