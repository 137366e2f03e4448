#include "hosts.h"
#include <string.h>

#define WRONG(error, ...) (g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE, __VA_ARGS__), FALSE)

/* Return the index of a host by its name; a name that is new is appended. */
static guint32 find_host(Hosts *hosts, GHashTable *numbers, const char *name)
{
    gpointer number;
    if (g_hash_table_lookup_extended(numbers, name, NULL, &number))
        return GPOINTER_TO_UINT(number);
    char *kept = g_strdup(name);
    g_ptr_array_add(hosts->names, kept);
    g_hash_table_insert(numbers, kept, GUINT_TO_POINTER(hosts->names->len - 1));
    return hosts->names->len - 1;
}

static void make(Hosts *hosts, guint32 n)
{
    hosts->host = g_new(guint32, (gsize)n + 1);
    memset(hosts->host, 0xff, ((gsize)n + 1) * sizeof *hosts->host);
    hosts->names = g_ptr_array_new_with_free_func(g_free);
}

void hosts_init(Hosts *hosts, const HieraTrace *trace)
{
    g_autoptr(GHashTable) numbers = g_hash_table_new(g_str_hash, g_str_equal);
    make(hosts, trace->n_processors);
    for (guint32 i = 0; i < trace->n_processors; i++)
        hosts->host[i] = find_host(hosts, numbers, trace->processors[i].host);
}

void hosts_clear(Hosts *hosts)
{
    g_free(hosts->host);
    g_clear_pointer(&hosts->names, g_ptr_array_unref);
    hosts->host = NULL;
}

/* --- mapping of ranks to other hosts --- */

typedef struct {
    Hosts hosts;
    GHashTable *numbers;
    const guint32 *ranks;
    guint32 n;
} Mapping;

/* Set the host of the ranks that a line of the mapping file names: "0-3 8 node1". */
static gboolean place_line(Mapping *mapping, char *line, GError **error)
{
    char *name = strrchr(g_strstrip(line), ' ');
    char *tab = strrchr(line, '\t');
    name = !name || (tab && tab > name) ? tab : name;
    if (!name)
        return WRONG(error, "'%s' is not ranks and a host, like '0-3 node1'", line);
    *name++ = '\0';
    g_autoptr(HieraRanks) ranks = hiera_ranks_parse(line, error);
    if (!ranks)
        return FALSE;
    guint32 host = find_host(&mapping->hosts, mapping->numbers, name);
    for (guint32 i = 0; i < mapping->n; i++) {
        if (!hiera_ranks_contain(ranks, mapping->ranks[i]))
            continue;
        if (mapping->hosts.host[i] != HIERA_NONE)
            return WRONG(error, "rank %u has a host already", mapping->ranks[i]);
        mapping->hosts.host[i] = host;
    }
    return TRUE;
}

static gboolean place_by_file(Mapping *mapping, const char *path, GError **error)
{
    g_autofree char *text = NULL;
    if (!g_file_get_contents(path, &text, NULL, error))
        return FALSE;
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (guint i = 0; lines[i]; i++) {
        lines[i][strcspn(lines[i], "#")] = '\0';
        if (*g_strstrip(lines[i]) != '\0' && !place_line(mapping, lines[i], error)) {
            g_prefix_error(error, "%s:%u: ", path, i + 1);
            return FALSE;
        }
    }
    for (guint32 i = 0; i < mapping->n; i++) {
        if (mapping->hosts.host[i] == HIERA_NONE)
            return WRONG(error, "%s: rank %u has no host", path, mapping->ranks[i]);
    }
    return TRUE;
}

/* @param n  text behind the colon of "block:" or "cyclic:" */
static gboolean place_by_rule(Mapping *mapping, const char *mapping_text, gboolean in_blocks, const char *n,
                              GError **error)
{
    char *end;
    gint64 number = g_ascii_strtoll(n, &end, 10);
    if (!g_ascii_isdigit(*n) || *end != '\0' || number < 1)
        return WRONG(error, "--mapping '%s': write %s, with a number from 1 on", mapping_text,
                     in_blocks ? "block:4 for 4 ranks on each host" : "cyclic:4 for 4 hosts");
    for (guint32 i = 0; i < mapping->n; i++) {
        gint64 rank = mapping->ranks[i];
        g_autofree char *name = g_strdup_printf("host%" G_GINT64_FORMAT, in_blocks ? rank / number : rank % number);
        mapping->hosts.host[i] = find_host(&mapping->hosts, mapping->numbers, name);
    }
    return TRUE;
}

gboolean hosts_map(Hosts *hosts, const guint32 *ranks, guint32 n, const char *mapping, GError **error)
{
    Mapping new_places = {.numbers = g_hash_table_new(g_str_hash, g_str_equal), .ranks = ranks, .n = n};
    make(&new_places.hosts, n);
    gboolean in_blocks = g_str_has_prefix(mapping, "block:");
    gboolean good = in_blocks || g_str_has_prefix(mapping, "cyclic:")
                        ? place_by_rule(&new_places, mapping, in_blocks, strchr(mapping, ':') + 1, error)
                        : place_by_file(&new_places, mapping, error);
    g_hash_table_unref(new_places.numbers);
    hosts_clear(good ? hosts : &new_places.hosts);
    if (good)
        *hosts = new_places.hosts;
    return good;
}
