/* State of a simulation, and the functions that its parts share. Everything here exists within one call of
 * hiera_simulate(). */
#pragma once

#include "events.h"
#include "open.h"
#include "places.h"
#include "schedule/schedule.h"

/* Encoding of an event in Event.what: EventKind in the bits above, index of its rank, message or host in these. */
enum { EVENT_BITS = 28 };
#define EVENT_MASK ((1u << EVENT_BITS) - 1)
typedef enum {
    EVENT_STEP, /* of a rank: it continues */
    EVENT_WAKE, /* of a rank: a request for which it waits may be complete */
    EVENT_MEET, /* of a rendezvous: the message is announced, and its receive is posted; only if progress is in calls */
    EVENT_CLEAR,  /* of a message with rendezvous: its sender learns that the receive is posted, and sends the data */
    EVENT_ARRIVE, /* of a message: its receiver learns that there is one, and matches it */
    EVENT_OUT,    /* of a message: it needs a link of its sender's host */
    EVENT_IN,     /* of a message: it needs a link of its receiver's host */
    EVENT_FETCH,  /* of a message with the data of a get: the target learns of the get, and sends the message */
    EVENT_LOCK,   /* of a message: it requests a lock at the target */
    EVENT_UNLOCK, /* of a message: it releases a lock at the target */
    EVENT_CORES,  /* of a host: a computation on it may have ended */
    N_EVENTS
} EventKind;

typedef enum { READY, BLOCKED, ENDED } RankState;

/* Bit in the number of a communicator, for messages of the simulation itself: no receive of the program takes them. */
#define INTERNAL (1u << 31)

typedef struct Simulation Simulation;

/* Continues a rank's operation after one of its waits. @return whether the operation is done; FALSE: the rank is
 * blocked */
typedef gboolean (*Resume)(Simulation *of, guint32 rank);

typedef struct {
    guint32 window, target, request;
} Access;

typedef struct {
    RankState state;
    gint64 now_ps;      /* time up to which the rank is simulated */
    gint64 start_ps;    /* begin of the rank's current operation */
    gint64 waiting_ps;  /* waiting in the rank's current operation so far */
    gint64 out_free_ps; /* when the rank's network adapter can begin to send the next message */
    gint64 busy_ps;     /* until when the rank moves messages of both directions; used if `duplex` is below 2 */
    HieraSimOperation operation;
    Resume resume;     /* continues the rank's operation after a wait; NULL: the operation ends with the wait */
    Schedule schedule; /* state of the rank's current collective, if that has the messages of an algorithm */
    gint32 turn;       /* tag of the messages of the rank's current collective */
    /* The rank's current wait: condition that ends it, and (`wait`) indices of the requests; n_unknown are not
     * complete. */
    HieraSimUntil until;
    gint64 wait_ps; /* begin of the rank's current wait */
    guint32 *wait, n_wait, wait_capacity, n_unknown;
    GArray *held;     /* guint32: announced messages whose rendezvous waits until this rank is in a blocking call; NULL:
                         none yet */
    GArray *accesses; /* Access: puts and gets for which no flush has waited yet; NULL: none yet */
    /* Ends of two queues, used with wildcards: posted receives without a message, and arrived messages without a
     * receive. */
    guint32 first_posted, last_posted, first_unexpected, last_unexpected;
    guint32 next_at_gate; /* the next rank in the queue of the gate at which this one waits; NONE: none */
} Rank;

/* A host whose ranks share its cores. */
typedef struct {
    guint32 n_ranks;
    gint64 time_ps; /* time up to which the host is simulated */
    gint64 work_ps; /* CPU time that a rank would have got up to time_ps if it had computed from the beginning */
    gint64 rest;    /* fraction of a picosecond to be added to work_ps, in units of 1 / number of computing ranks */
    gint64 next_ps; /* time at which the next computation on the host ends */
    Events ends;    /* for each computing rank: the work_ps at which its computation ends */
} Host;

/* A collective operation that not all members have entered. */
typedef struct {
    HieraSimCollective collective;
    HieraSimAlgorithm algorithm;
    guint32 root; /* member number of the root */
    guint32 n_entered;
    guint32 n_before; /* scan: number n of members such that the first n have all entered */
    gint64 last_ps;   /* time at which the last member so far entered; scan: at which the last of the first n_before
                         entered */
    gint64 root_ps;   /* when the root entered, or UNKNOWN */
    gint64 bytes;     /* greatest size that a member has given */
    guint32 *request; /* if computed by a formula: index of each member's request, or NONE */
} Collective;

