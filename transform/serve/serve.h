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
    gboolean renews; /* a page that is asked for again must be made anew: hiera_serve_again() */
} HieraServe;

/** Whether a text is an address for hiera_serve and this program has a server; FALSE with an error if not. */
gboolean hiera_serve_check(const char *address, GError **error);

/** Print the address of the page, and serve it until SIGINT or SIGTERM; one that `renews` also until it is asked for
 * again.
 * @param address  ADDR:PORT; "" is the loopback interface and a free port */
gboolean hiera_serve(const HieraServe *what, const char *address, GError **error);

/** Call a function that makes a page and serves it with hiera_serve(), in a new process for each page, at one address.
 * @return its exit status, when no new page is asked for; -1 with an error */
int hiera_serve_again(const char *address, int (*make)(gconstpointer user), gconstpointer user, GError **error);
