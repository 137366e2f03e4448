/* libdw, loaded when the first place without a line is read: few traces have one, and loading takes a sixth of the
 * start-up time of hiera-transform. */
#pragma once

#include "lines/libdw_functions.h"
#include <glib.h>

/* Functions of libdw that open files, in addition to those of HieraLibdw: X(name of the function). */
#define HIERA_DW_FILES(X)                                                                                              \
    X(dwfl_build_id_find_elf)                                                                                          \
    X(dwfl_standard_find_debuginfo)                                                                                    \
    X(dwfl_offline_section_address)                                                                                    \
    X(dwfl_report_begin)                                                                                               \
    X(dwfl_report_elf)                                                                                                 \
    X(dwfl_end)                                                                                                        \
    X(dwfl_module_build_id)                                                                                            \
    X(dwfl_module_getelf)                                                                                              \
    X(dwfl_module_addrinfo)                                                                                            \
    X(elf_getphdrnum)                                                                                                  \
    X(gelf_getphdr)

/* Functions of libdw that find variables. An old libdw may lack some; then no variable of a function is found. */
#define HIERA_DW_VARIABLES(X)                                                                                          \
    X(dwfl_module_eh_cfi)                                                                                              \
    X(dwfl_module_dwarf_cfi)                                                                                           \
    X(dwarf_cfi_addrframe)                                                                                             \
    X(dwarf_frame_cfa)                                                                                                 \
    X(dwarf_getlocation_addr)                                                                                          \
    X(dwarf_attr_integrate)                                                                                            \
    X(dwarf_formref_die)                                                                                               \
    X(dwarf_peel_type)                                                                                                 \
    X(dwarf_aggregate_size)                                                                                            \
    X(dwarf_diename)

typedef struct {
#define X(f) __typeof__(f) *f;
    HIERA_DW_VARIABLES(X)
#undef X
} HieraLibdwVariables;

extern HieraLibdwVariables hiera_dw_variables;

typedef struct {
#define X(f) __typeof__(f) *f;
    HIERA_DW_FILES(X)
#undef X
} HieraLibdwFiles;

extern HieraLibdwFiles hiera_dw_files;

/* Load libdw; the first failure is reported on standard error. Not thread-safe.
 *
 * @return whether its functions can be called */
gboolean hiera_libdw_load(void);

/* An object in memory: a variable, as a whole. */
typedef struct {
    gint64 begin, bytes; /* begin: of a variable on the stack, behind the register that its frame counts from */
    char *name; /* with `/int32` behind it if all of it has that basic type (collector/mpi/handle/signatures.h) */
} HieraSizedVariable;

/* Which variables a function has in its frame at one place of its code. */
typedef struct {
    gboolean by_frame_pointer; /* the register that the frame counts from is the frame pointer, not the stack pointer */
    GArray *variables;         /* HieraSizedVariable; empty: they are not known */
} HieraFrameVariables;

/* Find the variable that is not on a stack, by the symbols of a module. The name is to be freed with g_free; NULL:
 * there is none, or its size is not known. */
HieraSizedVariable hiera_variables_find(Dwfl_Module *module, GElf_Addr address);
/* Find the variables in the frame of the function that has code at an address, at this place, by the debug information;
 * those whose place and size are certain. x86-64 only. To be freed with hiera_variables_free. */
HieraFrameVariables *hiera_variables_of_frame(Dwfl_Module *module, Dwarf_Addr address);
void hiera_variables_free(HieraFrameVariables *variables);
