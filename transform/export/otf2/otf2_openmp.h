/* Constructs of OpenMP in an archive: roles of regions, and records of teams of threads in the events. What the trace
 * does not say has no records: which lock, which task. */
#pragma once

#include "otf2_writer.h"

/* Return the role of a region of the level openmp. */
OTF2_RegionRole hiera_otf2_openmp_role(const HieraSite *site);

/* Find whether the trace has threads of OpenMP. To be called when communicators are numbered. */
void hiera_otf2_teams_init(HieraOtf2Writer *writer);
void hiera_otf2_teams_clear(HieraOtf2Writer *writer);
/* In process 0: add a thread of a processor. The threads of a processor are added one behind the other. */
void hiera_otf2_teams_add(HieraOtf2Writer *writer, guint32 processor, OTF2_LocationRef location);
/* In process 0: write the definitions of OpenMP's threads and of the team of each processor, when all are added. */
void hiera_otf2_write_teams(HieraOtf2Writer *writer);

/* Write the record that follows the Enter (next: precedes the Leave) of an operation, if it is a parallel region or a
 * part of it.
 *
 * @param processor  index of the operation's processor
 * @param args       attribute `args` of the operation: how many threads were asked for */
void hiera_otf2_write_team_begin(const HieraOtf2Writer *writer, OTF2_EvtWriter *events, OTF2_TimeStamp time,
                                 guint32 processor, const HieraSite *site, const char *args);
void hiera_otf2_write_team_end(const HieraOtf2Writer *writer, OTF2_EvtWriter *events, OTF2_TimeStamp time,
                               guint32 processor, const HieraSite *site);
