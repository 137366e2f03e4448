/* State of a simulation, and the functions that its parts share. Everything here exists within one call of
 * hiera_simulate(). */
#pragma once

#include "events.h"
#include "open.h"
#include "places.h"
#include "schedule/schedule.h"

/* Encoding of an event: its kind in the high bits of `what`, a rank, message or host in the low bits. */
enum { EVENT_BITS = 28 };
#define EVENT_MASK ((1u << EVENT_BITS) - 1)
typedef enum {
    EVENT_STEP,   /* rank: continue */
    EVENT_WAKE,   /* rank: a request that it waits for may be complete */
    EVENT_MEET,   /* message: its announcement and its receive have met; only if progress is in calls */
    EVENT_CLEAR,  /* message: its sender learns that the receive is posted */
    EVENT_ARRIVE, /* message: its receiver learns of it */
    EVENT_OUT,    /* message: it needs a link of its sender's host */
    EVENT_IN,     /* message: it needs a link of its receiver's host */
    EVENT_FETCH,  /* message: the request of an MPI_Get is at the target, which sends the data */
    EVENT_LOCK,   /* message: a lock is requested */
    EVENT_UNLOCK, /* message: a lock is released */
    EVENT_CORES,  /* host: a computation on it may have ended */
    N_EVENTS
} EventKind;

typedef enum { READY, BLOCKED, ENDED } RankState;

/* Flag of communicators: messages between members of a collective, which no receive of the feeder takes. */
#define INTERNAL (1u << 31)

typedef struct Simulation Simulation;

/* Continue an operation of several steps after a wait. @return whether it is done; otherwise the rank is blocked */
typedef gboolean (*Resume)(Simulation *of, guint32 rank);

typedef struct {
    guint32 window, target, request;
} Access;

typedef struct {
    RankState state;
    gint64 now_ps;      /* time up to which the rank is simulated */
    gint64 start_ps;    /* begin of its current operation */
    gint64 waiting_ps;  /* waiting in its current operation */
    gint64 out_free_ps; /* when its adapter can take the next message */
    gint64 busy_ps;     /* until when it is busy with messages in both directions; see `duplex` */
    HieraSimOperation operation;
    Resume resume;     /* continuation of the current operation, or NULL */
    Schedule schedule; /* a collective in steps */
    gint32 turn;       /* tag of its messages */
    /* The wait: its condition and requests. */
    HieraSimUntil until;
    gint64 wait_ps; /* when the wait began */
    guint32 *wait, n_wait, wait_capacity, n_unknown;
    GArray *held;     /* guint32: messages whose rendezvous continues when the rank waits in a call; or NULL */
    GArray *accesses; /* Access: accesses for which no flush has waited yet; or NULL */
    /* If receives may have wildcards: lists of receives without a message, and of unreceived messages, in order. */
    guint32 first_posted, last_posted, first_unexpected, last_unexpected;
} Rank;

/* A host, if ranks share cores. */
typedef struct {
    guint32 n_ranks;
    gint64 time_ps; /* time up to which the host is simulated */
    gint64 work_ps; /* work up to that time of a rank that has computed from the beginning */
    gint64 rest;    /* fraction of a picosecond of that work, in units of 1 / number of computing ranks */
    gint64 next_ps; /* time of the next end of a computation */
    Events ends;    /* ends of computations, by work_ps; one for each computing rank */
} Host;

/* A collective that is open until all members have begun it. */
typedef struct {
    HieraSimCollective collective;
    HieraSimAlgorithm algorithm;
    guint32 root; /* index of the root member */
    guint32 n_entered;
    guint32 n_before; /* scan: number of first members that have all entered */
    gint64 last_ps;   /* when the last member entered; scan: the last of these */
    gint64 root_ps;   /* when the root entered, or UNKNOWN */
    gint64 bytes;     /* greatest size given by a member */
    guint32 *request; /* one step: request of each member, or NONE */
} Collective;

