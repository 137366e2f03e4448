/* Names of quantities that the collector measures. Idea: they are passed on as variables, under names that no `$NAME`
 * can have. */
#include "rules.h"
#include <string.h>

static const struct {
    const char *name, *variable;
} measured[] = {
#define X(identifier, name) {name, "(" name ")"},
    HIERA_MEASURED(X)
#undef X
};

const char *hiera_measured_name(HieraMeasured number)
{
    return measured[number].name;
}

const char *hiera_measured_variable(HieraMeasured number)
{
    return measured[number].variable;
}

HieraMeasured hiera_measured_find(const char *name, size_t length)
{
    unsigned i = 0;
    while (i < HIERA_N_MEASURED && (strlen(measured[i].name) != length || memcmp(measured[i].name, name, length) != 0))
        i++;
    return (HieraMeasured)i;
}

HieraMeasured hiera_rule_measured(const HieraRule *rule, unsigned variable)
{
    unsigned i = rule->measured >> variable & 1 ? 0 : HIERA_N_MEASURED;
    while (i < HIERA_N_MEASURED && strcmp(measured[i].variable, rule->variables[variable]) != 0)
        i++;
    return (HieraMeasured)i;
}
