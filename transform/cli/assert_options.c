/* See assert_options.h. */
#include "assert_options.h"
#include "assert_file.h"
#include "measures.h"
#include "misuse.h"

gboolean assert_options_read(HieraRules **rules, const char *path, GError **error)
{
    return !path || (*rules = assert_file_read(path, error));
}

gboolean assert_options_set(GPtrArray *measures, const HieraRules *rules, GError **error)
{
    gboolean asked = FALSE;
    for (guint i = 0; i < measures->len; i++)
        asked = asked || ((const HieraMeasure *)g_ptr_array_index(measures, i))->asserts;
    if (rules && !asked)
        g_ptr_array_add(measures, (gpointer)&hiera_measure_assertions);
    return rules || !asked || misuse(error, "--measure assertions: name a file of rules with --assert FILE");
}

gboolean assert_options_check_junit(const GPtrArray *measures, const HieraRules *rules, gboolean has_columns,
                                    GError **error)
{
    for (guint i = 0; i < measures->len; i++) {
        const HieraMeasure *measure = g_ptr_array_index(measures, i);
        if (!measure->asserts)
            return misuse(error, "--format junit writes what became of rules, and %s has none; %s", measure->name,
                          rules ? "leave --measure out" : "name a file of rules with --assert FILE");
    }
    if (measures->len == 0)
        return misuse(error, "--format junit writes what became of rules; name a file of them with --assert FILE");
    return !has_columns || misuse(error, "--format junit has no columns; leave --columns out");
}

gboolean assert_options_check_reports(const HieraRules *rules, const char *trace, gboolean others, GError **error)
{
    if (!rules)
        return misuse(error, "--reports: name the file of rules that the program had, with --assert FILE");
    if (trace)
        return misuse(error, "--reports takes the place of traces; leave '%s' out", trace);
    return !others || misuse(error, "--reports has what became of rules, and nothing else; leave the other options out");
}
