/* Reads a probe script that an option or a setting gives, in the collector and in hiera-run. */
#pragma once

#include "probes/probes.h"

/* Read a script.
 *
 * @param who     source of the script, for messages about a script that is in no file: "--probe"
 * @param given   the script itself, if it has a `{`; else the name of its file
 * @param report  becomes the error message
 * @return  NULL if it is wrong. Free with hiera_probe_script_free(). */
HieraProbeScript *hiera_probe_file_read(const char *who, const char *given, char report[HIERA_PROBE_REPORT]);
