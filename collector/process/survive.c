/* See survive.h. Fills in the data that hiera-recover needs besides the memory: the libhiera, the settings, the folder.
 */
#include "survive.h"

#include "base/life.h"
#include "base/lock.h"
#include "base/message.h"
#include "base/safe_file.h"
#include "base/settings.h"
#include "document/session_state.h"
#include "job/job.h"
#include "loops/kept_times.h"
#include "memory/kept_files.h"
#include "memory/kept_maps.h"
#include "memory/kept_memory.h"
#include "memory/kept_room.h"
#include "memory/signal_safe_memory.h"
#include "places/objects.h"
#include "store/container.h"
#include "store/store.h"
#include "write/companion_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *refusal; /* why there is no file for memory that survives; NULL: no reason */
static const char *detour;  /* why the file is in the folder of the traces instead of shared memory; NULL: it is not */
static bool lacked_room;    /* whether shared memory had too little room for the file */
static bool has_begun, is_done;

static void copy(char *to, const char *from)
{
    if (from && strlen(from) < PATH_MAX)
        strcpy(to, from);
}

/* hiera-recover finds the library by its build id. If libhiera is part of the program it cannot be loaded: the program
 * would have to be run. */
static const HieraLoadedObject *find_library(void)
{
    char program[PATH_MAX] = "";
    unsigned number;
    const HieraLoadedObject *library = hiera_object_find(&hiera_session, &number);
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    bool is_program = !library || library->path[0] != '/' || (n > 0 && strcmp(program, library->path) == 0);
    if (is_program)
        refusal = library ? "libhiera is linked into the program" : "libhiera has no build id";
    return is_program ? NULL : library;
}

static void put_run(HieraKeptHeader *header)
{
    const char *run = getenv("HIERA_RUN");
    if (run && strlen(run) < sizeof header->run)
        strcpy(header->run, run);
}

static void put_library(HieraKeptHeader *header, const HieraLoadedObject *library)
{
    header->library_begin = library->begin;
    header->library_end = library->end;
    memcpy(header->build, library->build, library->build_bytes);
    header->build_bytes = (uint32_t)library->build_bytes;
    copy(header->library, library->path);
    copy(header->search, getenv("LD_LIBRARY_PATH"));
}

static size_t put_setting(char *to, size_t room, const char *name, const char *value)
{
    int n = snprintf(to, room, "%s=%s", name, value);
    return n > 0 && (size_t)n + 1 < room ? (size_t)n + 1 : 0;
}

/* Keep the settings that change how a record is written. In mode window the last part is completed as an ordinary
 * trace; no other part begins then. */
static void put_settings(HieraKeptHeader *header)
{
    char mode[64] = "trace", rate[64] = "0";
    if (hiera_settings.sample.period_ns > 0)
        snprintf(rate, sizeof rate, "%llu", 1000000000ull / (unsigned long long)hiera_settings.sample.period_ns);
    if (hiera_settings.mode.is_profile)
        strcpy(mode, "profile");
    else if (hiera_settings.mode.limit > 0)
        snprintf(mode, sizeof mode, "trace,limit=%zu", hiera_settings.mode.limit);
    const struct {
        const char *name, *value;
    } rows[] = {{"HIERA_FORMAT", hiera_settings.format},
                {"HIERA_COMPRESS", hiera_settings.compress},
                {"HIERA_MODE", mode},
                {"HIERA_LEVELS", hiera_settings.levels},
                {"HIERA_COUNTERS", hiera_settings.counters},
                {"HIERA_APPLICATION", hiera_files_application()},
                {"HIERA_FOLD", hiera_settings.fold},
                {"HIERA_FILTER", hiera_settings.filter},
                {"HIERA_SAMPLE", rate}};
    size_t at = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        at += put_setting(header->settings + at, sizeof header->settings - at - 1, rows[i].name, rows[i].value);
}

/* Copy the path of the trace folder and the state of the container into memory that survives a kill. */
static void keep_places(void)
{
    char *dir = hiera_memory_copy(hiera_session.dir);
    if (dir)
        hiera_session.dir = dir;
    hiera_container_keep();
}

