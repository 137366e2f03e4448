/** --serve: serves the page of a run with a small HTTP server, for one browser. */
#pragma once

#include "page.h"

/** Choose the operations for which an expression holds.
 * @return by row, to be freed with g_free; NULL with an error if the expression is wrong */
typedef guint8 *(*HieraServeChoose)(const char *expression, gpointer user, GError **error);

/** The page to serve, and the function that finds operations for the page's searches. */
typedef struct {
    const HieraLivePage *page;
    HieraServeChoose choose;
    gpointer user; /* argument of `choose` */
    gboolean quiet;
} HieraServe;

/** Whether a text is an address for hiera_serve and this program has a server; FALSE with an error if not. */
gboolean hiera_serve_check(const char *address, GError **error);

/** Print the address of the page, and serve it until SIGINT or SIGTERM.
 * @param address  ADDR:PORT; "" is the loopback interface and a free port */
gboolean hiera_serve(const HieraServe *what, const char *address, GError **error);
