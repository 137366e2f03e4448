/* Doors: the Fortran names that libhiera exports.
 *
 * A name such as mpi_send is not reserved: a library of the program may have a function of this name, for
 * another language or a dummy MPI. Since libhiera comes before that library, its calls come here. So the exported name
 * is no function but a jump, which changes nothing. It leads to Hiera's entry point if the call would have reached MPI
 * (or another tool) without Hiera, otherwise to the function that it would have reached. The target is chosen at the
 * first call; if it depends on the caller, at each call. */
#pragma once

#include "fortran.h"

typedef struct HieraFortranDoor {
    HieraFortranCode *to;     /* target of the jump; hiera_undecided_<name> until it is chosen */
    HieraFortranCode *own;    /* Hiera's Fortran entry point for this name */
    HieraFortranEntry *entry; /* facts about the Fortran entry point `own` */
    const char *name;
    uint64_t alone; /* count of library loads and unloads when MPI alone had this name; 0: MPI was never the only one */
} HieraFortranDoor;

/* Return the address that a call of this Fortran name jumps to. `site`: return address of the caller. */
HieraFortranCode *hiera_door_decide(HieraFortranDoor *door, const void *site) HIERA_INTERNAL;

/* Choose the target and jump there, with all argument registers as the caller has set them (door.c). */
void hiera_door_undecided(void) HIERA_INTERNAL;

#if defined(__x86_64__)
#if defined(__CET__) && (__CET__ & 1)
#define HIERA_DOOR_LANDING "endbr64\n"
#else
#define HIERA_DOOR_LANDING ""
#endif
#define HIERA_DOOR_JUMP(door)   "jmp *" door "(%rip)\n"
#define HIERA_DOOR_DECIDE(door) "lea " door "(%rip), %r11\n jmp hiera_door_undecided\n"
#elif defined(__aarch64__)
#define HIERA_DOOR_LANDING      "hint 34\n"
#define HIERA_DOOR_JUMP(door)   "adrp x16, " door "\n ldr x16, [x16, :lo12:" door "]\n br x16\n"
#define HIERA_DOOR_DECIDE(door) "adrp x16, " door "\n add x16, x16, :lo12:" door "\n b hiera_door_undecided\n"
#endif

#if defined(HIERA_DOOR_JUMP)
#define HIERA_DOOR(name_, own_, entry_)                                                                                \
    extern HieraFortranCode hiera_undecided_##name_ HIERA_INTERNAL;                                                    \
    __attribute__((used)) HieraFortranDoor hiera_door_##name_ HIERA_INTERNAL = {                                       \
        hiera_undecided_##name_, (HieraFortranCode *)own_, &entry_, #name_, 0};                                        \
    __asm__(                                                                                                           \
        ".pushsection .text\n .p2align 4\n .globl " #name_ "\n .type " #name_ ", %function\n" #name_                   \
        ":\n" HIERA_DOOR_LANDING HIERA_DOOR_JUMP(                                                                      \
            "hiera_door_" #name_) " .size " #name_ ", . - " #name_ "\n .globl hiera_undecided_" #name_                 \
                                  "\n .hidden hiera_undecided_" #name_ "\n .type hiera_undecided_" #name_              \
                                  ", %function\nhiera_undecided_" #name_                                               \
                                  ":\n" HIERA_DOOR_LANDING HIERA_DOOR_DECIDE("hiera_door_" #name_) " .popsection\n");
/* Door (a jump exported under a Fortran name) for a spelling of the name that few compilers produce. */
#define HIERA_DOOR_OF_FEW(name_, own_, entry_) HIERA_DOOR(name_, own_, entry_)
#else
/* No jump is written for other CPUs, so only spellings are exported that no other language uses. */
#define HIERA_DOOR(name_, own_, entry_) HIERA_WRAPPER __typeof__(own_) name_ __attribute__((alias(#own_)));
#define HIERA_DOOR_OF_FEW(name_, own_, entry_)
#endif
