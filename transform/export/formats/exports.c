/* The rows of HIERA_EXPORTS as a table. */
#include "export/exports.h"

const HieraExport hiera_exports[] = {
#define X(name, where, need, who, text)                                                                                \
    {#name, where, text, HIERA_EXPORT_OF_##need, HIERA_EXPORT_##who, hiera_export_##name},
    HIERA_EXPORTS(X)
#undef X
        {NULL, NULL, NULL, HIERA_EXPORT_OF_FILES, HIERA_EXPORT_ALONE, NULL},
};