typedef struct {
    const guint32 *ranks; /* owned by the feeder */
    guint32 n;
    guint32 *sorted;             /* members sorted by rank; NULL if they are in this order anyway */
    guint32 *turn;               /* by member: number of collectives that it has begun */
    guint32 first;               /* turn of the first open collective */
    GQueue open;                 /* Collective, by turn */
    const HieraNetwork *network; /* network for collectives in one step */
} Group;

/* Parameters of a message or receive. */
typedef struct {
    guint32 peer; /* other rank; NONE: receive from any */
    guint32 group;
    gint32 tag;
    guint64 key, number;
    gint64 bytes;
    HieraSimMode mode;
    gboolean combines; /* receive: see ScheduleStep */
} Envelope;

struct Simulation {
    const HieraMachine *machine;
    HieraNetwork self; /* network for messages of a rank to itself */
    const HieraSimFeeder *feeder;
    HieraSimResult *result;
    GError *error; /* the first error */
    Events events;
    Messages messages;
    Requests requests;
    Places channels;                  /* queues of messages and receives */
    Places numbers;                   /* requests by number */
    Host *hosts;                      /* NULL if cores are not limited */
    gint64 *out_free_ps, *in_free_ps; /* by host and link: time at which it is free; NULL if links are not limited */
    GHashTable *locks;                /* used by locks.c */
    GHashTable *groups;               /* Group, by number */
    Rank *ranks;
    GArray *completed; /* guint64: requests taken by a wait for one or some */
    GArray *sorted;    /* buffer of wait.c */
};

/* --- simulate.c --- */

void simulation_put(Simulation *of, gint64 time_ps, EventKind kind, guint32 index);
/* Set the error for a rank's operation, and end the simulation. */
void simulation_fail(Simulation *of, guint32 rank, const char *format, ...) G_GNUC_PRINTF(3, 4);
/* Round to whole picoseconds a duration that may be longer than any run; then return the longest one. */
gint64 simulation_round(gdouble duration_ps);
/* Let a blocked rank, whose wait is over, continue at a time that is not past. */
void simulation_go_on(Simulation *of, guint32 rank, gint64 time_ps);

/* --- machine.c --- */

/* @param error  HIERA_SIMULATOR_ERROR_MACHINE if the machine is not valid */
gboolean machine_check(const HieraMachine *machine, GError **error);

/* --- network.c --- */

const HieraNetwork *network_between(const Simulation *of, guint32 a, guint32 b);
/* Return the parameters for messages of a size. */
HieraNetworkStep network_find_step(const HieraNetwork *network, gint64 bytes);
/* Send a message without data, such as the announcement of a rendezvous. @return when it arrives */
gint64 network_send_word(Simulation *of, guint32 source, guint32 dest);
/* Send the data of a message, at `time_ps` or later; sets its arrival, and completes its send, at once or later.
 * @return when its receiver may be informed */
gint64 network_send_data(Simulation *of, guint32 message, gint64 time_ps);
void network_init_links(Simulation *of);
/* Handlers of EVENT_OUT, EVENT_IN. */
void network_take_out(Simulation *of, guint32 message, gint64 time_ps);
void network_take_in(Simulation *of, guint32 message, gint64 time_ps);

/* --- cores.c --- */

void cores_init(Simulation *of);
void cores_clear(Simulation *of);
/* Begin a computation of a rank. @return whether the rank has a core of its own, so that nothing was done; otherwise it
 * is blocked */
gboolean cores_are_enough(Simulation *of, guint32 rank, gint64 duration_ps);
/* Handler of EVENT_CORES. */
void cores_end(Simulation *of, guint32 host, gint64 time_ps);

/* --- matching.c --- */

/* Match a message that was sent with its receive, or keep it. */
void matching_send(Simulation *of, guint32 message);
/* Match a receive that was posted with its message, or keep it. */
void matching_post(Simulation *of, guint32 request);
/* Handler of EVENT_ARRIVE. */
void matching_arrive(Simulation *of, guint32 message);

/* --- messages.c --- */

/* Begin a send, which takes the rank the overhead. @return the request that is complete only after the message has
 * left; NONE if the send is done, unless it has a number: then its request is complete */
