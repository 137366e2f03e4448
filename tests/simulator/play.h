/* Runs that are written as text, and what they should take. */
#ifndef HIERA_TEST_PLAY_H
#define HIERA_TEST_PLAY_H

#include "simulator/simulator.h"
#include <check.h>

/* A machine of small numbers: L = 100, o = 3 of a sender and 5 of a receiver, g = 7, G = 2 for each byte, eager up to
 * 50 bytes. Each rank has a host of its own. */
HieraMachine play_machine(guint32 n_ranks);

/* Check a run: when each operation of each rank ends, in picoseconds.
 *
 * @param programs  by rank, operations separated by ";": `compute 5`, `delay 5`, `send PEER BYTES`, `recv PEER|any`,
 *                  `wait R…`, `waitany R…`, `waitsome R…`, `coll NAME BYTES` (a collective; communicator 0 has all
 *                  ranks, 1 has them in falling order, 2 only the even ones);
 *                  `put PEER BYTES`, `get PEER BYTES`, `flush PEER|any`, `fence`, `lock PEER|any`, `unlock PEER|any`,
 *                  `gate G`, `post PEER…`, `start PEER…`, `complete PEER…`, `exposed PEER…`; and further words of send
 * and recv: `tag=1`, `comm=1`, `key=1`, `as=R` (non-blocking, request R), `sync`, `buffered`, `ready`; of compute
 * `class=1`; of coll `root=R`, `comm=1`, `as=R`; of lock `shared`; of gate `adds=1`, `needs=1`, `takes=1`, `after=5`
 * (its duration)
 * @param expected  "3 10 | 108": ranks separated by "|"; an operation that waited has the time of it behind a "w", a
 *                  waitany or waitsome the requests that it took in brackets; a run that fails has its error instead */
void play_expect(const HieraMachine *machine, const char *const *programs, const char *expected);
#define PLAY(machine, expected, ...) play_expect(machine, (const char *const[]){__VA_ARGS__, NULL}, expected)

/* The same, without how long operations waited. */
void play_expect_ends(const HieraMachine *machine, const char *const *programs, const char *expected);
#define PLAY_ENDS(machine, expected, ...) play_expect_ends(machine, (const char *const[]){__VA_ARGS__, NULL}, expected)

/* The same, and without the times the sums: for each rank compute, delay, MPI and waiting. */
void play_expect_sums(const HieraMachine *machine, const char *const *programs, const char *expected);

TCase *message_tests(void);
TCase *request_tests(void);
TCase *deadlock_tests(void);
TCase *collective_tests(void);
TCase *host_tests(void);
TCase *one_sided_tests(void);
TCase *random_tests(void);
TCase *ordered_tests(void);

#endif