typedef struct {
    const guint32 *ranks; /* by member: its rank in the machine; owned by the feeder */
    guint32 n;
    guint32 *sorted; /* members by rising rank; NULL: the members themselves are in this order */
    guint32 *turn;   /* by member: number of collectives that it has entered on this communicator */
    guint32 first;   /* number of collectives that all members have entered: those before the first in `open` */
    GQueue open;     /* Collective: those that not all members have entered, in their order on the communicator */
    const HieraNetwork *network; /* network whose parameters the formula for collectives in one step uses */
} Group;

/* What identifies a message or receive for matching, and its size and mode. */
typedef struct {
    guint32 peer; /* rank at the other end of the message; NONE: any rank (receive) */
    guint32 group;
    gint32 tag;
    guint64 key, number;
    gint64 bytes;
    HieraSimMode mode;
    gboolean combines; /* receive: the data are reduced with those of the receiver */
} Envelope;

struct Simulation {
    const HieraMachine *machine;
    HieraNetwork self; /* network for messages of a rank to itself */
    const HieraSimFeeder *feeder;
    HieraSimResult *result;
    GError *error; /* the first error that occurred; NULL: none */
    Events events;
    Messages messages;
    Requests requests;
    Places channels;                  /* key of a message or receive → queue of those that are not matched */
    Places numbers;                   /* rank and request number → index of the request */
    Host *hosts;                      /* by host; NULL: cores are not limited */
    gint64 *out_free_ps, *in_free_ps; /* by host, then by link: time at which it is free to send, to receive; NULL:
                                         links are not limited */
    GHashTable *locks;                /* Lock, by window and target rank */
    GHashTable *groups;               /* Group (communicator), by number */
    Rank *ranks;
    GArray *completed; /* guint64: request numbers that the last wait for one or some has completed */
    GArray *gates;     /* gates.c */
    GArray *sorted;    /* buffer of wait.c: completion and cost of each request that a wait takes */
};

/* --- simulate.c: what operations of all kinds use --- */

void simulation_put(Simulation *of, gint64 time_ps, EventKind kind, guint32 index);
/* Set an error that names the rank's operation; it ends the simulation. */
void simulation_fail(Simulation *of, guint32 rank, const char *format, ...) G_GNUC_PRINTF(3, 4);
/* Round a duration to whole picoseconds; if it is longer than any run may be, return HIERA_SIM_LONGEST_PS. */
gint64 simulation_round(gdouble duration_ps);
/* End the wait of a blocked rank: it continues at time_ps, which is not before the current time. */
void simulation_go_on(Simulation *of, guint32 rank, gint64 time_ps);

/* --- machine.c: checks of the machine --- */

/* @param error  HIERA_SIMULATOR_ERROR_MACHINE if the machine is not valid */
gboolean machine_check(const HieraMachine *machine, GError **error);

/* --- network.c: when messages leave and arrive --- */

const HieraNetwork *network_between(const Simulation *of, guint32 a, guint32 b);
/* Return a network's bandwidth, extra time and duplex for messages of a size. */
HieraNetworkStep network_find_step(const HieraNetwork *network, gint64 bytes);
/* Send a message without data, such as the announcement of a rendezvous. @return when that message arrives */
gint64 network_send_word(Simulation *of, guint32 source, guint32 dest);
/* Send the data of a message, at `time_ps` or later; sets its arrival, and completes its send, at once or later.
 * @return when its receiver may be informed */
gint64 network_send_data(Simulation *of, guint32 message, gint64 time_ps);
void network_init_links(Simulation *of);
/* Handlers of EVENT_OUT and EVENT_IN: occupy a link of the sender's or the receiver's host. */
void network_take_out(Simulation *of, guint32 message, gint64 time_ps);
void network_take_in(Simulation *of, guint32 message, gint64 time_ps);

/* --- cores.c: computing on shared cores --- */

void cores_init(Simulation *of);
void cores_clear(Simulation *of);
/* Begin a computation of a rank. @return whether the rank has a core of its own, so that nothing was done; otherwise it
 * is blocked */
gboolean cores_are_enough(Simulation *of, guint32 rank, gint64 duration_ps);
/* Handler of EVENT_CORES: let ranks of the host continue whose computation has ended. */
void cores_end(Simulation *of, guint32 host, gint64 time_ps);

/* --- gates.c: ranks that wait for a count --- */

void gates_init(Simulation *of);
/* Execute a rank's GATE. @return whether the operation is done; FALSE: the rank is blocked */
gboolean gate_execute(Simulation *of, guint32 rank);

/* --- matching.c: messages and receives --- */

/* Match a message that was sent with a posted receive; if there is none, queue the message. */
void matching_send(Simulation *of, guint32 message);
/* Match a posted receive with a message; if there is none, queue the receive. */
void matching_post(Simulation *of, guint32 request);
/* Handler of EVENT_ARRIVE: match the message with a posted receive, or queue it. */
void matching_arrive(Simulation *of, guint32 message);

/* --- messages.c: sends, receives, rendezvous --- */

