/* The state of a simulation, and what its parts offer each other. Everything here is inside of one call of
 * hiera_simulate(). */
#ifndef HIERA_SIMULATION_H
#define HIERA_SIMULATION_H

#include "events.h"
#include "open.h"
#include "places.h"
#include "schedule/schedule.h"

/* What an event is: its kind in the high bits of `what`, a rank or a message in the others. */
enum { EVENT_BITS = 28 };
#define EVENT_MASK ((1u << EVENT_BITS) - 1)
typedef enum {
    EVENT_STEP,   /* rank: goes on */
    EVENT_WAKE,   /* rank: something that it waits for may be complete */
    EVENT_MEET,   /* message: its announcement and its receive are there; only if progress is in calls */
    EVENT_CLEAR,  /* message: its sender has been told that the receive is posted */
    EVENT_ARRIVE, /* message: its receiver knows of it */
    EVENT_OUT,    /* message: it wants a link of its sender's host */
    EVENT_IN,     /* message: it wants a link of its receiver's host */
    EVENT_FETCH,  /* message: the data of a get leave */
    EVENT_LOCK,   /* message: a lock is asked for */
    EVENT_UNLOCK, /* message: a lock is given back */
    EVENT_CORES,  /* host: a computation on it may have ended */
    N_EVENTS
} EventKind;

typedef enum { READY, BLOCKED, ENDED } RankState;

/* Of communicators: messages between members of a collective, which no receive of the feeder takes. */
#define INTERNAL (1u << 31)

typedef struct Simulation Simulation;

/* Go on with an operation of several steps whose wait is over. @return whether it is done; else the rank is blocked */
typedef gboolean (*Resume)(Simulation *of, guint32 rank);

typedef struct {
    guint32 window, target, request;
} Access;

typedef struct {
    RankState state;
    gint64 now_ps;      /* until when it is known what the rank does */
    gint64 start_ps;    /* of its operation */
    gint64 waiting_ps;  /* in its operation */
    gint64 out_free_ps; /* its adapter takes the next message */
    gint64 busy_ps;     /* until when messages in both directions take it; see `duplex` */
    HieraSimOperation operation;
    Resume resume;     /* or NULL */
    Schedule schedule; /* of a collective in steps, */
    gint32 turn;       /* the tag of its messages */
    /* What it waits for: requests. */
    HieraSimUntil until;
    gint64 wait_ps; /* when the wait began */
    guint32 *wait, n_wait, wait_capacity, n_unknown;
    GArray *held;     /* guint32: messages whose rendezvous goes on when it waits in a call; or NULL */
    GArray *accesses; /* Access: those for which no flush has waited yet; or NULL */
    /* Where receives may have wildcards: those without a message, and messages that nobody has received, in order. */
    guint32 first_posted, last_posted, first_unexpected, last_unexpected;
} Rank;

/* A host with more ranks than cores. */
typedef struct {
    guint32 n_ranks;
    gint64 time_ps; /* until which is known */
    gint64 work_ps; /* what each rank that computes would have done until then, had it computed from the beginning */
    gint64 rest;    /* what is not a whole picosecond of it, in 1 / ranks that compute */
    gint64 next_ps; /* the next computation ends then */
    Events ends;    /* of computations, by work_ps; a rank each */
} Host;

/* A collective that some members have not begun yet. */
typedef struct {
    HieraSimCollective collective;
    HieraSimAlgorithm algorithm;
    guint32 root; /* member */
    guint32 n_entered;
    guint32 n_before; /* of a scan: so many first members have all entered */
    gint64 last_ps;   /* when the last one entered, of a scan that of those */
    gint64 root_ps;   /* when the root entered, or UNKNOWN */
    gint64 bytes;     /* the most that a member gave */
    guint32 *request; /* in one step, by member: what it waits with, or NONE */
} Collective;

