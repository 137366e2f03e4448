/* Energy from /sys/class/powercap: folder intel-rapl:0 is a package, intel-rapl:0:1 a zone within the package. */
#include "proc_energy.h"

#include "base/variable.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char FOLDER[] = "/sys/class/powercap";
static const char NOWHERE[] =
    "the kernel counts no energy here (virtual machines have none; newer kernels tell it to root alone)";

enum { PATH = 64 };

/* Read the first line of a file into `to`. Returns its length; 0: the file is empty or cannot be read. */
static size_t read_line(const char *path, char *to, size_t room)
{
    int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
    if (fd < 0)
        return 0;
    ssize_t n = syscall(SYS_read, fd, to, room - 1);
    syscall(SYS_close, fd);
    size_t length = n > 0 ? (size_t)n : 0;
    to[length] = '\0';
    length = strcspn(to, "\n");
    to[length] = '\0';
    return length;
}

static bool read_number(const char *path, uint64_t *number)
{
    char line[32];
    *number = 0;
    if (read_line(path, line, sizeof line) == 0)
        return false;
    for (const char *c = line; *c >= '0' && *c <= '9'; c++)
        *number = *number * 10 + (uint64_t)(*c - '0');
    return true;
}

uint64_t hiera_energy_go_on(uint64_t *total, uint64_t now, uint64_t range)
{
    uint64_t before = __atomic_load_n(total, __ATOMIC_RELAXED);
    for (int tries = 0; tries < 8; tries++) {
        uint64_t last = before % range, more = now >= last ? now - last : now + range - last;
        if (more > range / 2)
            return before;
        if (__atomic_compare_exchange_n(total, &before, before + more, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return before + more;
    }
    return before;
}

/* Make the counter's name of a zone: "energy/package-0"; of a zone within the package: "energy/package-0/dram". */
static bool name_of(const char *zone, char *name, size_t room)
{
    char path[PATH + 32], part[32] = "", package[32] = "";
    const char *first = strchr(zone, ':'), *second = first ? strchr(first + 1, ':') : NULL;
    snprintf(path, sizeof path, "%s/%.48s/name", FOLDER, zone);
    if (!first || read_line(path, part, sizeof part) == 0)
        return false;
    if (second) {
        snprintf(path, sizeof path, "%s/%.*s/name", FOLDER, (int)(second - zone), zone);
        read_line(path, package, sizeof package);
    }
    snprintf(name, room, "energy/%s%s%s", package, second ? "/" : "", part);
    return true;
}

/* Call `found` for each zone, with the name of its folder and its name as a counter. */
static void each_zone(void (*found)(void *data, const char *zone, const char *name), void *data)
{
    DIR *folder = opendir(FOLDER);
    char name[HIERA_COUNTER_NAME];
    for (const struct dirent *entry; folder && (entry = readdir(folder));)
        if (strchr(entry->d_name, ':') && strlen(entry->d_name) < 32 && name_of(entry->d_name, name, sizeof name))
            found(data, entry->d_name, name);
    if (folder)
        closedir(folder);
}

/* --- opening a counter by its name --- */

typedef struct Search {
    HieraNamedCounter *counter;
    const char *zone;
} Search;

/* Store the zone's numbers in counter->item, from which a reading makes the path of its folder. */
static void find(void *data, const char *zone, const char *name)
{
    Search *search = data;
    HieraNamedCounter *counter = search->counter;
    char path[PATH + 32];
    unsigned package = 0, part = UINT32_MAX;
    uint64_t now;
    if (strcmp(name + strlen("energy/"), search->zone) != 0 || sscanf(zone, "intel-rapl:%u:%u", &package, &part) < 1)
        return;
    counter->item = package << 16 | (part & 0xffff);
    snprintf(path, sizeof path, "%s/%s/max_energy_range_uj", FOLDER, zone);
    read_number(path, &counter->before[1]);
    snprintf(path, sizeof path, "%s/%s/energy_uj", FOLDER, zone);
    bool is_known = read_number(path, &now) && counter->before[1] > 0;
    counter->before[1] += is_known;
    counter->before[0] = now;
    counter->reason = is_known ? NULL : NOWHERE;
    hiera_counter_describe(counter, "uJ", "energy, as the kernel counts it");
}

void hiera_proc_energy_open(HieraNamedCounter *counter, const char *zone)
{
    counter->reason = NOWHERE;
    each_zone(find, &(Search){counter, zone});
}

/* --- reading counters --- */

static char *put_number(char *to, unsigned number)
{
    if (number >= 10)
        to = put_number(to, number / 10);
    *to = (char)('0' + number % 10);
    return to + 1;
}

static char *put_text(char *to, const char *text)
{
    size_t n = strlen(text);
    memcpy(to, text, n);
    return to + n;
}

void hiera_proc_energy_read(HieraNamedCounter *const *counters, unsigned n, double *values)
{
    for (unsigned i = 0; i < n; i++) {
        HieraNamedCounter *counter = counters[i];
        char path[PATH + 64], *to = put_text(path, FOLDER);
        uint64_t now;
        to = put_number(put_text(to, "/intel-rapl:"), counter->item >> 16);
        if ((counter->item & 0xffff) != 0xffff)
            to = put_number(put_text(to, ":"), counter->item & 0xffff);
        *put_text(to, "/energy_uj") = '\0';
        if (read_number(path, &now))
            values[i] = hiera_variable_of_unsigned(hiera_energy_go_on(&counter->before[0], now, counter->before[1]));
    }
}

/* --- listing all counters --- */

typedef struct Listing {
    HieraCounterVisit *visit;
    void *data;
    unsigned n;
} Listing;

static void list_zone(void *data, const char *zone, const char *name)
{
    Listing *listing = data;
    HieraNamedCounter counter = {.reason = NOWHERE};
    (void)zone;
    hiera_counter_name(&counter, "proc", name);
    hiera_proc_energy_open(&counter, name + strlen("energy/"));
    listing->n++;
    listing->visit(listing->data, &counter);
}

void hiera_proc_energy_each(HieraCounterVisit *visit, void *data)
{
    Listing listing = {visit, data, 0};
    each_zone(list_zone, &listing);
    if (listing.n > 0)
        return;
    HieraNamedCounter counter = {.reason = NOWHERE};
    hiera_counter_name(&counter, "proc", "energy/package-0");
    visit(data, &counter);
}
