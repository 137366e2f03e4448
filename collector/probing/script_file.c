/* See script_file.h. As hiera-transform takes the argument of --probe. */
#include "script_file.h"

#include "base/whole_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

HieraProbeScript *hiera_probe_file_read(const char *given, char report[HIERA_PROBE_REPORT])
{
    size_t length = strlen(given);
    if (strchr(given, '{'))
        return hiera_probe_script_parse("--probe", strchr(given, '\n') != NULL, given, length, report);
    char *text = hiera_whole_file_read(given, &length);
    if (!text) {
        snprintf(report, HIERA_PROBE_REPORT, "%.500s: %s", given, strerror(errno));
        return NULL;
    }
    HieraProbeScript *script = hiera_probe_script_parse(given, true, text, length, report);
    free(text);
    return script;
}
