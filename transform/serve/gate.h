/* Access control: only the browser that first sends the token, to the server's own address, gets access. */
#pragma once

#include <glib.h>
#include <microhttpd.h>

#define HIERA_SECRET 33 /* size of a secret: 128 bits in hexadecimal, and a 0 */

typedef struct {
    char token[HIERA_SECRET], cookie[HIERA_SECRET];
    char *cookie_name; /* contains the port: browsers share cookies among the ports of a host */
    gboolean is_used;  /* the token was exchanged for the cookie */
} HieraGate;

typedef enum { HIERA_GATE_SHUT, HIERA_GATE_ENTER, HIERA_GATE_OPEN } HieraGateAnswer;

/* Generate the random secrets. */
gboolean hiera_gate_init(HieraGate *gate, guint16 port, GError **error);
void hiera_gate_clear(HieraGate *gate);

/* Check a request. ENTER: it has the token, and gets the cookie; OPEN: it has the cookie. */
HieraGateAnswer hiera_gate_judge(HieraGate *gate, struct MHD_Connection *connection, const char *path);
