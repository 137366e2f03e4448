/** The measure `causes` for several processes: each tells its nodes and waits, process 0 tells those of all, each tells
 * where its ranks spend their time before the waits that they cause or suffer, and process 0 explains the waits by
 * that. */
#ifndef HIERA_SHARED_CAUSES_H
#define HIERA_SHARED_CAUSES_H

#include "calls/packed_nodes.h"
#include "delays.h"
#include "sample_rows.h"

/** As in HieraMeasure: */
void hiera_shared_causes_survey(const HieraMatch *match, const HieraScope *scope, HieraTable *survey);
void hiera_shared_causes_decide(const HieraMatch *match, const HieraTable *surveys, HieraTable *told);
void hiera_shared_causes_find_part(const HieraMatch *match, const HieraScope *scope, const HieraTable *told,
                                   HieraTable *part);
enum { HIERA_SHARED_CAUSES_SURVEY_COLUMNS = HIERA_N_NODE_COLUMNS + 11, HIERA_SHARED_CAUSES_PART_COLUMNS = HIERA_N_SAMPLE_ROW };
extern const HieraColumn hiera_shared_causes_survey_columns[HIERA_SHARED_CAUSES_SURVEY_COLUMNS];
extern const HieraColumn hiera_shared_causes_part_columns[HIERA_SHARED_CAUSES_PART_COLUMNS];

/** The same in one call, for processes that work together.
 *
 * @param paths  becomes those of all ranks; rows of own processors have nodes. To be cleared by hiera_call_paths_clear
 * @param waits  of hiera_waits_find()
 * @return as hiera_delays_find() has it: `times` of own processors; `list` of all, and empty but in the process that
 * leads. To be freed with hiera_delays_free */
HieraDelays *hiera_shared_causes_find(const HieraMatch *match, HieraCallPaths *paths, const GArray *waits,
                                      const HieraScope *scope);

/** Return the causes, HieraDelay, as hiera_delays_find() has them in `list`.
 *
 * @param paths  becomes those of all ranks; to be cleared by hiera_call_paths_clear */
GArray *hiera_shared_causes_join(HieraCallPaths *paths, const HieraTrace *trace, const HieraTable *told,
                                 const HieraTable *parts);

#endif
