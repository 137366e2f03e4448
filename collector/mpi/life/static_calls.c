#include "static_calls.h"

#include "door_targets.h"
#include "loaded/elf.h"
#include "mpi/call/call_record.h"
#include "mpi/call/mpi_level.h"
#include "mpi/call/own_calls.h"
#include "mpi_names.h"

#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* BEFORE: bytes before an operand that say what it is, and are not in the function if it begins with the call. */
enum { MOST_TARGETS = 4096, MOST_DATA = 1 << 16, BEFORE = 8 };

typedef struct Search {
    struct dl_phdr_info program;
    uintptr_t targets[MOST_TARGETS]; /* addresses of MPI's functions, ascending */
    uintptr_t span;                  /* from the first to the last */
    unsigned n_targets, n_all;       /* number of those in order; with others after them */
    uintptr_t mpi_end; /* address of MPI's last function: the linker leaves the members of a library together */
    bool is_generated; /* the symbols that follow are of a file with Hiera's wrappers */
    bool is_found;
} Search;

static int take_program(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    *(struct dl_phdr_info *)data = *info;
    return 1;
}

static bool begins(const char *name, const char *const *with)
{
    for (; *with; with++)
        if (strncmp(name, *with, strlen(*with)) == 0)
            return true;
    return false;
}

/* Names that MPICH and Open MPI give to functions of their own. */
static bool is_mpis(const char *name)
{
    static const char *const mpis[] = {"PMPI", "pmpi", "MPIX_", "mpix_", "MPIR_", "mpir_",
                                       "MPID", "ADIO", "ompi_", "mca_",  NULL};
    return begins(name, mpis);
}

/* Functions of Hiera that call MPI by names, and pointers by which others call it. */
static bool is_ours(const Search *search, const char *name)
{
    static const char *const ours[] = {"hiera_", NULL};
    static const char *const generated[] = {"lazy_", "next_", "observed_", "fortran_", "own_", "entry_", NULL};
    return begins(name, ours) || hiera_mpi_call_of(name) < hiera_mpi_call_count ||
           (search->is_generated && begins(name, generated));
}

/* --- what MPI has --- */

static bool is_recorded(const char *name)
{
    unsigned call = hiera_mpi_is_twin(name, NULL) && !strstr(name, "_f2c") && !strstr(name, "_c2f")
                        ? hiera_mpi_call_of(name)
                        : hiera_mpi_call_count;
    return call < hiera_mpi_call_count &&
           !(__atomic_load_n(&hiera_mpi_filtered[call], __ATOMIC_RELAXED) & HIERA_FILTERED_ALWAYS);
}

static void look_at_mpi(const ElfW(Sym) * symbol, const char *name, void *data)
{
    Search *search = data;
    uintptr_t address = search->program.dlpi_addr + symbol->st_value;
    if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_size == 0 || !is_mpis(name))
        return;
    search->mpi_end = address > search->mpi_end ? address : search->mpi_end;
    if (search->n_all < MOST_TARGETS && is_recorded(name))
        search->targets[search->n_all++] = address;
}

static int compare(const void *a, const void *b)
{
    uintptr_t x = *(const uintptr_t *)a, y = *(const uintptr_t *)b;
    return (x > y) - (x < y);
}

static void sort_targets(Search *search)
{
    qsort(search->targets, search->n_all, sizeof *search->targets, compare);
    search->n_targets = search->n_all;
    search->span = search->n_all > 0 ? search->targets[search->n_all - 1] - search->targets[0] : 0;
}

static inline bool is_target(const Search *search, uintptr_t address)
{
    return address - search->targets[0] <= search->span &&
           bsearch(&address, search->targets, search->n_targets, sizeof address, compare);
}

/* --- what the program has --- */

/* Whether these bytes are in the file of the program, and in memory. */
static bool is_in_file(const struct dl_phdr_info *program, uintptr_t address, size_t bytes)
{
    bool is = false;
    for (unsigned i = 0; i < program->dlpi_phnum && !is; i++) {
        const ElfW(Phdr) *part = &program->dlpi_phdr[i];
        uintptr_t offset = address - program->dlpi_addr - part->p_vaddr;
        is = part->p_type == PT_LOAD && (part->p_flags & PF_R) && offset <= part->p_filesz &&
             bytes <= part->p_filesz - offset;
    }
    return is;
}

