/* Reads environment variables of launchers (Slurm, Hydra, PMIx), as MPI itself does. */
#include "launcher_env.h"

#include "text/hash.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ARGUMENTS_MAX = 4096, ANCESTORS_MAX = 8 };

static uint64_t mix(uint64_t hash, const char *text)
{
    return hiera_hash_bytes(hiera_hash_text(hash, text), "\n", 1);
}

static int number(const char *variable, int otherwise)
{
    const char *text = getenv(variable);
    char *end;
    long value = text && *text ? strtol(text, &end, 10) : -1;
    return value >= 0 && value < INT_MAX && *end == '\0' ? (int)value : otherwise;
}

/* Return a hash of the values of these environment variables; 0 if the first one is not set. */
static uint64_t key_of(const char *const *variables)
{
    uint64_t hash = 0xcbf29ce484222325u;
    if (!getenv(variables[0]))
        return 0;
    for (; *variables; variables++) {
        const char *value = getenv(*variables);
        hash = mix(mix(hash, *variables), value ? value : "");
    }
    return hash ? hash : 1;
}

static ssize_t read_proc(int pid, const char *what, char *to, size_t room)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", pid, what);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, to, room - 2);
    if (fd >= 0)
        close(fd);
    to[n > 0 ? n : 0] = to[n > 0 ? n + 1 : 1] = '\0';
    return n;
}

static int parent_of(int pid)
{
    char status[1024];
    int parent = 0;
    read_proc(pid, "stat", status, sizeof status);
    const char *behind_name = strrchr(status, ')');
    return behind_name && sscanf(behind_name, ") %*c %d", &parent) == 1 ? parent : 0;
}

/* Make the key for Hydra, which gives a process only its rank: the command line of the parent process, the proxy,
 * contains the port of this mpiexec and the number of the process group. */
static uint64_t key_of_proxy(const char *arguments)
{
    uint64_t hash = 0xcbf29ce484222325u;
    bool has_port = false;
    if (!strstr(arguments, "hydra_pmi_proxy"))
        return 0;
    for (const char *word = arguments; *word; word += strlen(word) + 1) {
        bool port = strcmp(word, "--control-port") == 0;
        if (port || strcmp(word, "--pgid") == 0)
            hash = mix(hash, word + strlen(word) + 1);
        has_port |= port;
    }
    return has_port ? hash : 0;
}

static uint64_t key_of_hydra(void)
{
    char arguments[ARGUMENTS_MAX];
    int pid = getppid();
    for (int i = 0; i < ANCESTORS_MAX && pid > 1; i++, pid = parent_of(pid)) {
        uint64_t key = read_proc(pid, "cmdline", arguments, sizeof arguments) > 0 ? key_of_proxy(arguments) : 0;
        if (key != 0)
            return key;
    }
    return 0;
}

static HieraLaunch by_pmix(void)
{
    static const char *const variables[] = {"PMIX_NAMESPACE", "OMPI_MCA_orte_precondition_transports",
                                            "SLURM_RESTART_COUNT", NULL};
    return (HieraLaunch){key_of(variables), number("PMIX_RANK", -1), number("OMPI_COMM_WORLD_SIZE", 0)};
}

static HieraLaunch by_pmi1(void)
{
    static const char *const variables[] = {"PMI_JOBID", "SLURM_JOB_ID", "SLURM_STEP_ID", "SLURM_RESTART_COUNT", NULL};
    HieraLaunch launch = {key_of(variables), number("PMI_RANK", -1), number("PMI_SIZE", 0)};
    if (launch.rank >= 0) /* the key of Hydra, too, since one Slurm step may contain several launches */
        launch.key ^= key_of_hydra();
    return launch;
}

HieraLaunch hiera_launch_read(bool by_pmi)
{
    HieraLaunch launch = by_pmi ? by_pmi1() : by_pmix();
    return by_pmi && launch.rank < 0 ? by_pmix() : launch;
}

HieraLaunch hiera_launch_read_any(void)
{
    static const char *const pairs[][2] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                           {"PMI_RANK", "PMI_SIZE"},
                                           {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"},
                                           {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        HieraLaunch launch = {0, number(pairs[i][0], -1), number(pairs[i][1], 0)};
        if (launch.rank >= 0 && launch.size > launch.rank)
            return launch;
    }
    return (HieraLaunch){0, -1, 0};
}
