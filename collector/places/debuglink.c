/* Find debug information in a separate file: by build id, then by the name in the section .gnu_debuglink.
 *
 * The standard search of libdw does the same, but may also ask servers on the network. */
#include "libdw.h"

#ifdef HIERA_HAVE_LIBDW

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Largest file, in bytes, whose checksum is computed; that of a larger one would take too long. */
enum { SIZE_MAX_BYTES = 512 << 20 };

/* Continue a CRC-32 checksum (as in zlib, four bits at a time) by n bytes. */
static uint32_t add_to_sum(uint32_t sum, const unsigned char *bytes, size_t n)
{
    static const uint32_t table[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
                                       0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                       0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
    for (size_t i = 0; i < n; i++) {
        sum ^= bytes[i];
        sum = sum >> 4 ^ table[sum & 15];
        sum = sum >> 4 ^ table[sum & 15];
    }
    return sum;
}

static int has_sum(int fd, uint32_t expected)
{
    static unsigned char bytes[64 << 10];
    uint32_t sum = UINT32_MAX;
    struct stat facts;
    ssize_t n;
    if (fstat(fd, &facts) != 0 || !S_ISREG(facts.st_mode) || facts.st_size > SIZE_MAX_BYTES)
        return 0;
    while ((n = read(fd, bytes, sizeof bytes)) > 0)
        sum = add_to_sum(sum, bytes, (size_t)n);
    return n == 0 && ~sum == expected;
}

static int open_checked(const char *path, uint32_t sum)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd >= 0 && !has_sum(fd, sum)) {
        close(fd);
        return -1;
    }
    return fd;
}

int hiera_debuglink_find(Dwfl_Module *module, void **userdata, const char *module_name, Dwarf_Addr base,
                         const char *file, const char *link, GElf_Word sum, char **found)
{
    static const char *const roots[] = {"", "", "/usr/lib/debug"}, *const folders[] = {"", ".debug/", ""};
    char path[4096];
    int fd = hiera_dw.dwfl_build_id_find_debuginfo(module, userdata, module_name, base, file, link, sum, found);
    const char *slash = file ? strrchr(file, '/') : NULL;
    if (fd >= 0 || !link || !slash)
        return fd;
    for (size_t i = 0; i < sizeof roots / sizeof roots[0] && fd < 0; i++) {
        int folder = (int)(slash + 1 - file);
        int n = snprintf(path, sizeof path, "%s%.*s%s%s", roots[i], folder, file, folders[i], link);
        if (n > 0 && (size_t)n < sizeof path && strcmp(path, file) != 0)
            fd = open_checked(path, sum);
    }
    if (fd >= 0)
        *found = strdup(path);
    return fd;
}

#endif
