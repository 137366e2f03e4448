/* The records of MPI communication inside an operation: what was sent and received, requests, collectives, one-sided
 * transfers. */
#pragma once

#include "otf2_writer.h"

/* Of one processor: which operation made which request. */
typedef struct HieraOtf2Requests HieraOtf2Requests;
HieraOtf2Requests *hiera_otf2_requests_new(void);
void hiera_otf2_requests_free(HieraOtf2Requests *requests);

/* Write the records at the begin, and at the end, of an operation.
 *
 * @param events  writer of the operation's thread
 * @param time    time of the records */
void hiera_otf2_write_begin(const HieraOtf2Writer *writer, HieraOtf2Requests *requests, OTF2_EvtWriter *events,
                            OTF2_TimeStamp time, guint32 row);
void hiera_otf2_write_end(const HieraOtf2Writer *writer, HieraOtf2Requests *requests, OTF2_EvtWriter *events,
                          OTF2_TimeStamp time, guint32 row);
