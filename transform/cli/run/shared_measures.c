/* See shared_measures.h. */
#include "shared_measures.h"
#include "parallel/parallel.h"
#include "report/table.h"
#include "trace/pack_process.h"

/* --- rows between processes --- */

static void send_rows(const HieraTable *table)
{
    HieraPacker *packer = hiera_packer_to(0);
    hiera_table_pack(table, packer);
    hiera_packer_end(packer);
}

/* Add the rows that the others send. */
static void receive_rows(HieraTable *table, const HieraMatch *match)
{
    for (guint other = 1; other < hiera_parallel_size(); other++) {
        HieraUnpacker *unpacker = hiera_unpacker_from(other, hiera_match_peek_trace(match)->catalog);
        hiera_table_unpack(table, unpacker);
        hiera_unpacker_free(unpacker);
    }
}

/* --- what is to be known before --- */

static HieraTable *find_survey(const HieraMeasure *measure, const HieraMatch *match, const HieraScope *scope)
{
    HieraTable *survey =
        hiera_table_new(measure->name, measure->match->survey_columns, measure->match->n_survey_columns);
    measure->match->survey(match, scope, survey);
    return survey;
}

static HieraTable *tell(const HieraMeasure *measure, const HieraMatch *match, const HieraScope *scope)
{
    g_autoptr(HieraTable) surveys = find_survey(measure, match, scope);
    HieraTable *told = hiera_table_new(measure->name, measure->match->survey_columns, measure->match->n_survey_columns);
    HieraPacker *packer = hiera_packer_new();
    receive_rows(surveys, match);
    measure->match->decide(match, surveys, told);
    hiera_table_pack(told, packer);
    hiera_packer_tell(packer);
    return told;
}

static HieraTable *hear(const HieraMeasure *measure, const HieraMatch *match, const HieraScope *scope)
{
    g_autoptr(HieraTable) survey = find_survey(measure, match, scope);
    HieraTable *told = hiera_table_new(measure->name, measure->match->survey_columns, measure->match->n_survey_columns);
    send_rows(survey);
    HieraUnpacker *unpacker = hiera_unpacker_hear(hiera_match_peek_trace(match)->catalog);
    hiera_table_unpack(told, unpacker);
    hiera_unpacker_free(unpacker);
    return told;
}

/* --- parts --- */

static HieraTable *find_part(const HieraMeasure *measure, const HieraMatch *match, const HieraScope *scope,
                             const HieraTable *told)
{
    HieraTable *part = hiera_table_new(measure->name, measure->match->part_columns, measure->match->n_part_columns);
    measure->match->find_part(match, scope, told, part);
    return part;
}

void shared_measure_lead(const HieraMeasure *measure, const HieraMatch *match, const HieraScope *scope,
                         HieraTable *table)
{
    g_autoptr(HieraTable) told = measure->match->survey ? tell(measure, match, scope) : NULL;
    g_autoptr(HieraTable) parts = find_part(measure, match, scope, told);
    HieraScope all = *scope;
    all.own = NULL;
    receive_rows(parts, match);
    if (measure->match->join)
        measure->match->join(match, &all, told, parts, table);
    else
        hiera_table_add_up(table, parts);
}

static gboolean find_together(const HieraMeasure *measure, const HieraMatch *match, const HieraScope *scope)
{
    g_autoptr(HieraTable) table = hiera_table_new(measure->name, measure->columns, measure->n_columns);
    return hiera_measure_peek_find(measure)(match, scope, table, NULL);
}

gboolean shared_measure_follow(const HieraMeasure *measure, const HieraMatch *match, const HieraScope *scope)
{
    if (hiera_measure_is(measure, HIERA_MEASURE_TOGETHER))
        return find_together(measure, match, scope);
    g_autoptr(HieraTable) told = measure->match->survey ? hear(measure, match, scope) : NULL;
    g_autoptr(HieraTable) part = find_part(measure, match, scope, told);
    send_rows(part);
    return TRUE;
}
