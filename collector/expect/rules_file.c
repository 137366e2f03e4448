/* See rules_file.h. */
#include "rules_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LARGEST = 16 << 20 };

/* All of a file that is open; NULL with errno. */
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
    for (*length = 0; text && n > 0 && *length < (size_t)file.st_size; *length += n > 0 ? (size_t)n : 0)
        n = read(fd, text + *length, (size_t)file.st_size - *length);
    if (n >= 0)
        return text;
    free(text);
    return NULL;
}

static char *read_file(const char *path, size_t *length, char *report)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    char *text = fd < 0 ? NULL : read_open(fd, length);
    if (!text)
        snprintf(report, HIERA_RULES_REPORT, "%s: %s", path, strerror(errno));
    if (fd >= 0)
        close(fd);
    return text;
}

bool hiera_rule_values_file_read(const char *path, HieraRuleValues **values, char *report)
{
    size_t length;
    *values = NULL;
    if (!path || !path[0])
        path = getenv("PA_CONFIG_FILE");
    if (!path || !path[0])
        return true;
    char *text = read_file(path, &length, report);
    if (text)
        *values = hiera_rule_values_parse(path, text, length, report);
    free(text);
    return *values != NULL;
}

HieraRules *hiera_rules_file_read(const char *path, const char *values, char *report)
{
    size_t length;
    HieraRules *rules = NULL;
    HieraRuleValues *known;
    char *text = hiera_rule_values_file_read(values, &known, report) ? read_file(path, &length, report) : NULL;
    if (text)
        rules = hiera_rules_parse(path, text, length, known, report);
    free(text);
    hiera_rule_values_free(known);
    return rules;
}