static bool make_in_folder(size_t room)
{
    hiera_file_make_dir(hiera_session.dir);
    return hiera_kept_begin(hiera_session.dir, false, room);
}

/* Make the file in shared memory; or if that has no room, in the folder of the traces, if the folder is on a local
 * disk. If the user asked for the folder, always there. */
static bool make_file(void)
{
    enum { BESIDE_BUFFER = 768 << 10 };
    size_t room = BESIDE_BUFFER + hiera_settings.buffer;
    if (strcmp(hiera_settings.survive, "folder") == 0)
        return make_in_folder(room);
    if (hiera_kept_begin(HIERA_KEPT_SHM, true, room))
        return true;
    lacked_room = hiera_kept_lacked_room();
    detour = hiera_kept_refusal();
    if (hiera_kept_is_local(hiera_session.dir) && make_in_folder(room))
        return true;
    refusal = detour;
    detour = NULL;
    return false;
}

static void begin(void)
{
    bool is_asked = hiera_settings.trace && !hiera_life.closed && strcmp(hiera_settings.survive, "off") != 0;
    const HieraLoadedObject *library = is_asked ? find_library() : NULL;
    if (library && make_file()) {
        HieraKeptHeader *header = hiera_kept_header(); /* valid even if a later step is refused */
        hiera_memory_renew();
        hiera_kept_times_begin();
        keep_places();
        put_library(header, library);
        put_settings(header);
        put_run(header);
        copy(header->folder, hiera_session.dir);
        hiera_kept_maps_note();
    }
}

/* Make the file for memory that survives, once. A signal handler, also for a fault in this code, may call this. */
void hiera_survive_begin(void)
{
    if (__atomic_load_n(&is_done, __ATOMIC_ACQUIRE))
        return;
    bool entered = hiera_lock_enter(), is_first = !has_begun;
    has_begun = true;
    if (is_first)
        begin();
    __atomic_store_n(&is_done, true, __ATOMIC_RELEASE);
    if (entered)
        hiera_lock_leave();
}

void hiera_survive_renew(void)
{
    has_begun = is_done = lacked_room = false;
    refusal = detour = NULL;
}

static void put_trace(HieraKeptHeader *header)
{
    if (!hiera_session.main || !hiera_session.main->store)
        return;
    HieraStorePlace place = hiera_store_place(hiera_session.main->store);
    copy(header->trace, place.path);
    header->device = place.device;
    header->inode = place.inode;
}

/* Remove kept memory of a dead process whose trace was replaced by this one: it cannot be completed. Processes of this
 * job had traces of their own in the same container, so they are left. */
static void remove_old(const HieraKeptFound *found, void *data)
{
    const HieraKeptHeader *own = data;
    bool is_of_job = found->header->job == own->job && found->header->rank != own->rank;
    if (found->is_here && found->is_known && !found->lives && !is_of_job &&
        strcmp(found->header->trace, own->trace) == 0)
        unlink(found->path);
}

void hiera_survive_join(void)
{
    bool entered = hiera_lock_enter();
    HieraKeptHeader *header = hiera_kept_header();
    if (header) {
        copy(header->folder, hiera_session.dir);
        hiera_kept_maps_note();
        put_trace(header);
        header->job = hiera_job.id;
        header->rank = hiera_job.rank;
    }
    if (header && header->trace[0])
        hiera_kept_files_walk(hiera_session.dir, remove_old, header);
    if (entered)
        hiera_lock_leave();
}

void hiera_survive_complain(void)
{
    const char *reason = refusal ? refusal : hiera_kept_refusal();
    /* Print only if room was lacking, or the user has asked for it; otherwise the reason is known. */
    bool concerns = lacked_room || hiera_kept_lacked_room() || getenv("HIERA_SURVIVE");
    if (hiera_job.rank != hiera_job.first)
        return;
    if (reason && concerns)
        hiera_message("HIERA_SURVIVE: a rank that is killed loses what is in its buffers: %s", reason);
    else if (!reason && detour)
        hiera_message("HIERA_SURVIVE: %s: what survives a kill is in the folder of the traces", detour);
}