typedef struct {
    const guint32 *ranks; /* the feeder's */
    guint32 n;
    guint32 *sorted;             /* members by rank; NULL if they are in order */
    guint32 *turn;               /* by member: how many collectives it has begun */
    guint32 first;               /* turn of the first open one */
    GQueue open;                 /* Collective, by turn */
    const HieraNetwork *network; /* of a collective in one step */
} Group;

/* What a message says of itself. */
typedef struct {
    guint32 peer; /* or NONE: of a receive, from any */
    guint32 group;
    gint32 tag;
    guint64 key, number;
    gint64 bytes;
    HieraSimMode mode;
    gboolean combines; /* of a receive: see ScheduleStep */
} Envelope;

struct Simulation {
    const HieraMachine *machine;
    HieraNetwork self; /* of messages of a rank to itself */
    const HieraSimFeeder *feeder;
    HieraSimResult *result;
    GError *error; /* the first one */
    Events events;
    Messages messages;
    Requests requests;
    Places channels;                  /* of messages and receives */
    Places numbers;                   /* of requests */
    Host *hosts;                      /* NULL if cores are not counted */
    gint64 *out_free_ps, *in_free_ps; /* by host and link: when it is free; NULL if links are not counted */
    GHashTable *locks;                /* of locks.c */
    GHashTable *groups;               /* Group, by number */
    Rank *ranks;
    GArray *completed; /* guint64: of a wait that is not for all */
    GArray *sorted;    /* room of wait.c */
};

/* --- simulate.c --- */

void simulation_put(Simulation *of, gint64 time_ps, EventKind kind, guint32 index);
/* Note an error of a rank's operation, and end the simulation. */
void simulation_fail(Simulation *of, guint32 rank, const char *format, ...) G_GNUC_PRINTF(3, 4);
/* Return a duration that may be larger than a run can be as whole picoseconds: then it is as long as the longest run.
 */
gint64 simulation_round(gdouble duration_ps);
/* A blocked rank has what it waited for, and goes on at a time that is not past. */
void simulation_go_on(Simulation *of, guint32 rank, gint64 time_ps);

/* --- machine.c --- */

/* @param error  HIERA_SIMULATOR_ERROR_MACHINE if it makes no sense */
gboolean machine_check(const HieraMachine *machine, GError **error);

/* --- network.c --- */

const HieraNetwork *network_between(const Simulation *of, guint32 a, guint32 b);
/* What holds for messages of a size. */
HieraNetworkStep network_find_step(const HieraNetwork *network, gint64 bytes);
/* A message without content, such as the announcement of a rendezvous. @return when it arrives */
gint64 network_send_word(Simulation *of, guint32 source, guint32 dest);
/* The data of a message leave, at `time_ps` or later; makes its arrival known, and completes its send, at once or
 * later.
 * @return when its receiver may know of it */
gint64 network_send_data(Simulation *of, guint32 message, gint64 time_ps);
void network_init_links(Simulation *of);
/* EVENT_OUT, EVENT_IN. */
void network_take_out(Simulation *of, guint32 message, gint64 time_ps);
void network_take_in(Simulation *of, guint32 message, gint64 time_ps);

/* --- cores.c --- */

void cores_init(Simulation *of);
void cores_clear(Simulation *of);
/* A rank computes from now on. @return whether it has a core of its own, so that nothing was done; else it is blocked
 */
gboolean cores_are_enough(Simulation *of, guint32 rank, gint64 duration_ps);
/* EVENT_CORES. */
void cores_end(Simulation *of, guint32 host, gint64 time_ps);

/* --- matching.c --- */

/* Find the receive of a message that has been sent, or keep the message. */
void matching_send(Simulation *of, guint32 message);
/* Likewise of a receive that has been posted. */
void matching_post(Simulation *of, guint32 request);
/* EVENT_ARRIVE. */
void matching_arrive(Simulation *of, guint32 message);

/* --- messages.c --- */

/* A rank sends, which takes it the overhead. @return the request that is not complete before the message has left; NONE
 * if the send is done, unless it has a number: then its request is complete */
