#include "twins.h"

#include "base/internal.h"
#include "door_targets.h"
#include "mpi/call/call_record.h"
#include "mpi/call/door_entry.h"
#include "mpi/call/mpi_level.h"
#include "mpi_names.h"
#include "next_functions.h"
#include "places/site_text.h"
#include "text/hash.h"

#include <errno.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { TWINS = 1024, TWIN_BYTES = 16, ANSWERS = 256, PAST = 4, NAME = 64 };

/* A piece of code for each MPI function, of TWIN_BYTES bytes, which passes the function's number on. */
#if defined(__x86_64__) || defined(__aarch64__)
#if defined(__x86_64__)
#define PASS "endbr64\n mov $hiera_twin_number, %r11d\n"
#define JUMP "jmp"
#else
#define PASS "hint 34\n mov x16, hiera_twin_number\n"
#define JUMP "b"
#endif
__asm__(".pushsection .text\n .p2align 4\n .globl hiera_twins\n .hidden hiera_twins\nhiera_twins:\n .cfi_startproc\n"
        ".set hiera_twin_number, 0\n .rept 1024\n" PASS JUMP " hiera_twin_enter\n .p2align 4\n"
        ".set hiera_twin_number, hiera_twin_number + 1\n .endr\n .cfi_endproc\n .popsection\n");
HIERA_DOOR_ENTRY("hiera_twin_enter", "hiera_twin_decide")
extern const char hiera_twins[] HIERA_INTERNAL;

const void *hiera_twin_of(unsigned call)
{
    return call < TWINS ? hiera_twins + (size_t)call * TWIN_BYTES : NULL;
}
#else
const void *hiera_twin_of(unsigned call)
{
    (void)call;
    return NULL;
}
#endif

typedef struct Question {
    unsigned call;
    uintptr_t site;
    char name[NAME]; /* of the object that has the place */
    bool is_programs;
} Question;

/* MPI's Fortran functions call C for the program, and the wrapper knows whether Hiera has recorded the call of Fortran.
 */
static int look_at(struct dl_phdr_info *info, size_t size, void *data)
{
    Question *question = data;
    HieraDoorCaller caller = {.info = info};
    HieraTwinName name;
    (void)size;
    if (!hiera_door_is_inside(info, question->site))
        return 0;
    hiera_mpi_name_of(question->call, &name);
    question->is_programs = !hiera_symbols_read(info, &caller.object) ||
                            (hiera_door_is_programs(&caller, name.pmpi) &&
                             !hiera_door_is_inside(info, (uintptr_t)hiera_next_behind(question->call))) ||
                            hiera_symbols_entry(&caller.object, "pmpi_init_");
    snprintf(question->name, NAME, "%s",
             info->dlpi_name[0] ? hiera_base_name(info->dlpi_name) : program_invocation_short_name);
    return 1;
}

static Question ask(unsigned call, uintptr_t site)
{
    int saved_errno = errno;
    Question question = {.call = call, .site = site, .name = "unknown code", .is_programs = true};
    dl_iterate_phdr(look_at, &question);
    errno = saved_errno;
    return question;
}

/* What is known of a call from a place: place, number of the function, and these flags, in one word. */
enum { IS_PROGRAMS = 1, IS_NOTED = 2, FLAGS = 4 };
static uint64_t answers[ANSWERS];

static char past[PAST + 1][NAME + 32]; /* texts; the last one stands for those that have no room */
static unsigned n_past;

const char *hiera_twin_past(unsigned i)
{
    return i < __atomic_load_n(&n_past, __ATOMIC_ACQUIRE) ? past[i] : NULL;
}

void hiera_twin_forget_past(void)
{
    n_past = 0;
    memset(answers, 0, sizeof answers);
}

/* Whether Hiera would record the call, and has not: a tool may make it for a call that is recorded. */
static bool is_past(unsigned call)
{
    bool is_filtered = __atomic_load_n(&hiera_mpi_filtered[call], __ATOMIC_RELAXED) & HIERA_FILTERED_ALWAYS;
    return !is_filtered && !hiera_may_be_idle() && !(hiera_thread && hiera_thread->inside);
}

/* @return whether the caller of a call that went past Hiera is in the list */
static bool note_past(unsigned call, uintptr_t site)
{
    static bool is_busy; /* another thread does the same */
    Question question = ask(call, site);
    char text[NAME + 32];
    unsigned i = 0;
    if (__atomic_exchange_n(&is_busy, true, __ATOMIC_ACQUIRE))
        return false;
    snprintf(text, sizeof text, "calls of %s go past Hiera to MPI", question.name);
    while (i < n_past && strcmp(past[i], text) != 0)
        i++;
    if (i <= PAST && i == n_past) {
        strcpy(past[i], i < PAST ? text : "calls of more programs or libraries go past Hiera to MPI");
        __atomic_store_n(&n_past, i + 1, __ATOMIC_RELEASE);
    }
    __atomic_store_n(&is_busy, false, __ATOMIC_RELEASE);
    return true;
}

/* Return the function for a call of PMPI_X from this place. What is found is kept by place and function. */
const void *hiera_twin_decide(uintptr_t call, const void *site) HIERA_INTERNAL;
const void *hiera_twin_decide(uintptr_t call, const void *site)
{
    uint64_t key = ((uint64_t)(uintptr_t)site * TWINS + call) * FLAGS;
    uint64_t *answer = &answers[hiera_hash_number(key) % ANSWERS], known = __atomic_load_n(answer, __ATOMIC_RELAXED);
    if (known / FLAGS != key / FLAGS) {
        known = key + (ask((unsigned)call, (uintptr_t)site).is_programs ? IS_PROGRAMS : 0);
        __atomic_store_n(answer, known, __ATOMIC_RELAXED);
    }
    if ((known & IS_PROGRAMS) && !hiera_door_objects.has_company)
        return (const void *)(uintptr_t)hiera_mpi_calls[call].wrapper;
    if (known % FLAGS == IS_PROGRAMS && is_past((unsigned)call) && note_past((unsigned)call, (uintptr_t)site))
        __atomic_store_n(answer, known | IS_NOTED, __ATOMIC_RELAXED);
    return hiera_door_objects.led[call];
}
