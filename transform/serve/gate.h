/* Who may ask: the browser that came first with the token, under the address of the server itself. */
#ifndef HIERA_GATE_H
#define HIERA_GATE_H

#include <glib.h>
#include <microhttpd.h>

#define HIERA_SECRET 33 /* 128 bits in hexadecimal, and a 0 */

typedef struct {
    char token[HIERA_SECRET], cookie[HIERA_SECRET];
    char *cookie_name; /* with the port: browsers share cookies among the ports of a host */
    gboolean is_used;  /* the token has been exchanged */
} HieraGate;

typedef enum { HIERA_GATE_SHUT, HIERA_GATE_ENTER, HIERA_GATE_OPEN } HieraGateAnswer;

/* Draw the secrets. */
gboolean hiera_gate_init(HieraGate *gate, guint16 port, GError **error);
void hiera_gate_clear(HieraGate *gate);

/* Judge a request. ENTER: it has brought the token, and gets the cookie; OPEN: it has the cookie. */
HieraGateAnswer hiera_gate_judge(HieraGate *gate, struct MHD_Connection *connection, const char *path);

#endif
