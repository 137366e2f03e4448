/* Fuzz driver: any bytes → aggregations that another rank is said to have saved. */
#include "fuzz.h"
#include "probes/probes.h"
#include <stdlib.h>
#include <string.h>

static const char text[] =
    "message { @b[&call, &target] = sum(&bytes); @n = count(); @a[1] = avg(&bytes / 2); @l[true] = min(&time);\n"
    "@q[1s] = quantize(&bytes); @s = lquantize(&bytes, 0, 100, 20); }\n"
    "END { global_print(@b); global_print(@n, 0-3); global_print(@a); global_print(@l); global_print(@q); "
    "global_print(@s); }";

static void write_text(void *user, const char *line, size_t length)
{
    (void)user;
    if (length == 0 || line[length - 1] != '\n')
        abort();
}

static void visit(void *user, const HieraProbeSavedRow *row)
{
    (void)user;
    if (row->n_keys > HIERA_EXPRESSION_KEYS || row->value.type == HIERA_VALUE_MISSING)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static HieraProbeScript *script;
    const HieraProbeHost host = {.write = write_text, .guards_floats = true};
    char report[HIERA_PROBE_REPORT];
    if (!script && !(script = hiera_probe_script_parse("fuzz", true, text, sizeof text - 1, report)))
        abort();
    HieraProbeTotals *totals = hiera_probe_totals_new(script, &host);
    hiera_probe_totals_load(totals, (const char *)data, size);
    hiera_probe_totals_print(totals, &host);
    hiera_probe_totals_free(totals);
    HieraProbeSaved *saved = hiera_probe_saved_new(&host);
    hiera_probe_saved_load(saved, (const char *)data, size);
    hiera_probe_saved_load(saved, (const char *)data, size);
    if (!hiera_probe_saved_visit(saved, visit, NULL))
        abort();
    hiera_probe_saved_free(saved);
    return 0;
}