/* Whether the four bytes at `at` are an operand that says where MPI's function is: of call, jump and jump on a
 * condition, and of lea, by the distance from the next instruction; of mov, by the address. */
static inline bool refers(const Search *search, const unsigned char *at)
{
    int32_t operand;
    memcpy(&operand, at, sizeof operand);
    if (is_target(search, (uintptr_t)at + 4 + (uintptr_t)(intptr_t)operand))
        return at[-1] == 0xe8 || at[-1] == 0xe9 || (at[-2] == 0x0f && (at[-1] & 0xf0) == 0x80) ||
               (at[-2] == 0x8d && (at[-1] & 0xc7) == 0x05);
    return is_target(search, (uint32_t)operand) && ((at[-1] & 0xf8) == 0xb8 || memchr(at - BEFORE, 0xc7, BEFORE - 1));
}

static bool code_refers(const Search *search, uintptr_t address, size_t bytes)
{
    const unsigned char *code = (const unsigned char *)address; // NOLINT: an address
    bool does = false;
    for (size_t i = 1; i + 4 <= bytes && !does; i++)
        does = refers(search, code + i);
    return does;
}

static bool data_refers(const Search *search, uintptr_t address, size_t bytes)
{
    const uintptr_t *data = (const uintptr_t *)address; // NOLINT: an address
    bool does = false;
    for (size_t i = 0; address % sizeof *data == 0 && i < bytes / sizeof *data && !does; i++)
        does = is_target(search, data[i]);
    return does;
}

/* MPI's functions of Fortran call C, by names without P, which come to Hiera, or with P. */
static void look_at_fortran(const ElfW(Sym) * symbol, const char *name, void *data)
{
    Search *search = data;
    uintptr_t address = search->program.dlpi_addr + symbol->st_value;
    if (ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && strncmp(name, "pmpi", 4) == 0 && search->n_all < MOST_TARGETS &&
        is_in_file(&search->program, address - BEFORE, BEFORE + symbol->st_size) &&
        code_refers(search, address, symbol->st_size))
        search->targets[search->n_all++] = address;
}

static void look_at_program(const ElfW(Sym) * symbol, const char *name, void *data)
{
    static const char *const generated[] = {"wrappers-", "fortran-", NULL};
    Search *search = data;
    uintptr_t address = search->program.dlpi_addr + symbol->st_value;
    unsigned type = ELF64_ST_TYPE(symbol->st_info);
    if (type == STT_FILE)
        search->is_generated = begins(name, generated);
    bool is_code = type == STT_FUNC && (address < search->targets[0] || address > search->mpi_end);
    bool is_data = type == STT_OBJECT && symbol->st_size <= MOST_DATA;
    if (search->is_found || !(is_code || is_data) || symbol->st_shndx == SHN_UNDEF || is_mpis(name) ||
        is_ours(search, name) || !is_in_file(&search->program, address - BEFORE, BEFORE + symbol->st_size))
        return;
    if (is_data)
        search->is_found = data_refers(search, address, symbol->st_size);
    else if (!strstr(name, ".cold")) /* cold parts of MPI's functions are not beside the others */
        search->is_found = code_refers(search, address, symbol->st_size);
}

HieraStaticCalls hiera_static_calls_find(void)
{
#if defined(__x86_64__)
    Search search = {.n_all = 0};
    HieraElf file;
    if (!dl_iterate_phdr(take_program, &search.program) ||
        !hiera_door_is_inside(&search.program, (uintptr_t)hiera_own.Init) || !hiera_elf_open("/proc/self/exe", &file))
        return HIERA_STATIC_UNKNOWN;
    hiera_elf_each_symbol(&file, look_at_mpi, &search);
    sort_targets(&search);
    if (search.n_targets > 0) {
        hiera_elf_each_symbol(&file, look_at_fortran, &search);
        sort_targets(&search);
        hiera_elf_each_symbol(&file, look_at_program, &search);
    }
    hiera_elf_close(&file);
    if (search.n_targets > 0)
        return search.is_found ? HIERA_STATIC_SOME : HIERA_STATIC_NONE;
#endif
    return HIERA_STATIC_UNKNOWN;
}