guint32 message_send(Simulation *of, guint32 rank, const Envelope *envelope);
/* Post a receive of a rank. @return its request */
guint32 message_receive(Simulation *of, guint32 rank, const Envelope *envelope);
/* Join a message with its receive. */
void message_join(Simulation *of, guint32 message, guint32 request);
/* Handler of EVENT_MEET. */
void message_meet(Simulation *of, guint32 message, gint64 time_ps);
/* Continue the rendezvous of a rank that begins to wait in a call, or ends. */
void message_let_go_on(Simulation *of, guint32 rank);
/* Handler of EVENT_CLEAR. */
void message_clear_to_send(Simulation *of, guint32 message, gint64 time_ps);
/* Complete the receive of a message whose arrival is known. */
void message_settle(Simulation *of, guint32 message);
/* Execute the rank's operation, SEND or RECEIVE. @return whether it is done; otherwise the rank is blocked */
gboolean message_execute_send(Simulation *of, guint32 rank);
gboolean message_execute_receive(Simulation *of, guint32 rank);

/* --- wait.c --- */

/* Make a request of a rank. @param number  given by the feeder, or 0 */
guint32 request_make(Simulation *of, guint32 rank, guint64 number);
/* Set the time at which a request is complete. */
void request_complete(Simulation *of, guint32 request, gint64 done_ps);
/* Add a request to those that the rank will wait for. */
void wait_add(Simulation *of, guint32 rank, guint32 request);
/* Wait for the added requests. @return whether the wait is over, at the rank's new time; otherwise the rank is blocked
 */
gboolean wait_begin(Simulation *of, guint32 rank, HieraSimUntil until);
/* Handler of EVENT_WAKE. */
void wait_wake(Simulation *of, guint32 rank, gint64 time_ps);
/* Execute the rank's operation, WAIT. @return whether it is done */
gboolean wait_execute(Simulation *of, guint32 rank);

/* --- groups.c --- */

/* Return the communicator of the rank's operation; NULL if the simulation has failed. */
Group *group_find(Simulation *of, guint32 rank);
void group_free(gpointer group);
/* Return the member index of a rank; NOBODY if it is no member. */
guint32 group_find_member(const Group *group, guint32 rank);

/* --- collectives.c, one_step.c --- */

/* Execute the rank's operation, COLLECTIVE. @return whether it is done */
gboolean collective_execute(Simulation *of, guint32 rank);
/* Record that a member has entered. @param request  request that is complete when the member leaves */
void one_step_enter(Simulation *of, const Group *group, Collective *collective, guint32 member, guint32 request);

/* --- one_sided.c --- */

/* Execute the rank's operation. @return whether it is done */
gboolean access_execute_put(Simulation *of, guint32 rank);
gboolean access_execute_get(Simulation *of, guint32 rank);
gboolean access_execute_flush(Simulation *of, guint32 rank);
gboolean access_execute_fence(Simulation *of, guint32 rank);
gboolean access_execute_post(Simulation *of, guint32 rank);
gboolean access_execute_start(Simulation *of, guint32 rank);
gboolean access_execute_complete(Simulation *of, guint32 rank);
gboolean access_execute_exposed(Simulation *of, guint32 rank);
/* Wait for the rank's accesses to the peer of its operation, then continue with `then`. @return whether it is done */
gboolean access_flush_then(Simulation *of, guint32 rank, Resume then);
/* Check that the peer of the rank's operation is a rank, or all where that is allowed; otherwise the simulation fails.
 */
gboolean access_is_sane(Simulation *of, guint32 rank, gboolean may_be_all);

/* --- locks.c --- */

gboolean lock_execute(Simulation *of, guint32 rank);
gboolean lock_execute_unlock(Simulation *of, guint32 rank);
/* Handlers of EVENT_LOCK, EVENT_UNLOCK. */
void lock_ask(Simulation *of, guint32 message, gint64 time_ps);
void lock_give_back(Simulation *of, guint32 message, gint64 time_ps);
void locks_init(Simulation *of);

/* --- deadlock.c --- */

/* Find the cause of a deadlock, when no events are left. */
void deadlock_find(Simulation *of);
