/* See answers.h. The gate is checked first, then the method, then the path: a client without access learns nothing
 * about what exists. */
#include "answers.h"
#include <signal.h>
#include <string.h>
#include <unistd.h>

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

/* Send the browser to another path. @param cookie  NULL: none @param close  it has to make a new connection for that */
static enum MHD_Result send_to(struct MHD_Connection *connection, const char *path, const char *cookie, gboolean close)
{
    struct MHD_Response *response = MHD_create_response_from_buffer(0, (void *)"", MHD_RESPMEM_PERSISTENT);
    if (response && cookie)
        MHD_add_response_header(response, MHD_HTTP_HEADER_SET_COOKIE, cookie);
    if (response && close)
        MHD_add_response_header(response, MHD_HTTP_HEADER_CONNECTION, "close");
    if (response)
        MHD_add_response_header(response, MHD_HTTP_HEADER_LOCATION, path);
    return send_response(connection, MHD_HTTP_SEE_OTHER, response, TEXT, NULL);
}

/* Send the cookie and a redirect to an address without the token, which is used up and should not stay visible. */
static enum MHD_Result send_cookie(const HieraAnswers *answers, struct MHD_Connection *connection)
{
    const HieraGate *gate = &answers->gate;
    g_autofree char *cookie =
        g_strdup_printf("%s=%s; HttpOnly; SameSite=Strict; Path=/", gate->cookie_name, gate->cookie);
    return send_to(connection, "/", cookie, FALSE);
}

/* The page is asked for again: send the browser to the next one, which another process will make. A new connection
 * waits at the socket until then; one that the browser has already gets this answer once more. */
static enum MHD_Result send_to_next(HieraAnswers *answers, struct MHD_Connection *connection)
{
    if (!answers->is_over) {
        MHD_quiesce_daemon(MHD_get_connection_info(connection, MHD_CONNECTION_INFO_DAEMON)->daemon);
        kill(getpid(), SIGUSR1);
    }
    answers->is_over = TRUE;
    return send_to(connection, "/", NULL, TRUE);
}

/* A path like "/7/": that of some page, also of an earlier one. */
static gboolean is_page(const char *path)
{
    if (path[0] != '/')
        return FALSE;
    gsize digits = strspn(path + 1, "0123456789");
    return path[1] == '\0' || (digits > 0 && strcmp(path + 1 + digits, "/") == 0);
}

static enum MHD_Result send_page(HieraAnswers *answers, struct MHD_Connection *connection, const char *path)
{
    gsize n;
    if (answers->is_seen && answers->what->renews)
        return send_to_next(answers, connection);
    if (strcmp(path, answers->place) != 0)
        return send_to(connection, answers->place, NULL, FALSE);
    answers->is_seen = TRUE;
    const char *html = hiera_live_page_peek_html(answers->what->page, &n);
    return send_response(connection, MHD_HTTP_OK,
                         MHD_create_response_from_buffer(n, (void *)html, MHD_RESPMEM_PERSISTENT),
                         "text/html; charset=utf-8", answers->policy);
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

static enum MHD_Result send_path(HieraAnswers *answers, struct MHD_Connection *connection, const char *path)
{
    if (is_page(path))
        return send_page(answers, connection, path);
    if (!g_str_has_prefix(path, answers->place))
        return send_text(connection, MHD_HTTP_NOT_FOUND, "this page is old; load it again\n");
    const char *name = path + strlen(answers->place);
    if (strcmp(name, "where") == 0)
        return send_where(answers, connection);
    GByteArray *block = NULL;
    if (g_str_has_prefix(name, "block/"))
        block = hiera_live_page_block(answers->what->page, name + strlen("block/"));
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
    static int is_known;
    HieraAnswers *answers = user;
    (void)version;
    (void)body;
    (void)n_body;
    /* At the first call only the headers are there. An answer at that time avoids reading the body, and ends the
     * connection. */
    gboolean early = has_body(connection) || strcmp(method, MHD_HTTP_METHOD_GET) != 0;
    if (!*state && !early) {
        *state = &is_known;
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
