#include "call_kind.h"

#include "operations.h"

#include <string.h>

void hiera_call_kinds(const HieraMpiCall *call, HieraCallKind *kind, HieraCallKind *starts)
{
    static const struct {
        const char *name;
        HieraCallKind kind, starts;
    } rows[] = {
#define X(name, kind, starts, group) {name, HIERA_DOES_##kind, HIERA_DOES_##starts},
        HIERA_OPERATIONS(X)
#undef X
    };
    *kind = *starts = HIERA_DOES_LOCAL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, call->operation) == 0) {
            *kind = rows[i].kind;
            *starts = rows[i].starts;
        }
}

bool hiera_call_kind_is_collective(HieraCallKind kind)
{
    static const bool collective[] = {
#define X(identifier, name, collective) collective,
        HIERA_KINDS(X)
#undef X
    };
    return collective[kind];
}
