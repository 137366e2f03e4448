/* Reads ELF files; every offset in the file is checked before use. */
#include "elf.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define ELF_CLASS (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32)

/* Pointer to `size` bytes at `offset` of the file; NULL if these are outside the file or not aligned. */
static const void *at(const HieraElf *elf, uint64_t offset, uint64_t size)
{
    bool inside = offset <= elf->size && size <= elf->size - offset;
    return inside && offset % sizeof(ElfW(Addr)) == 0 ? elf->bytes + offset : NULL;
}

static const ElfW(Ehdr) * head(const HieraElf *elf)
{
    return (const ElfW(Ehdr) *)(const void *)elf->bytes;
}

bool hiera_elf_open(const char *path, HieraElf *elf)
{
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool good =
        fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > (off_t)sizeof(ElfW(Ehdr));
    void *bytes = good ? mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    if (fd >= 0)
        close(fd);
    if (bytes == MAP_FAILED)
        return false;
    *elf = (HieraElf){bytes, (size_t)status.st_size};
    if (memcmp(bytes, ELFMAG, SELFMAG) == 0 && elf->bytes[EI_CLASS] == ELF_CLASS &&
        head(elf)->e_phentsize == sizeof(ElfW(Phdr)))
        return true;
    hiera_elf_close(elf);
    return false;
}

void hiera_elf_close(HieraElf *elf)
{
    munmap((void *)elf->bytes, elf->size);
}

static const ElfW(Phdr) * segment(const HieraElf *elf, uint32_t type)
{
    const ElfW(Phdr) *segments = at(elf, head(elf)->e_phoff, (uint64_t)head(elf)->e_phnum * sizeof *segments);
    for (size_t i = 0; segments && i < head(elf)->e_phnum; i++)
        if (segments[i].p_type == type)
            return &segments[i];
    return NULL;
}

/* The string at `offset` of the file; NULL if it does not end within `size` bytes. */
static const char *text_at(const HieraElf *elf, uint64_t offset, uint64_t size)
{
    if (offset >= elf->size)
        return NULL;
    const char *text = (const char *)elf->bytes + offset;
    uint64_t room = elf->size - offset < size ? elf->size - offset : size;
    return memchr(text, '\0', (size_t)room) ? text : NULL;
}

const char *hiera_elf_loader(const HieraElf *elf)
{
    const ElfW(Phdr) *wanted = segment(elf, PT_INTERP);
    return wanted ? text_at(elf, wanted->p_offset, wanted->p_filesz) : NULL;
}

static const ElfW(Dyn) * dynamic(const HieraElf *elf, size_t *n)
{
    const ElfW(Phdr) *found = segment(elf, PT_DYNAMIC);
    const ElfW(Dyn) *entries = found ? at(elf, found->p_offset, found->p_filesz) : NULL;
    *n = entries ? found->p_filesz / sizeof *entries : 0;
    return entries;
}

bool hiera_elf_is_static(const HieraElf *elf)
{
    size_t n;
    const ElfW(Dyn) *entries = dynamic(elf, &n);
    if (hiera_elf_loader(elf) || head(elf)->e_type == ET_REL || head(elf)->e_type == ET_CORE)
        return false;
    for (size_t i = 0; i < n; i++)
        if (entries[i].d_tag == DT_FLAGS_1 && (entries[i].d_un.d_val & DF_1_PIE))
            return true;
    return head(elf)->e_type == ET_EXEC;
}

/* The file's table of section headers; NULL: there is none. */
static const ElfW(Shdr) * all_sections(const HieraElf *elf)
{
    uint64_t bytes = (uint64_t)head(elf)->e_shnum * sizeof(ElfW(Shdr));
    return head(elf)->e_shentsize == sizeof(ElfW(Shdr)) ? at(elf, head(elf)->e_shoff, bytes) : NULL;
}

static const ElfW(Shdr) * section(const HieraElf *elf, uint32_t type)
{
    const ElfW(Shdr) *sections = all_sections(elf);
    for (size_t i = 0; sections && i < head(elf)->e_shnum; i++)
        if (sections[i].sh_type == type)
            return &sections[i];
    return NULL;
}

/* Header of the string table that section `owner` refers to (sh_link); NULL: there is none. */
static const ElfW(Shdr) * texts_of(const HieraElf *elf, const ElfW(Shdr) * owner)
{
    const ElfW(Shdr) *sections = all_sections(elf);
    return owner && sections && owner->sh_link < head(elf)->e_shnum ? &sections[owner->sh_link] : NULL;
}

