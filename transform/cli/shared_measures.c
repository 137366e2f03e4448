/* See shared_measures.h. */
#include "shared_measures.h"
#include "parallel/parallel.h"
#include "report/table.h"
#include "trace/pack_process.h"

static HieraTable *find_part(const HieraMeasure *measure, const HieraMatch *match, const HieraScope *scope)
{
    HieraTable *part = hiera_table_new(measure->name, measure->part_columns, measure->n_part_columns);
    measure->find_part(match, scope, part);
    return part;
}

void shared_measure_lead(const HieraMeasure *measure, const HieraMatch *match, const HieraScope *scope, HieraTable *table)
{
    g_autoptr(HieraTable) parts = find_part(measure, match, scope);
    HieraScope all = *scope;
    all.own = NULL;
    for (guint other = 1; other < hiera_parallel_size(); other++) {
        HieraUnpacker *unpacker = hiera_unpacker_from(other, hiera_match_peek_trace(match)->catalog);
        hiera_table_unpack(parts, unpacker);
        hiera_unpacker_free(unpacker);
    }
    if (measure->join)
        measure->join(match, &all, parts, table);
    else
        hiera_table_add_up(table, parts);
}

void shared_measure_follow(const HieraMeasure *measure, const HieraMatch *match, const HieraScope *scope)
{
    g_autoptr(HieraTable) part = find_part(measure, match, scope);
    HieraPacker *packer = hiera_packer_to(0);
    hiera_table_pack(part, packer);
    hiera_packer_end(packer);
}
