/* Where references to MPI lead, and where they should lead: which function a name means, whether a call by it is one of
 * the program, and the wrapper that it should reach (other_doors.h). */
#pragma once

#include "base/internal.h"
#include "loaded/loaded_symbols.h"

#include <link.h>
#include <stdbool.h>

enum { HIERA_DOOR_FORTRAN = 4 };

typedef struct HieraDoorObjects {
    HieraSymbols mpi, ours;
    HieraSymbols
        fortran[HIERA_DOOR_FORTRAN]; /* MPI's Fortran libraries that call C by PMPI names, which Hiera does not see */
    unsigned n_fortran;
    HieraSymbols mpich; /* MPICH's library of Fortran: of its PMPI functions, those of mpi_f08 (pmpir_x_f08_) call C by
                           PMPI names, the others by names that come to Hiera; `dynamic` NULL: there is none */
    bool is_behind,
        fortran_is_first; /* whether Hiera was among the objects before; one of `fortran` comes before Hiera */
    bool is_part;     /* `ours` is a program, or a library of it, with libhiera.a: references by names are its own */
    bool is_open;     /* whether names in the symbol table of MPI's library lead to Hiera */
    bool has_company; /* whether wrappers call a tool, or functions of another owner than MPI */
    const void **led; /* by MPI function: MPI's own, if its PMPI name leads to Hiera, too; else NULL. NULL: none does */
} HieraDoorObjects;

/* The objects of this process, since the doors were opened. */
extern HieraDoorObjects hiera_door_objects HIERA_INTERNAL;

typedef struct HieraDoorCaller {
    const struct dl_phdr_info *info;
    HieraSymbols object;
    bool is_known; /* whether the members below are: few objects refer to MPI, and to find them out takes long */
    bool is_mpis; /* MPI itself, one of its libraries or components (mca_io_romio321.so), a stand-in for it, or Hiera */
    bool has_wrappers; /* the object has wrappers of MPI functions: it is a tool, or a program with wrappers of its own
                        */
} HieraDoorCaller;

/* Whether an address is in an object. */
bool hiera_door_is_inside(const struct dl_phdr_info *info, uintptr_t address);

/* Find MPI's Fortran libraries. */
void hiera_door_find_fortran(void);

/* Return MPI's function of C whose PMPI name leads to Hiera; NULL: it does not. */
const void *hiera_door_find_led(const char *name);

/* Return MPI's own function with this name, with or without P, of C or Fortran; or of Fortran. */
const void *hiera_door_function_of(const char *name);
const void *hiera_door_function_of_fortran(const char *name);

/* Return Hiera's function for an MPI name or its PMPI twin; NULL: it has none, or a tool behind Hiera has the function:
 * the tool's own calls of these names must reach MPI. */
const void *hiera_door_wrapper_of(const char *name);

/* Whether a caller's references with this name are calls of the program. A tool asks MPI by PMPI names of functions for
 * which it has no wrapper; and an object's own function of this name is no MPI. */
bool hiera_door_is_programs(HieraDoorCaller *caller, const char *name);
