/* libdw: loaded when the first address is to be resolved, and which objects of this process it knows.
 *
 * Hiera brings no library into a process that does not need it, and works where libdw is absent. It is asked for local
 * debug information only: its standard search may ask servers on the network, and a guest does not do that in a job.
 * Nothing here may be called in a signal handler: libdw and the dynamic linker allocate and lock. */
#ifndef HIERA_LIBDW_H
#define HIERA_LIBDW_H

#ifdef HIERA_HAVE_LIBDW

#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <stdbool.h>

/* Functions without which no line is found. */
#define HIERA_DW_NEEDED(X)                                                                                             \
    X(dwfl_begin)                                                                                                      \
    X(dwfl_report_begin_add)                                                                                           \
    X(dwfl_linux_proc_report)                                                                                          \
    X(dwfl_report_end)                                                                                                 \
    X(dwfl_addrmodule)                                                                                                 \
    X(dwfl_module_getsrc)                                                                                              \
    X(dwfl_module_addrname)                                                                                            \
    X(dwfl_lineinfo)                                                                                                   \
    X(dwfl_line_comp_dir)                                                                                              \
    X(dwfl_linux_proc_find_elf)                                                                                        \
    X(dwfl_build_id_find_debuginfo)

/* What finds units that no table of addresses names. Old versions of libdw may lack it; then these are not found. */
#define HIERA_DW_UNITS(X)                                                                                              \
    X(dwfl_module_info)                                                                                                \
    X(dwfl_module_getdwarf)                                                                                            \
    X(dwarf_nextcu)                                                                                                    \
    X(dwarf_offdie)                                                                                                    \
    X(dwarf_ranges)                                                                                                    \
    X(dwarf_getsrc_die)                                                                                                \
    X(dwarf_linesrc)                                                                                                   \
    X(dwarf_lineno)                                                                                                    \
    X(dwarf_attr)                                                                                                      \
    X(dwarf_formstring)

/* Likewise, what finds who called an inlined function. */
#define HIERA_DW_TREE(X)                                                                                               \
    X(dwfl_module_addrdie)                                                                                             \
    X(dwarf_child)                                                                                                     \
    X(dwarf_siblingof)                                                                                                 \
    X(dwarf_haspc)                                                                                                     \
    X(dwarf_getsrcfiles)                                                                                               \
    X(dwarf_filesrc)                                                                                                   \
    X(dwarf_tag)                                                                                                       \
    X(dwarf_formudata)                                                                                                 \
    X(dwarf_cu_info)

typedef struct HieraLibdw {
#define X(f) __typeof__(f) *f;
    HIERA_DW_NEEDED(X)
    HIERA_DW_UNITS(X)
    HIERA_DW_TREE(X)
#undef X
} HieraLibdw;

extern HieraLibdw hiera_dw;

/* The object that is mapped at `address`, NULL if libdw is absent or knows of none. Loads libdw at the first call. */
Dwfl_Module *hiera_libdw_module(Dwarf_Addr address);

/* Whether all of HIERA_DW_UNITS, of HIERA_DW_TREE is there. */
bool hiera_libdw_has_units(void);
bool hiera_libdw_has_tree(void);

/* The file with the debug information of an object, for libdw (Dwfl_Callbacks.find_debuginfo). debuglink.c */
int hiera_debuglink_find(Dwfl_Module *module, void **userdata, const char *module_name, Dwarf_Addr base,
                         const char *file, const char *link, GElf_Word sum, char **found);

#endif
#endif
