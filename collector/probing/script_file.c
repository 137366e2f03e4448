/* See script_file.h. Accepts a script or the name of its file, as hiera-transform --probe does. */
#include "script_file.h"

#include "base/whole_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bit set of the kinds of clauses, and of features, that a script in a running program may use. */
#define KINDS                                                                                                          \
    (1u << HIERA_PROBE_BEGIN | 1u << HIERA_PROBE_END | 1u << HIERA_PROBE_CALL | 1u << HIERA_PROBE_REGION |             \
     1u << HIERA_PROBE_MESSAGE | 1u << HIERA_PROBE_USER | 1u << HIERA_PROBE_TIMER | 1u << HIERA_PROBE_MEMORY |         \
     1u << HIERA_PROBE_PROC | 1u << HIERA_PROBE_COUNTER | 1u << HIERA_PROBE_COUNTER_TYPE |                             \
     1u << HIERA_PROBE_COUNTER_CREATE | 1u << HIERA_PROBE_COUNTER_LIST | HIERA_PROBE_HAS_GLOBALS |                     \
     HIERA_PROBE_HAS_PUBLISHED)

static HieraProbeScript *parse(const char *source, bool lines, const char *text, size_t length,
                               char report[HIERA_PROBE_REPORT])
{
    HieraProbeScript *script = hiera_probe_script_parse(source, lines, text, length, report);
    if (!script || hiera_probe_script_suits(script, "a run", KINDS, report))
        return script;
    hiera_probe_script_free(script);
    return NULL;
}

HieraProbeScript *hiera_probe_file_read(const char *who, const char *given, char report[HIERA_PROBE_REPORT])
{
    size_t length = strlen(given);
    if (strchr(given, '{'))
        return parse(who, strchr(given, '\n') != NULL, given, length, report);
    char *text = hiera_whole_file_read(given, &length);
    if (!text) {
        snprintf(report, HIERA_PROBE_REPORT, "%.500s: %s", given, strerror(errno));
        return NULL;
    }
    HieraProbeScript *script = parse(given, true, text, length, report);
    free(text);
    return script;
}
