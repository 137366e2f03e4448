/* Cost of reading traces and checking each element against the DTD, in one thread.
 *
 * Usage: validate_stage tables|libxml2 TRACE…. tables: Hiera's own tables of the DTD decide. libxml2: libxml2 does. */
#include "bench.h"
#include "reading/reader.h"
#include "trace/catalog.h"
#include <string.h>

static gboolean validate(const char *path, gboolean by_libxml2, HieraCatalog *catalog, HieraFindings *findings)
{
    g_autoptr(HieraInputFile) source = hiera_input_file_open(path, NULL, NULL);
    HieraValidator *validator = source ? hiera_validator_new(path, findings, by_libxml2) : NULL;
    if (!validator)
        return FALSE;
    hiera_reading_free(hiera_read(source, NULL, 0, catalog, findings, validator));
    hiera_validator_free(validator);
    return TRUE;
}

int main(int argc, char **argv)
{
    gboolean good = argc > 2, by_libxml2 = good && strcmp(argv[1], "libxml2") == 0;
    HieraCatalog *catalog = hiera_catalog_new();
    HieraFindings *findings = hiera_findings_new();
    int64_t begin = bench_now_ns();
    for (int i = 2; i < argc && good; i++)
        good = validate(argv[i], by_libxml2, catalog, findings);
    BENCH_REPORT("validate=%lld\n", (long long)(bench_now_ns() - begin));
    good = good && hiera_findings_count(findings) == 0; /* fail unless all traces are valid */
    hiera_findings_free(findings);
    hiera_catalog_free(catalog);
    return !good;
}
