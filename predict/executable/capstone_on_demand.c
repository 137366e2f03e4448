/* The functions of Capstone that image/ and execution/ use, loaded when they are first called
 * (transform/base/on_demand.h): the dynamic linker relocates 77,000 pointers of its tables, longer than most
 * predictions take. */
#include "base/on_demand.h"

#include <capstone.h>

#define FUNCTION(result, name, parameters, arguments)                                                                  \
    HIERA_ON_DEMAND(HIERA_CAPSTONE, result, name, parameters, arguments)

FUNCTION(cs_err, cs_open, (cs_arch arch, cs_mode mode, csh *handle), (arch, mode, handle))
FUNCTION(cs_err, cs_close, (csh * handle), (handle))
FUNCTION(cs_err, cs_option, (csh handle, cs_opt_type type, size_t value), (handle, type, value))
FUNCTION(const char *, cs_strerror, (cs_err code), (code))
FUNCTION(cs_insn *, cs_malloc, (csh handle), (handle))
FUNCTION(void, cs_free, (cs_insn * instruction, size_t count), (instruction, count))
FUNCTION(bool, cs_disasm_iter,
         (csh handle, const uint8_t **code, size_t *size, uint64_t *address, cs_insn *instruction),
         (handle, code, size, address, instruction))
FUNCTION(cs_err, cs_regs_access,
         (csh handle, const cs_insn *instruction, cs_regs read, uint8_t *n_read, cs_regs written, uint8_t *n_written),
         (handle, instruction, read, n_read, written, n_written))
