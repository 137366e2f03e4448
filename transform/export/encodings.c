/* --export full and --export compact, which write the traces again in that encoding. */
#include "convert/convert.h"
#include "exports.h"

gboolean hiera_export_full(const HieraExportInput *input, const char *target, GError **error)
{
    return hiera_convert_all((const HieraProcessor *)(const void *)input->processors->data, input->processors->len,
                             HIERA_ENCODING_FULL, NULL, target, error);
}

gboolean hiera_export_compact(const HieraExportInput *input, const char *target, GError **error)
{
    return hiera_convert_all((const HieraProcessor *)(const void *)input->processors->data, input->processors->len,
                             HIERA_ENCODING_COMPACT, NULL, target, error);
}
