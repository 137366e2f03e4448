/* Check the expectations of assertions, with the parser that libhiera uses at run time. */
#include "pragmas.h"

#include "assertions/assertions.h"
#include "run/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Report an error of the parser at its place in the source. The parser's report is `file:line:column: message`, the
 * text, and a caret. */
static void refuse(HieraPragmas *pragmas, HieraPragma *pragma, const char *prefix, const char *report)
{
    size_t column = 1, length = 1, end = strlen(pragma->text);
    const char *message = report, *caret = strrchr(report, '^');
    if (strncmp(report, prefix, strlen(prefix)) == 0) {
        char *behind;
        column = strtoul(report + strlen(prefix), &behind, 10);
        message = behind + strspn(behind, ": ");
    }
    if (caret)
        length = 1 + strspn(caret + 1, "~");
    size_t first = column > 0 && column <= end ? column - 1 : end;
    size_t last = first + length <= end ? first + length - 1 : end > 0 ? end - 1 : 0;
    HieraSourceSpan place = {pragma->places[first], end > 0 ? pragma->places[last] + 1 : pragma->places[0] + 1};
    hiera_pragmas_refuse(pragmas, pragma, place, "%.*s", (int)strcspn(message, "\n"), message);
}

static void keep_variables(HieraPragma *pragma, const HieraRule *rule)
{
    for (unsigned i = 0; i < rule->n_variables; i++) {
        if (rule->measured >> i & 1)
            continue; /* libhiera measures the value at run time; it is no variable of the program */
        *HIERA_GROW(pragma->variables, pragma->n_variables) =
            (HieraVariable){.name = hiera_words_format("%s", rule->variables[i]), .is_comm = rule->comms >> i & 1};
    }
}

void hiera_pragmas_check(HieraPragmas *pragmas)
{
    char report[HIERA_RULES_REPORT];
    HieraRules *rules = hiera_rules_new(NULL);
    if (!rules)
        hiera_run_fail("no memory");
    for (size_t i = 0; i < pragmas->n; i++) {
        HieraPragma *pragma = &pragmas->at[i];
        if (pragma->is_dropped)
            continue;
        unsigned line = hiera_source_line(pragmas->source, pragma->span.begin), number, n;
        const HieraSourceAssertion assertion = {"", line, pragma->text};
        if (pragma->text[0] == '\0')
            hiera_pragmas_refuse(pragmas, pragma, pragma->word, "it does not say what is expected");
        else if (hiera_rules_add(rules, &assertion, &number, report))
            keep_variables(pragma, &hiera_rules_peek(rules, &n)[number]);
        else
            refuse(pragmas, pragma, hiera_words_format(":%u:", line), report);
    }
    hiera_rules_free(rules);
}