guint32 message_send(Simulation *of, guint32 rank, const Envelope *envelope);
/* A rank posts a receive. @return its request */
guint32 message_receive(Simulation *of, guint32 rank, const Envelope *envelope);
/* A message and its receive have found each other. */
void message_join(Simulation *of, guint32 message, guint32 request);
/* EVENT_MEET. */
void message_meet(Simulation *of, guint32 message, gint64 time_ps);
/* The rank waits in a call from now on, or ends: what its messages wait for. */
void message_let_go_on(Simulation *of, guint32 rank);
/* EVENT_CLEAR. */
void message_clear_to_send(Simulation *of, guint32 message, gint64 time_ps);
/* The arrival of a message has become known. */
void message_settle(Simulation *of, guint32 message);
/* The rank's operation, SEND or RECEIVE. @return whether it is done; else the rank is blocked */
gboolean message_execute_send(Simulation *of, guint32 rank);
gboolean message_execute_receive(Simulation *of, guint32 rank);

/* --- wait.c --- */

/* Make a request of a rank. @param number  the feeder's, or 0 */
guint32 request_make(Simulation *of, guint32 rank, guint64 number);
/* From when on a request is complete has become known. */
void request_complete(Simulation *of, guint32 request, gint64 done_ps);
/* Add a request to what the rank will wait for. */
void wait_add(Simulation *of, guint32 rank, guint32 request);
/* Wait for what was added. @return whether that is over, at the rank's new time; else it is blocked */
gboolean wait_begin(Simulation *of, guint32 rank, HieraSimUntil until);
/* EVENT_WAKE. */
void wait_wake(Simulation *of, guint32 rank, gint64 time_ps);
/* The rank's operation, WAIT. @return whether it is done */
gboolean wait_execute(Simulation *of, guint32 rank);

/* --- groups.c --- */

/* The communicator of the rank's operation; NULL if the simulation has failed. */
Group *group_find(Simulation *of, guint32 rank);
void group_free(gpointer group);
/* The member that is a rank; NOBODY if none is. */
guint32 group_find_member(const Group *group, guint32 rank);

/* --- collectives.c, one_step.c --- */

/* The rank's operation, COLLECTIVE. @return whether it is done */
gboolean collective_execute(Simulation *of, guint32 rank);
/* A member has entered. @param request  what it will be complete with */
void one_step_enter(Simulation *of, const Group *group, Collective *collective, guint32 member, guint32 request);

/* --- one_sided.c --- */

/* The rank's operation. @return whether it is done */
gboolean access_execute_put(Simulation *of, guint32 rank);
gboolean access_execute_get(Simulation *of, guint32 rank);
gboolean access_execute_flush(Simulation *of, guint32 rank);
gboolean access_execute_fence(Simulation *of, guint32 rank);
gboolean access_execute_post(Simulation *of, guint32 rank);
gboolean access_execute_start(Simulation *of, guint32 rank);
gboolean access_execute_complete(Simulation *of, guint32 rank);
gboolean access_execute_exposed(Simulation *of, guint32 rank);
/* Wait for the rank's accesses to the peer of its operation, and then go on. @return whether it is done */
gboolean access_flush_then(Simulation *of, guint32 rank, Resume then);
/* Whether the peer of the rank's operation is a rank, or all where that is allowed; else the simulation has failed. */
gboolean access_is_sane(Simulation *of, guint32 rank, gboolean may_be_all);

/* --- locks.c --- */

gboolean lock_execute(Simulation *of, guint32 rank);
gboolean lock_execute_unlock(Simulation *of, guint32 rank);
/* EVENT_LOCK, EVENT_UNLOCK. */
void lock_ask(Simulation *of, guint32 message, gint64 time_ps);
void lock_give_back(Simulation *of, guint32 message, gint64 time_ps);
void locks_init(Simulation *of);

/* --- deadlock.c --- */

/* Find out who waits for whom, once nothing can happen any more. */
void deadlock_find(Simulation *of);

#endif
