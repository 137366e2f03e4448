/* What the tests of what ranks share have in common. */
#ifndef HIERA_TEST_SHARED_H
#define HIERA_TEST_SHARED_H

#include "base/settings.h"
#include "probing/shared/shared_table.h"
#include "probing/shared_globals.h"

#include <stdbool.h>
#include <stdint.h>

#define CHECK(what) check(what, #what, __LINE__)

/* End the process unless it holds. */
void check(bool holds, const char *what, int line);

/* What the collector has said. */
extern int n_messages;
extern char last_message[1200];

/* "BEGIN { #n = 1; #d['a'] = 1; }" */
extern HieraProbeScript *script;

/* A variable, by its number: with the key "key", or without one. -1: it cannot be had. */
HieraProbeAnswer add(unsigned name, int64_t by);
int64_t value_of(unsigned name);
int64_t value_under(unsigned name);

bool take_lock(const char *key);
void give_lock(const char *key);

double seconds(void);
/* Run this in another process, and let it be killed if it comes back. */
void in_child(void (*run)(void *argument), void *argument);

/* Map the file of a number once more; that of this job. */
HieraSharedTable *map_again(uint64_t number);
HieraSharedTable *current_table(void);

/* The tests of a file each. */
void test_table(void);
void test_room(void); /* fills the table */
void test_locks(void);
void test_files(void);
void test_server(void);

#endif
