#include "twins.h"

#include "base/internal.h"
#include "door_targets.h"
#include "mpi/call/call_record.h"
#include "mpi/call/door_entry.h"
#include "mpi_names.h"
#include "text/hash.h"

#include <errno.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>

enum { TWINS = 1024, TWIN_BYTES = 16, ANSWERS = 256 };

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
    uintptr_t site;
    const char *name;
    bool is_programs;
} Question;

/* MPI's Fortran functions call C for the program, and the wrapper knows whether Hiera has recorded the call of Fortran.
 */
static int look_at(struct dl_phdr_info *info, size_t size, void *data)
{
    Question *question = data;
    HieraDoorCaller caller = {.info = info};
    (void)size;
    if (!hiera_door_is_inside(info, question->site))
        return 0;
    question->is_programs = !hiera_symbols_read(info, &caller.object) ||
                            hiera_door_is_programs(&caller, question->name) ||
                            hiera_symbols_entry(&caller.object, "pmpi_init_");
    return 1;
}

/* Return the function for a call of PMPI_X from this place. What is found is kept by place and function. */
const void *hiera_twin_decide(uintptr_t call, const void *site) HIERA_INTERNAL;
const void *hiera_twin_decide(uintptr_t call, const void *site)
{
    static uint64_t answers[ANSWERS]; /* place, number of the function, and whether the program calls: in one word */
    uint64_t key = ((uint64_t)(uintptr_t)site * TWINS + call) * 2;
    uint64_t *answer = &answers[hiera_hash_number(key) % ANSWERS], known = __atomic_load_n(answer, __ATOMIC_RELAXED);
    if ((known & ~UINT64_C(1)) != key) {
        int saved_errno = errno;
        HieraTwinName name;
        hiera_mpi_name_of((unsigned)call, &name);
        Question question = {(uintptr_t)site, name.pmpi, true};
        dl_iterate_phdr(look_at, &question);
        known = key + question.is_programs;
        __atomic_store_n(answer, known, __ATOMIC_RELAXED);
        errno = saved_errno;
    }
    return known & 1 ? (const void *)(uintptr_t)hiera_mpi_calls[call].wrapper : hiera_door_objects.led[call];
}
