/* The exports that write the traces anew, in either spelling. */
#include "convert/convert.h"
#include "exports.h"

gboolean hiera_export_full(const HieraExportInput *input, const char *target, GError **error)
{
    return hiera_convert_all(input->processors, HIERA_SPELLING_FULL, target, error);
}

gboolean hiera_export_compact(const HieraExportInput *input, const char *target, GError **error)
{
    return hiera_convert_all(input->processors, HIERA_SPELLING_COMPACT, target, error);
}
