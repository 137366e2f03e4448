/* Access control: only the browser that first sends the token to the server's own address gets access. */
#pragma once

#include <glib.h>
#include <microhttpd.h>

#define HIERA_SECRET 33 /* size of a secret in bytes: 128 bits in hexadecimal, and the terminating NUL */

typedef struct {
    char token[HIERA_SECRET], cookie[HIERA_SECRET];
    char *cookie_name; /* contains the port, because browsers share cookies among the ports of a host */
    gboolean is_used;  /* whether the token was exchanged for the cookie, which works once */
} HieraGate;

typedef enum { HIERA_GATE_SHUT, HIERA_GATE_ENTER, HIERA_GATE_OPEN } HieraGateAnswer;

/* Generate the random token and cookie. */
gboolean hiera_gate_init(HieraGate *gate, guint16 port, GError **error);
void hiera_gate_clear(HieraGate *gate);

/* Check a request. ENTER: it has the token, and gets the cookie; OPEN: it has the cookie. */
HieraGateAnswer hiera_gate_judge(HieraGate *gate, struct MHD_Connection *connection, const char *path);
