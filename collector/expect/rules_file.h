/* Reads files of rules (assertions/), inside the program and in hiera-run. */
#pragma once

#include "assertions/assertions.h"

/* Read a file of rules and a file of their values ("" or NULL: the one that PA_CONFIG_FILE names, or none).
 *
 * @param report  HIERA_RULES_REPORT bytes: text of the error
 * @return  NULL on an error. Free with hiera_rules_free(). */
HieraRules *hiera_rules_file_read(const char *path, const char *values, char *report);

/* Read a file of values; "" or NULL: the one that PA_CONFIG_FILE names, or none.
 *
 * @param values  becomes NULL if there is no file. Free with hiera_rule_values_free()
 * @return  false on an error */
bool hiera_rule_values_file_read(const char *path, HieraRuleValues **values, char *report);
