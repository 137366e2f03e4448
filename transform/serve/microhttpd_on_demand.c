/* The functions of libmicrohttpd that the server uses, loaded on demand (transform/base/on_demand.h), since the library
 * loads libgnutls. */
#include "base/on_demand.h"

#include <microhttpd.h>
#include <stdarg.h>

#define FUNCTION(result, name, parameters, arguments)                                                                  \
    HIERA_ON_DEMAND(HIERA_MICROHTTPD, result, name, parameters, arguments)

FUNCTION(enum MHD_Result, MHD_add_response_header,
         (struct MHD_Response * response, const char *name, const char *value), (response, name, value))
FUNCTION(struct MHD_Response *, MHD_create_response_from_buffer,
         (size_t n, void *bytes, enum MHD_ResponseMemoryMode mode), (n, bytes, mode))
FUNCTION(void, MHD_destroy_response, (struct MHD_Response * response), (response))
FUNCTION(const char *, MHD_lookup_connection_value,
         (struct MHD_Connection * connection, enum MHD_ValueKind kind, const char *key), (connection, kind, key))
FUNCTION(enum MHD_Result, MHD_queue_response,
         (struct MHD_Connection * connection, unsigned int status, struct MHD_Response *response),
         (connection, status, response))
FUNCTION(MHD_socket, MHD_quiesce_daemon, (struct MHD_Daemon * daemon), (daemon))
FUNCTION(void, MHD_stop_daemon, (struct MHD_Daemon * daemon), (daemon))
FUNCTION(struct MHD_Daemon *, MHD_start_daemon_va,
         (unsigned int flags, uint16_t port, MHD_AcceptPolicyCallback accept, void *accepting,
          MHD_AccessHandlerCallback answer, void *answering, va_list options),
         (flags, port, accept, accepting, answer, answering, options))

struct MHD_Daemon *MHD_start_daemon(unsigned int flags, uint16_t port, MHD_AcceptPolicyCallback accept, void *accepting,
                                    MHD_AccessHandlerCallback answer, void *answering, ...)
{
    va_list options;
    va_start(options, answering);
    struct MHD_Daemon *daemon = MHD_start_daemon_va(flags, port, accept, accepting, answer, answering, options);
    va_end(options);
    return daemon;
}

/* MHD_get_connection_info is variadic, but the information that the server asks for needs no further arguments. */
#define INFORMATION(parameters, arguments)                                                                             \
    FUNCTION(const union MHD_ConnectionInfo *, MHD_get_connection_info, parameters, arguments)
INFORMATION((struct MHD_Connection * connection, enum MHD_ConnectionInfoType kind, ...), (connection, kind))
