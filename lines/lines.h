/* Address of a program → file and line, by debug information. Knows nothing of traces: the collector asks it for the
 * process that it is in, hiera-transform for the files of a program that ran.
 *
 * libdw is called by a table of its functions: the collector loads it at run time, and some of them may be missing. */
#ifndef HIERA_LINES_H
#define HIERA_LINES_H

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

/* Whether all of HIERA_DW_NEEDED, of HIERA_DW_UNITS, of HIERA_DW_TREE is there. */
bool hiera_lines_has_needed(void);
bool hiera_lines_has_units(void);
bool hiera_lines_has_tree(void);

/* The file and line of the source that the instruction at `address` is of; NULL if that is not known. The file is as
 * the compiler was given it; it stays as long as `module`. Not for signal handlers, nor two threads at once. */
const char *hiera_lines_source(Dwfl_Module *module, Dwarf_Addr address, int *line);

/* The same of a call. What a header of the system, of MPI or of Hiera has and the compiler put into a function of the
 * program belongs to the line of the program that used it. */
const char *hiera_lines_caller(Dwfl_Module *module, Dwarf_Addr address, int *line);

#endif
