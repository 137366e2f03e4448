/* See answers.h. The gate is checked first, then the method, then the path: a client without access learns nothing
 * about what exists. */
#include "answers.h"
#include <string.h>

#define TEXT   "text/plain; charset=utf-8"
#define BINARY "application/octet-stream"

/* Send a response and release it. @param policy  Content-Security-Policy; NULL: default-src 'none' */
static enum MHD_Result send_response(struct MHD_Connection *connection, guint status, struct MHD_Response *response,
                                     const char *type, const char *policy)
{
    if (!response)
        return MHD_NO;
    g_autofree char *whole = g_strdup_printf("%s; frame-ancestors 'none'", policy ? policy : "default-src 'none'");
    const char *const headers[][2] = {{MHD_HTTP_HEADER_CONTENT_TYPE, type},
                                      {"Content-Security-Policy", whole},
                                      {"Referrer-Policy", "no-referrer"},
                                      {"X-Content-Type-Options", "nosniff"},
                                      {"Cross-Origin-Resource-Policy", "same-origin"},
                                      {MHD_HTTP_HEADER_CACHE_CONTROL, "no-store"}};
    for (guint i = 0; i < G_N_ELEMENTS(headers); i++)
        MHD_add_response_header(response, headers[i][0], headers[i][1]);
    enum MHD_Result result = MHD_queue_response(connection, status, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result send_text(struct MHD_Connection *connection, guint status, const char *text)
{
    return send_response(connection, status,
                         MHD_create_response_from_buffer(strlen(text), (void *)text, MHD_RESPMEM_MUST_COPY), TEXT,
                         NULL);
}

/* Send a block of the page's binary data, and release the block. */
static enum MHD_Result send_block(struct MHD_Connection *connection, GByteArray *block)
{
    struct MHD_Response *response = MHD_create_response_from_buffer(block->len, block->data, MHD_RESPMEM_MUST_COPY);
    g_byte_array_unref(block);
    return send_response(connection, MHD_HTTP_OK, response, BINARY, NULL);
}

static enum MHD_Result send_page(const HieraAnswers *answers, struct MHD_Connection *connection)
{
    gsize n;
    const char *html = hiera_live_page_peek_html(answers->what->page, &n);
    return send_response(connection, MHD_HTTP_OK,
                         MHD_create_response_from_buffer(n, (void *)html, MHD_RESPMEM_PERSISTENT),
                         "text/html; charset=utf-8", answers->policy);
}

/* Send the cookie and a redirect to an address without the token, which is used up and should not stay visible. */
static enum MHD_Result send_cookie(const HieraAnswers *answers, struct MHD_Connection *connection)
{
    const HieraGate *gate = &answers->gate;
    g_autofree char *cookie =
        g_strdup_printf("%s=%s; HttpOnly; SameSite=Strict; Path=/", gate->cookie_name, gate->cookie);
    struct MHD_Response *response = MHD_create_response_from_buffer(0, (void *)"", MHD_RESPMEM_PERSISTENT);
    if (response) {
        MHD_add_response_header(response, MHD_HTTP_HEADER_SET_COOKIE, cookie);
        MHD_add_response_header(response, MHD_HTTP_HEADER_LOCATION, "/");
    }
    return send_response(connection, MHD_HTTP_SEE_OTHER, response, TEXT, NULL);
}

/* Send which operations an expression holds for; an error in the expression is sent as text. */
static enum MHD_Result send_where(const HieraAnswers *answers, struct MHD_Connection *connection)
{
    const HieraServe *what = answers->what;
    const char *expression = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "expr");
    g_autoptr(GError) error = NULL;
    if (!expression)
        return send_text(connection, MHD_HTTP_BAD_REQUEST, "no expression\n");
    g_autofree guint8 *chosen = what->choose(expression, what->user, &error);
    if (!chosen)
        return send_text(connection, MHD_HTTP_BAD_REQUEST, error->message);
    return send_block(connection, hiera_live_page_found(what->page, chosen));
}

static enum MHD_Result send_path(const HieraAnswers *answers, struct MHD_Connection *connection, const char *path)
{
    if (strcmp(path, "/") == 0)
        return send_page(answers, connection);
    if (strcmp(path, "/where") == 0)
        return send_where(answers, connection);
    GByteArray *block = NULL;
    if (g_str_has_prefix(path, "/block/"))
        block = hiera_live_page_block(answers->what->page, path + strlen("/block/"));
    return block ? send_block(connection, block)
                 : send_text(connection, MHD_HTTP_NOT_FOUND, "there is no such block\n");
}

static gboolean has_body(struct MHD_Connection *connection)
{
    const char *length = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_CONTENT_LENGTH);
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_TRANSFER_ENCODING) ||
           (length && strcmp(length, "0") != 0);
}

enum MHD_Result hiera_answers_give(void *user, struct MHD_Connection *connection, const char *path, const char *method,
                                   const char *version, const char *body, size_t *n_body, void **state)
{
    static int is_seen;
    HieraAnswers *answers = user;
    (void)version;
    (void)body;
    (void)n_body;
    /* At the first call only the headers are there. An answer at that time avoids reading the body, and ends the
     * connection. */
    gboolean early = has_body(connection) || strcmp(method, MHD_HTTP_METHOD_GET) != 0;
    if (!*state && !early) {
        *state = &is_seen;
        return MHD_YES;
    }
    HieraGateAnswer may = hiera_gate_judge(&answers->gate, connection, path);
    if (may == HIERA_GATE_SHUT)
        return send_text(connection, MHD_HTTP_FORBIDDEN,
                         "This browser may not see the page. Its address works once, for one browser.\n");
    if (strcmp(method, MHD_HTTP_METHOD_GET) != 0)
        return send_text(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "only GET is known\n");
    if (early)
        return send_text(connection, MHD_HTTP_CONTENT_TOO_LARGE, "a request has no body\n");
    return may == HIERA_GATE_ENTER ? send_cookie(answers, connection) : send_path(answers, connection, path);
}