/* Begin a send, which takes the rank the overhead. @return the request that is complete only after the message has
 * left; NONE if the send is done, unless it has a number: then its request is complete */
guint32 message_send(Simulation *of, guint32 rank, const Envelope *envelope);
/* Post a receive of a rank. @return index of its request */
guint32 message_receive(Simulation *of, guint32 rank, const Envelope *envelope);
/* Connect a message with the receive that takes it. */
void message_join(Simulation *of, guint32 message, guint32 request);
/* Handler of EVENT_MEET: let the rendezvous continue, or wait until the receiver is in a blocking call. */
void message_meet(Simulation *of, guint32 message, gint64 time_ps);
/* Continue all rendezvous that wait until this rank is in a blocking call: now it is, or it has ended. */
void message_let_go_on(Simulation *of, guint32 rank);
/* Handler of EVENT_CLEAR and EVENT_FETCH: send the data of the message. */
void message_clear_to_send(Simulation *of, guint32 message, gint64 time_ps);
/* If a message is matched and its arrival is known, complete its receive and free the message. */
void message_settle(Simulation *of, guint32 message);
/* Execute a rank's SEND, or its RECEIVE. @return whether the operation is done; FALSE: the rank is blocked */
gboolean message_execute_send(Simulation *of, guint32 rank);
gboolean message_execute_receive(Simulation *of, guint32 rank);

/* --- wait.c: requests, and waiting for them --- */

/* Make a request of a rank. @param number  number given by the feeder; 0: the operation blocks. @return its index */
guint32 request_make(Simulation *of, guint32 rank, guint64 number);
/* Set the time at which a request is complete. */
void request_complete(Simulation *of, guint32 request, gint64 done_ps);
/* Add a request to those for which the rank will wait in wait_begin(). */
void wait_add(Simulation *of, guint32 rank, guint32 request);
/* Wait for the added requests. @return whether the wait is over, at the rank's new time; otherwise the rank is blocked
 */
gboolean wait_begin(Simulation *of, guint32 rank, HieraSimUntil until);
/* Handler of EVENT_WAKE: end the rank's wait if a request is complete. */
void wait_wake(Simulation *of, guint32 rank, gint64 time_ps);
/* Execute a rank's WAIT. @return whether the operation is done; FALSE: the rank is blocked */
gboolean wait_execute(Simulation *of, guint32 rank);

/* --- groups.c: communicators --- */

/* Return the communicator of the rank's operation; NULL if the simulation has failed. */
Group *group_find(Simulation *of, guint32 rank);
void group_free(gpointer group);
/* Return the number of a rank in a communicator; NOBODY: it is no member. */
guint32 group_find_member(const Group *group, guint32 rank);

/* --- collectives.c, one_step.c: collectives --- */

/* Execute a rank's COLLECTIVE. @return whether the operation is done; FALSE: the rank is blocked */
gboolean collective_execute(Simulation *of, guint32 rank);
/* Record that a member has entered a collective by formula. @param request  will be complete when the member leaves */
void one_step_enter(Simulation *of, const Group *group, Collective *collective, guint32 member, guint32 request);

/* --- one_sided.c: accesses to windows --- */

/* Execute a rank's operation PUT, GET, …. @return whether the operation is done; FALSE: the rank is blocked */
gboolean access_execute_put(Simulation *of, guint32 rank);
gboolean access_execute_get(Simulation *of, guint32 rank);
gboolean access_execute_flush(Simulation *of, guint32 rank);
gboolean access_execute_fence(Simulation *of, guint32 rank);
gboolean access_execute_post(Simulation *of, guint32 rank);
gboolean access_execute_start(Simulation *of, guint32 rank);
gboolean access_execute_complete(Simulation *of, guint32 rank);
gboolean access_execute_exposed(Simulation *of, guint32 rank);
/* Wait for the rank's accesses to its operation's peer, then continue with `then`. @return whether the operation is
 * done */
gboolean access_flush_then(Simulation *of, guint32 rank, Resume then);
/* Check that the peer of the rank's operation is a rank, or all where that is allowed; otherwise the simulation fails.
 */
gboolean access_is_sane(Simulation *of, guint32 rank, gboolean may_be_all);

/* --- locks.c: locks of windows --- */

gboolean lock_execute(Simulation *of, guint32 rank);
gboolean lock_execute_unlock(Simulation *of, guint32 rank);
/* Handlers of EVENT_LOCK and EVENT_UNLOCK: the target is asked for a lock, or gets it back. */
void lock_ask(Simulation *of, guint32 message, gint64 time_ps);
void lock_give_back(Simulation *of, guint32 message, gint64 time_ps);
void locks_init(Simulation *of);

/* --- deadlock.c: who waits for whom --- */

/* When no events are left, find ranks that wait for each other, or for an ended rank, and set the error. */
void deadlock_find(Simulation *of);
