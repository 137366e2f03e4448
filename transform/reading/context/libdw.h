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
