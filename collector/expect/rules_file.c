#include "rules_file.h"

#include "base/whole_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_file(const char *path, size_t *length, char *report)
{
    char *text = hiera_whole_file_read(path, length);
    if (!text)
        snprintf(report, HIERA_RULES_REPORT, "%s: %s", path, strerror(errno));
    return text;
}

bool hiera_rule_values_file_read(const char *path, HieraRuleValues **values, char *report)
{
    size_t length;
    *values = NULL;
    if (!path || !path[0])
        path = getenv("PA_CONFIG_FILE");
    if (!path || !path[0])
        return true;
    char *text = read_file(path, &length, report);
    if (text)
        *values = hiera_rule_values_parse(path, text, length, report);
    free(text);
    return *values != NULL;
}

HieraRules *hiera_rules_file_read(const char *path, const char *values, char *report)
{
    size_t length;
    HieraRules *rules = NULL;
    HieraRuleValues *known;
    char *text = hiera_rule_values_file_read(values, &known, report) ? read_file(path, &length, report) : NULL;
    if (text)
        rules = hiera_rules_parse(path, text, length, known, report);
    free(text);
    hiera_rule_values_free(known);
    return rules;
}
