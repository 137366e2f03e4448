#include "whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LARGEST = 16 << 20 };

/* Read all of an open file into allocated memory; on failure NULL, and errno is set. */
static char *read_open(int fd, size_t *length)
{
    struct stat file;
    if (fstat(fd, &file) != 0)
        return NULL;
    if (!S_ISREG(file.st_mode) || file.st_size > LARGEST) {
        errno = S_ISREG(file.st_mode) ? EFBIG : S_ISDIR(file.st_mode) ? EISDIR : EINVAL;
        return NULL;
    }
    char *text = malloc((size_t)file.st_size + 1);
    ssize_t n = 1;
    for (*length = 0; text && n > 0 && *length<(size_t)file.st_size; *length += n> 0 ? (size_t)n : 0)
        n = read(fd, text + *length, (size_t)file.st_size - *length);
    if (n >= 0)
        return text;
    free(text);
    return NULL;
}

char *hiera_whole_file_read(const char *path, size_t *length)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    char *text = fd < 0 ? NULL : read_open(fd, length);
    int saved_errno = errno;
    if (fd >= 0)
        close(fd);
    errno = saved_errno;
    return text;
}
