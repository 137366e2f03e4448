/* What a script prints, in one text; and scripts that have to be right. */
#ifndef HIERA_TEST_PRINTED_H
#define HIERA_TEST_PRINTED_H

#include "probes/probes.h"
#include "suites.h"
#include <string.h>

static char printed[16384];

static inline void write_text(void *user, const char *line, size_t length)
{
    (void)user;
    ck_assert_uint_lt(strlen(printed) + length, sizeof printed);
    ck_assert_int_eq(line[length - 1], '\n');
    strncat(printed, line, length);
}

/* Behind an exclamation mark. */
static inline void complain(void *user, const char *message)
{
    (void)user;
    ck_assert_uint_lt(strlen(printed) + strlen(message) + 3, sizeof printed);
    strcat(strcat(strcat(printed, "! "), message), "\n");
}

static inline HieraProbeScript *must_parse(const char *script)
{
    char report[HIERA_PROBE_REPORT] = "";
    HieraProbeScript *parsed = hiera_probe_script_parse("s", true, script, strlen(script), report);
    ck_assert_msg(parsed, "%s", report);
    return parsed;
}

#endif
