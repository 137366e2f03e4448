/* Calls that Hiera does not see: UNSEEN(Barrier)(comm) is MPI_Barrier at the address that PMPI_Barrier had before Hiera
 * was initialized. A program finds it by .preinit_array, a library by its constructor: link it with -z initfirst. */
#ifndef UNSEEN_H
#define UNSEEN_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <mpi.h>
#include <stddef.h>
#include <string.h>

typedef struct Unseen {
    const char *name;
    void *address;
} Unseen;

#define UNSEEN(function)                                                                                               \
    (*(__typeof__(&PMPI_##function))({                                                                                 \
        static Unseen unseen_one __attribute__((section("unseen"), used)) = {"PMPI_" #function, NULL};                 \
        unseen_one.address;                                                                                            \
    }))

extern Unseen __start_unseen[] __attribute__((weak)), __stop_unseen[] __attribute__((weak));

static void unseen_find(void)
{
    for (Unseen *one = __start_unseen; one < __stop_unseen; one++)
        one->address = dlsym(RTLD_DEFAULT, one->name);
}
#if defined(__PIC__) && !defined(__PIE__)
__attribute__((constructor)) static void unseen_find_in_library(void)
{
    unseen_find();
}
#else
__attribute__((section(".preinit_array"), used)) static void (*const unseen_finder)(void) = unseen_find;
#endif

#endif
