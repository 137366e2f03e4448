/* Lets ranks on other computers ask the table of this one: variables, locks and what is published.
 *
 * Idea: a thread has the connections, in a table of descriptors of its own. So they take nothing of what the program
 * may open, no number of theirs is one of the program's, and neither fork nor exec inherits them. Who connects names
 * the secret first. The thread accepts no more connections when all have come, and lives as long as its process. A
 * connection that ends frees its locks. */
#ifndef HIERA_GLOBALS_SERVER_H
#define HIERA_GLOBALS_SERVER_H

#include "probing/shared/server_place.h"
#include "probing/shared/shared_table.h"

enum { HIERA_SERVER_PATIENCE_S = 10 }; /* for what is done once: to begin, and to connect */

/* Begin. The place becomes where it is.
 *
 * @param clients  how many are to come
 * @return  0 or an errno */
int hiera_globals_serve(HieraSharedTable *table, unsigned clients, HieraServerPlace *place);

/* No more clients come. */
void hiera_globals_server_settle(void);

/* What a client sends first. */
typedef struct HieraServerHello {
    uint64_t version; /* also of the bytes of questions on this machine */
    uint8_t question[HIERA_PLACE_SECRET];
} HieraServerHello;
#define HIERA_SERVER_VERSION (UINT64_C(0x0100686965726100) + sizeof(HieraQuestion))

#endif
