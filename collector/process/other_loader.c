#include "other_loader.h"

#include "loaded/elf.h"
#include "preload.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SCRIPTS_MAX = 5 /* the kernel's limit of scripts that interpret scripts */, HEAD = 256 };

static const char variable[] = "LD_PRELOAD=", ours[] = "libhiera";
static char own_loader[PATH_MAX]; /* path of this program's dynamic loader; empty: the program is static */

/* Store the path of this program's loader: the first object is the program, even if its loader was started by name. */
static int take_loader(struct dl_phdr_info *program, size_t size, void *nothing)
{
    (void)size;
    (void)nothing;
    for (int i = 0; i < program->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &program->dlpi_phdr[i];
        if (segment->p_type == PT_INTERP && segment->p_filesz <= sizeof own_loader)
            strncpy(own_loader, (const char *)(program->dlpi_addr + segment->p_vaddr),
                    sizeof own_loader - 1); // NOLINT: an address
    }
    return 1;
}

void hiera_other_loader_load(void)
{
    dl_iterate_phdr(take_loader, NULL);
}

static bool is_same_file(const char *one, const char *other)
{
    struct stat first, second;
    return strcmp(one, other) == 0 || (stat(one, &first) == 0 && stat(other, &second) == 0 &&
                                       first.st_dev == second.st_dev && first.st_ino == second.st_ino);
}

/* Read the first bytes of a file; 0: it cannot be read, and so counts as a program like this one. */
static size_t read_head(const char *path, char head[HEAD + 1])
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    ssize_t n = fd < 0 ? 0 : read(fd, head, HEAD);
    if (fd >= 0)
        close(fd);
    head[n > 0 ? n : 0] = '\0';
    return n > 0 ? (size_t)n : 0;
}

/* Cut the path of a script's interpreter out of the script's first line; NULL: this is no script. */
static char *interpreter(char *head)
{
    static const char blanks[] = " \t";
    if (strncmp(head, "#!", 2) != 0)
        return NULL;
    char *path = head + 2 + strspn(head + 2, blanks);
    path[strcspn(path, " \t\n")] = '\0';
    return *path ? path : NULL;
}

/* Whether the program has another dynamic loader than this one. A static program has none, but programs that it starts
 * may need the preload, so it counts as a program like this one. */
static bool has_other_loader(const char *path)
{
    HieraElf elf;
    if (!hiera_elf_open(path, &elf))
        return true; /* not an ELF file of this machine: it has another loader */
    const char *loader = hiera_elf_loader(&elf);
    bool has = loader && !is_same_file(loader, own_loader);
    hiera_elf_close(&elf);
    return has;
}

static bool is_foreign(const char *path)
{
    char heads[2][HEAD + 1];
    for (int i = 0; i < SCRIPTS_MAX && path; i++) {
        char *head = heads[i % 2]; /* the other buffer than the one that `path` points into */
        if (read_head(path, head) > SELFMAG && memcmp(head, ELFMAG, SELFMAG) == 0)
            return has_other_loader(path);
        path = interpreter(head);
    }
    return false;
}

static const char *preload_of(char *const *environment)
{
    for (; environment && *environment; environment++)
        if (strncmp(*environment, variable, sizeof variable - 1) == 0)
            return *environment;
    return NULL;
}

static size_t count(char *const *environment)
{
    size_t n = 0;
    while (environment[n])
        n++;
    return n;
}

size_t hiera_other_loader_bytes(const char *path, char *const *environment)
{
    const char *preload = own_loader[0] ? preload_of(environment) : NULL;
    if (!preload || !strstr(preload, ours) || !is_foreign(path))
        return 0;
    return (count(environment) + 1) * sizeof *environment + strlen(preload) + 3;
}

char *const *hiera_other_loader_environment(void *bytes, char *const *environment)
{
    size_t n = count(environment);
    char **made = bytes, *text = (char *)(made + n + 1);
    char *end = stpcpy(text, variable);
    const char *preload = preload_of(environment);
    hiera_preload_copy(end, preload + sizeof variable - 1, ours, sizeof ours - 1, NULL);
    for (size_t i = 0; i <= n; i++)
        made[i] = environment[i] == preload && preload ? text : environment[i];
    return made;
}
