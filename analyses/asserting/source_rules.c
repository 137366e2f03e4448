#include "source_rules.h"
#include <math.h>
#include <string.h>

/* File and line of a rule in the source; `file` is NULL if unknown. */
typedef struct {
    const char *file;
    guint32 line;
} Place;

struct HieraSourceRules {
    HieraRules *rules;
    GArray *of_site; /* guint32 by HieraSite.id: 1 + its rule; 0: not looked up yet; HIERA_NONE: no rule */
    GArray *places;  /* Place, by rule number */
};

HieraSourceRules *hiera_source_rules_new(const HieraRuleValues *values)
{
    HieraSourceRules *source = g_new0(HieraSourceRules, 1);
    source->rules = hiera_rules_new(values);
    if (!source->rules)
        g_error("no memory for assertions");
    source->of_site = g_array_new(FALSE, TRUE, sizeof(guint32));
    source->places = g_array_new(FALSE, TRUE, sizeof(Place));
    return source;
}

void hiera_source_rules_free(HieraSourceRules *source)
{
    hiera_rules_free(source->rules);
    g_array_unref(source->of_site);
    g_array_unref(source->places);
    g_free(source);
}

const HieraRules *hiera_source_rules_peek(const HieraSourceRules *source)
{
    return source->rules;
}

/* Parse the assertion of a call site and add its rule; ignore a wrong text, as the program has reported it. */
static guint32 add(HieraSourceRules *source, const HieraSite *site)
{
    char report[HIERA_RULES_REPORT];
    unsigned number;
    const HieraSourceAssertion assertion = {site->file, site->line, site->operation};
    if (strcmp(site->level, HIERA_LEVEL_ASSERT) != 0 || !hiera_rules_add(source->rules, &assertion, &number, report))
        return HIERA_NONE;
    g_array_set_size(source->places, number + 1);
    return number + 1;
}

guint32 hiera_source_rules_find(HieraSourceRules *source, const HieraSite *site)
{
    if (site->id >= source->of_site->len)
        g_array_set_size(source->of_site, site->id + 1);
    guint32 *known = &g_array_index(source->of_site, guint32, site->id);
    if (*known == 0)
        *known = add(source, site);
    return *known == HIERA_NONE ? HIERA_NONE : *known - 1;
}

void hiera_source_rules_set_place(HieraSourceRules *source, guint32 rule, const char *file, guint32 line)
{
    g_array_index(source->places, Place, rule) = (Place){file, line};
}

HieraSourceAssertion hiera_source_rules_get(const HieraSourceRules *source, guint32 rule)
{
    unsigned n;
    const HieraRule *of = &hiera_rules_peek(source->rules, &n)[rule];
    const Place *place = &g_array_index(source->places, Place, rule);
    return (HieraSourceAssertion){place->file ? place->file : of->source, place->file ? place->line : of->line,
                                  of->text};
}

void hiera_source_rules_read_variables(const HieraSourceRules *source, guint32 rule, const char *text,
                                       double values[HIERA_MOST_VARIABLES])
{
    unsigned n;
    const HieraRule *of = &hiera_rules_peek(source->rules, &n)[rule];
    for (unsigned i = 0; i < of->n_variables; i++)
        values[i] = (double)NAN;
    while (*text) {
        gsize length = strcspn(text, " "), name = strcspn(text, "= ");
        for (unsigned i = 0; i < of->n_variables; i++) {
            if (strlen(of->variables[i]) == name && strncmp(of->variables[i], text, name) == 0 && text[name] == '=')
                values[i] = g_ascii_strtod(text + name + 1, NULL);
        }
        text += length + (text[length] == ' ');
    }
}
