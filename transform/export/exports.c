/* The table of exports. */
#include "exports.h"

const HieraExport hiera_exports[] = {
#define X(name, where, graph, text) {#name, where, text, graph, hiera_export_##name},
    HIERA_EXPORTS(X)
#undef X
        {NULL, NULL, NULL, FALSE, NULL},
};
