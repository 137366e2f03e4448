/* The functions of libdw that Hiera calls, as a table of pointers: the collector loads libdw at run time, and an old
 * version may lack some of them. The analyser fills the table from the libdw that it is linked with. */
#pragma once

#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <stdbool.h>

/* Functions of libdw without which no line is found. */
#define HIERA_DW_NEEDED(X)                                                                                             \
    X(dwfl_begin)                                                                                                      \
    X(dwfl_report_begin_add)                                                                                           \
    X(dwfl_linux_proc_report)                                                                                          \
    X(dwfl_linux_proc_maps_report)                                                                                     \
    X(dwfl_report_end)                                                                                                 \
    X(dwfl_addrmodule)                                                                                                 \
    X(dwfl_module_getsrc)                                                                                              \
    X(dwfl_module_addrname)                                                                                            \
    X(dwfl_lineinfo)                                                                                                   \
    X(dwfl_line_comp_dir)                                                                                              \
    X(dwfl_linux_proc_find_elf)                                                                                        \
    X(dwfl_build_id_find_debuginfo)

/* Functions that find compilation units which .debug_aranges does not list (clang). An old libdw may lack some. */
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

/* Functions that find the caller of an inlined function. An old libdw may lack some. */
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

/* Whether libdw has all functions of HIERA_DW_NEEDED; of HIERA_DW_UNITS; of HIERA_DW_TREE. */
bool hiera_dw_has_needed(void);
bool hiera_dw_has_units(void);
bool hiera_dw_has_tree(void);
