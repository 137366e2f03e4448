/* Replaces the HTTP server in builds without libmicrohttpd: --serve is an error. */
#include "serve.h"

gboolean hiera_serve_check(const char *address, GError **error)
{
    (void)address;
    g_set_error_literal(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE,
                        "--serve: this hiera-transform was built without libmicrohttpd; use --html");
    return FALSE;
}

gboolean hiera_serve(const HieraServe *what, const char *address, GError **error)
{
    (void)what;
    return hiera_serve_check(address, error);
}

int hiera_serve_again(const char *address, int (*make)(gconstpointer user), gconstpointer user, GError **error)
{
    (void)make, (void)user;
    hiera_serve_check(address, error);
    return -1;
}
