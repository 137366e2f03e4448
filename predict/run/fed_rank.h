/* A thread that is fed to the simulator, and its spans that wait to be reported. Private to feeder.c and fed_rank.c. */
#pragma once

#include "calls.h"
#include "calls/timeline.h"
#include "span_follower.h"
#include "thread_acts.h"

/* A span of the timeline, and which operations of the queue it became. */
typedef struct {
    HieraTimeSpan span;
    guint first, n; /* index of the span's first operation, and their number; 0: the span takes no time */
} FollowedSpan;

/* Simulated begin and end of an operation of the queue. */
typedef struct {
    gint64 begin_ps, end_ps;
} FollowedTimes;

typedef struct {
    HieraTimeline line;
    const GArray *acts;   /* Act: what the thread does, if its rank has several; NULL: the timeline */
    guint act;            /* index of the next one */
    struct FedPart *part; /* where it is in a run that is read in parts */
    CallRoom room;
    guint n_read;    /* number of operations of the queue that the simulator has got */
    guint held_from; /* index of the first operation behind the last unsuccessful test, in the queue */
    gboolean polling, ended;
    gint64 held_ns; /* time of the computation from `held_from` on */
    gint64 part_ps[3], waiting_ps;
    gint64 at_ps, reported_ps; /* simulated end of the rank's last finished operation; of its last reported span */
    GArray *spans;             /* FollowedSpan: spans whose operations are in the queue; NULL: no follower */
    GArray *times;             /* FollowedTimes: by index of the operation in the queue */
} FedRank;

/* Note that a span became the operations of the queue from index `first` on. */
void fed_rank_note_span(FedRank *rank, const HieraTimeSpan *span, guint first);
/* Remove the computation between two unsuccessful tests of a loop from the queue; its spans then take no time. */
void fed_rank_drop_held(FedRank *rank);
/* Note when the last operation that the simulator has got began and ended. */
void fed_rank_note_times(FedRank *rank, const HieraSimTimes *times);
/* Report the spans in the queue, all of whose operations are done. @param is_main  whether it is a main thread */
void fed_rank_tell_spans(FedRank *rank, const SpanFollower *follower, gboolean is_main);
