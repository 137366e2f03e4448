/* Parse /proc/self/maps, or a copy of another process's, line by line. */
#include "proc_maps.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* Read the hexadecimal number at *at, and move *at behind the number. */
static uintptr_t read_hex(const char **at)
{
    static const char digits[] = "0123456789abcdef";
    uintptr_t value = 0;
    for (const char *digit; **at && (digit = strchr(digits, **at)); (*at)++)
        value = 16 * value + (uintptr_t)(digit - digits);
    return value;
}

/* Parse `begin-end perms offset device inode path` into `mapping`, which holds the mapping of the line before. */
static void read_line(const char *line, HieraMapping *mapping)
{
    mapping->begin = read_hex(&line);
    line += *line == '-';
    mapping->end = read_hex(&line);
    const char *path = strchr(line, '/');
    if (!path)
        path = "";
    if (strncmp(path, mapping->path, sizeof mapping->path - 1) == 0 && *path)
        return;
    strncpy(mapping->path, path, sizeof mapping->path - 1);
    mapping->base = mapping->begin;
}

static const char *taken;

void hiera_maps_take(const char *path)
{
    taken = path;
}

const char *hiera_maps_taken(void)
{
    return taken;
}

static bool visit_lines(const char *path, bool (*visit)(const char *line, void *data), void *data)
{
    char bytes[1024], line[512];
    bool found = false;
    size_t length = 0;
    ssize_t n = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    while (!found && fd >= 0 && (n = read(fd, bytes, sizeof bytes)) > 0)
        for (ssize_t i = 0; i < n && !found; i++) {
            if (bytes[i] != '\n') {
                line[length] = bytes[i];
                length += length < sizeof line - 1;
                continue;
            }
            line[length] = '\0';
            length = 0;
            found = visit(line, data);
        }
    if (fd >= 0)
        close(fd);
    return found;
}

static const char own[] = "/proc/self/maps";

bool hiera_maps_lines(bool (*visit)(const char *line, void *data), void *data)
{
    return visit_lines(own, visit, data);
}

typedef struct Walk {
    HieraMapping mapping;
    bool (*visit)(const HieraMapping *mapping, void *data);
    void *data;
} Walk;

static bool visit_mapping(const char *line, void *data)
{
    Walk *walk = data;
    read_line(line, &walk->mapping);
    return walk->visit(&walk->mapping, walk->data);
}

bool hiera_maps_walk_places(bool (*visit)(const HieraMapping *mapping, void *data), void *data)
{
    Walk walk = {.visit = visit, .data = data};
    return visit_lines(taken ? taken : own, visit_mapping, &walk);
}

typedef struct Search {
    uintptr_t address;
    HieraMapping *found;
} Search;

static bool holds(const HieraMapping *mapping, void *data)
{
    const Search *search = data;
    if (search->address < mapping->begin || search->address >= mapping->end)
        return false;
    *search->found = *mapping;
    return true;
}

static bool find(const char *path, uintptr_t address, HieraMapping *mapping)
{
    Search search = {address, mapping};
    Walk walk = {.visit = holds, .data = &search};
    memset(mapping, 0, sizeof *mapping);
    return visit_lines(path, visit_mapping, &walk);
}

bool hiera_maps_find(uintptr_t address, HieraMapping *mapping)
{
    return find(own, address, mapping);
}

bool hiera_maps_find_place(uintptr_t address, HieraMapping *mapping)
{
    return find(taken ? taken : own, address, mapping);
}