const char *hiera_elf_needs(const HieraElf *elf, bool (*fits)(const char *soname))
{
    size_t n;
    const ElfW(Dyn) *entries = dynamic(elf, &n);
    const ElfW(Shdr) *texts = texts_of(elf, section(elf, SHT_DYNAMIC));
    for (size_t i = 0; texts && i < n && entries[i].d_tag != DT_NULL; i++) {
        if (entries[i].d_tag != DT_NEEDED || entries[i].d_un.d_val >= texts->sh_size)
            continue;
        const char *soname = text_at(elf, texts->sh_offset + entries[i].d_un.d_val, texts->sh_size);
        if (soname && fits(soname))
            return soname;
    }
    return NULL;
}

/* Whether the file has a dynamic symbol, defined or not, of which `fits` accepts the name, or that is called `wanted`.
 */
static bool has_symbol(const HieraElf *elf, bool is_defined, bool (*fits)(const char *name), const char *wanted)
{
    const ElfW(Shdr) *symbols = section(elf, SHT_DYNSYM), *texts = texts_of(elf, symbols);
    const ElfW(Sym) *symbol = symbols && texts ? at(elf, symbols->sh_offset, symbols->sh_size) : NULL;
    size_t n = symbol ? symbols->sh_size / sizeof *symbol : 0;
    for (size_t i = 0; i < n; i++) {
        if ((symbol[i].st_shndx != SHN_UNDEF) != is_defined || symbol[i].st_name >= texts->sh_size)
            continue;
        const char *name = text_at(elf, texts->sh_offset + symbol[i].st_name, texts->sh_size);
        if (name && (fits ? fits(name) : strcmp(name, wanted) == 0))
            return true;
    }
    return false;
}

bool hiera_elf_calls(const HieraElf *elf, bool (*fits)(const char *name))
{
    return has_symbol(elf, false, fits, NULL);
}

bool hiera_elf_has(const HieraElf *elf, const char *name)
{
    return has_symbol(elf, true, NULL, name);
}

bool hiera_elf_each_symbol(const HieraElf *elf, HieraElfVisitor *visit, void *data)
{
    const ElfW(Shdr) *symbols = section(elf, SHT_SYMTAB), *texts = texts_of(elf, symbols);
    const ElfW(Sym) *symbol = symbols && texts ? at(elf, symbols->sh_offset, symbols->sh_size) : NULL;
    size_t n = symbol ? symbols->sh_size / sizeof *symbol : 0;
    for (size_t i = 0; i < n; i++) {
        const char *name = symbol[i].st_name < texts->sh_size
                               ? text_at(elf, texts->sh_offset + symbol[i].st_name, texts->sh_size)
                               : NULL;
        if (name)
            visit(&symbol[i], name, data);
    }
    return n > 0;
}

const char *hiera_elf_find(const HieraElf *elf, const char *text)
{
    return memmem(elf->bytes, elf->size, text, strlen(text));
}

/* Whether the text is `name`, or `name` and a version of numbers. */
static bool is_versioned(const char *text, const char *name)
{
    size_t n = strlen(name);
    return strncmp(text, name, n) == 0 && text[n + strspn(text + n, ".0123456789")] == '\0';
}

bool hiera_elf_is_abi(const char *soname)
{
    /* 1 by agreement, 0 by mistake in MPICH 5.0, and in MPICH 4.3 for a draft with other constants; 12 is a draft in
     * MPICH 4.3.0 */
    static const char *const names[] = {"libmpi_abi.so.1", "libmpi_abi.so.0", "libmpi_abi.so"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(soname, names[i]) == 0)
            return true;
    return false;
}

bool hiera_elf_is_mpi(const char *soname)
{
    return is_versioned(soname, "libmpich.so") || is_versioned(soname, "libmpi.so") || hiera_elf_is_abi(soname);
}

bool hiera_elf_is_same_mpi(const char *soname, const char *other)
{
    return strcmp(soname, other) == 0 || (hiera_elf_is_abi(soname) && hiera_elf_is_abi(other));
}

bool hiera_elf_is_abi_collector(const char *name)
{
    return is_versioned(name, "libhiera-abi.so");
}

const char *hiera_elf_mpi_of(const char *path)
{
    HieraElf elf;
    const char *slash = strrchr(path, '/');
    if (hiera_elf_is_abi_collector(slash ? slash + 1 : path))
        return "libmpi_abi.so";
    return hiera_elf_open(path, &elf) ? hiera_elf_needs(&elf, hiera_elf_is_mpi) : NULL;
}
