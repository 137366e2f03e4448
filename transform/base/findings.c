/* See findings.h. A list of findings, with a hash table that finds equal ones. */
#include "findings.h"
#include <string.h>

static const struct {
    const char *name;
    HieraSeverity severity;
    gboolean partial, unreadable;
} codes[] = {
#define X(identifier, name, severity, partial, unreadable) {name, HIERA_SEVERITY_##severity, partial, unreadable},
    HIERA_FINDINGS(X)
#undef X
};

/* Entry of the list of findings. The public struct is its first member: a HieraFinding * points to the Entry, too. */
typedef struct {
    HieraFinding finding;
    char *key;      /* equal findings have equal keys; NULL: equal to no other finding */
    guint64 place;  /* sort key of the finding in the list of all processes, from hiera_findings_set_place() */
    guint64 number; /* number of the finding among those of its process; sort key of findings with equal `place` */
} Entry;

struct HieraFindings {
    GPtrArray *entries;
    GHashTable *by_key;
    guint64 counts[HIERA_N_FINDINGS];
    guint kept[HIERA_N_FINDINGS];
    gboolean keeps_all;
    guint64 place; /* sort key for findings that are added from now on */
};

static void entry_free(gpointer data)
{
    Entry *entry = data;
    g_free((char *)entry->finding.file);
    g_free((char *)entry->finding.calls[0].file);
    g_free((char *)entry->finding.calls[1].file);
    g_free(entry->finding.message);
    g_free(entry->key);
    g_free(entry);
}

HieraFindings *hiera_findings_new(void)
{
    HieraFindings *findings = g_new0(HieraFindings, 1);
    findings->entries = g_ptr_array_new_with_free_func(entry_free);
    findings->by_key = g_hash_table_new(g_str_hash, g_str_equal);
    return findings;
}

void hiera_findings_free(HieraFindings *findings)
{
    if (!findings)
        return;
    g_hash_table_unref(findings->by_key);
    g_ptr_array_unref(findings->entries);
    g_free(findings);
}

/* Count a finding. Return TRUE if its text is to be kept: no equal finding is there, and the limit of its code is not
 * reached. */
static gboolean count_or_keep(HieraFindings *findings, HieraFindingCode code, const char *key, guint64 count)
{
    findings->counts[code] += count;
    Entry *same = key ? g_hash_table_lookup(findings->by_key, key) : NULL;
    if (same) {
        same->finding.count += count;
        return FALSE;
    }
    return findings->kept[code]++ < HIERA_FINDINGS_KEPT || findings->keeps_all;
}

static void keep(HieraFindings *findings, Entry *entry)
{
    g_ptr_array_add(findings->entries, entry);
    if (entry->key)
        g_hash_table_insert(findings->by_key, entry->key, entry);
}

static char *make_key(HieraFindingCode code, const char *subject)
{
    return subject ? g_strdup_printf("%d %s", (int)code, subject) : NULL;
}

gboolean hiera_findings_repeat(HieraFindings *findings, HieraFindingCode code, const char *subject)
{
    g_autofree char *key = make_key(code, subject);
    return g_hash_table_contains(findings->by_key, key) && !count_or_keep(findings, code, key, 1);
}

void hiera_findings_add_list(HieraFindings *findings, HieraFindingCode code, const HieraFindingAt *at,
                             const char *subject, const char *format, va_list arguments)
{
    g_autofree char *key = make_key(code, subject);
    if (!count_or_keep(findings, code, key, 1))
        return;
    Entry *entry = g_new0(Entry, 1);
    entry->finding = (HieraFinding){.code = code, .file = g_strdup(at->file), .line = at->line, .count = 1};
    for (guint i = 0; i < G_N_ELEMENTS(at->calls); i++) {
        const HieraFindingCall *call = &at->calls[i];
        entry->finding.calls[i] = (HieraFindingCall){g_strdup(call->file ? call->file : ""), call->line};
    }
    entry->key = g_steal_pointer(&key);
    entry->place = findings->place;
    entry->number = findings->entries->len;
    entry->finding.message = g_strdup_vprintf(format, arguments);
    keep(findings, entry);
}

void hiera_findings_add(HieraFindings *findings, HieraFindingCode code, const char *file, guint32 line,
                        const char *subject, const char *format, ...)
{
    const HieraFindingAt at = {.file = file, .line = line};
    va_list arguments;
    va_start(arguments, format);
    hiera_findings_add_list(findings, code, &at, subject, format, arguments);
    va_end(arguments);
}

void hiera_findings_add_at(HieraFindings *findings, HieraFindingCode code, const HieraFindingAt *at,
                           const char *subject, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    hiera_findings_add_list(findings, code, at, subject, format, arguments);
    va_end(arguments);
}

void hiera_findings_move(HieraFindings *findings, guint index, HieraFindings *into)
{
    Entry *entry = g_ptr_array_steal_index(findings->entries, index);
    if (entry->key)
        g_hash_table_remove(findings->by_key, entry->key);
    findings->counts[entry->finding.code] -= entry->finding.count;
    findings->kept[entry->finding.code]--;
    into->counts[entry->finding.code] += entry->finding.count;
    into->kept[entry->finding.code]++;
    keep(into, entry);
}

/* Empty the list without freeing its entries, which another list has taken. */
static void empty(HieraFindings *findings)
{
    g_hash_table_remove_all(findings->by_key);
    g_ptr_array_set_free_func(findings->entries, NULL);
    g_ptr_array_set_size(findings->entries, 0);
    g_ptr_array_set_free_func(findings->entries, entry_free);
    memset(findings->counts, 0, sizeof findings->counts);
    memset(findings->kept, 0, sizeof findings->kept);
}

void hiera_findings_merge(HieraFindings *into, HieraFindings *from)
{
    guint64 unkept[HIERA_N_FINDINGS];
    memcpy(unkept, from->counts, sizeof unkept);
    for (guint i = 0; i < from->entries->len; i++) {
        Entry *entry = g_ptr_array_index(from->entries, i);
        unkept[entry->finding.code] -= entry->finding.count;
        if (count_or_keep(into, entry->finding.code, entry->key, entry->finding.count))
            keep(into, entry);
        else
            entry_free(entry);
    }
    for (guint i = 0; i < HIERA_N_FINDINGS; i++)
        into->counts[i] += unkept[i];
    empty(from);
}

/* --- one list from the findings of several processes --- */

void hiera_findings_keep_all(HieraFindings *findings)
{
    findings->keeps_all = TRUE;
}

void hiera_findings_set_place(HieraFindings *findings, guint64 place)
{
    findings->place = place;
}

static gint compare_entries(const Entry *left, const Entry *right)
{
    if (left->place != right->place)
        return left->place < right->place ? -1 : 1;
    return (left->number > right->number) - (left->number < right->number);
}

static void join_entry(HieraFindings *all, Entry *entry)
{
    Entry *same = entry->key ? g_hash_table_lookup(all->by_key, entry->key) : NULL;
    if (!same) {
        keep(all, entry);
        return;
    }
    guint64 count = same->finding.count + entry->finding.count;
    if (compare_entries(entry, same) < 0) {
        Entry first = *entry;
        *entry = *same;
        *same = first;
        g_hash_table_replace(all->by_key, same->key, same);
    }
    same->finding.count = count;
    entry_free(entry);
}

void hiera_findings_join(HieraFindings *all, HieraFindings *part)
{
    for (guint i = 0; i < part->entries->len; i++)
        join_entry(all, g_ptr_array_index(part->entries, i));
    for (guint i = 0; i < HIERA_N_FINDINGS; i++)
        all->counts[i] += part->counts[i];
    empty(part);
}

static gint compare_places(gconstpointer a, gconstpointer b)
{
    return compare_entries(*(const Entry *const *)a, *(const Entry *const *)b);
}

void hiera_findings_sort(HieraFindings *all)
{
    g_ptr_array_sort(all->entries, compare_places);
}

void hiera_findings_pack(const HieraFindings *findings, HieraPacker *to)
{
    hiera_pack_bytes(to, findings->counts, sizeof findings->counts);
    hiera_pack_bytes(to, findings->kept, sizeof findings->kept);
    hiera_pack_number(to, findings->entries->len);
    for (guint i = 0; i < findings->entries->len; i++) {
        const Entry *entry = g_ptr_array_index(findings->entries, i);
        hiera_pack_bytes(to, &entry->finding, sizeof entry->finding);
        hiera_pack_text(to, entry->finding.file);
        hiera_pack_text(to, entry->finding.message);
        hiera_pack_text(to, entry->finding.calls[0].file);
        hiera_pack_text(to, entry->finding.calls[1].file);
        hiera_pack_text(to, entry->key);
        hiera_pack_number(to, (gint64)entry->place);
        hiera_pack_number(to, (gint64)entry->number);
    }
}

void hiera_findings_unpack(HieraFindings *findings, HieraUnpacker *from)
{
    hiera_unpack_bytes(from, findings->counts, sizeof findings->counts);
    hiera_unpack_bytes(from, findings->kept, sizeof findings->kept);
    for (gint64 n = hiera_unpack_number(from); n > 0; n--) {
        Entry *entry = g_new0(Entry, 1);
        hiera_unpack_bytes(from, &entry->finding, sizeof entry->finding);
        entry->finding.file = g_strdup(hiera_unpack_text(from));
        entry->finding.message = g_strdup(hiera_unpack_text(from));
        entry->finding.calls[0].file = g_strdup(hiera_unpack_text(from));
        entry->finding.calls[1].file = g_strdup(hiera_unpack_text(from));
        entry->key = g_strdup(hiera_unpack_text(from));
        entry->place = (guint64)hiera_unpack_number(from);
        entry->number = (guint64)hiera_unpack_number(from);
        keep(findings, entry);
    }
}

guint hiera_findings_count(const HieraFindings *findings)
{
    return findings->entries->len;
}

const HieraFinding *hiera_findings_peek(const HieraFindings *findings, guint index)
{
    const Entry *entry = g_ptr_array_index(findings->entries, index);
    return &entry->finding;
}

guint64 hiera_findings_count_severity(const HieraFindings *findings, HieraSeverity severity)
{
    guint64 n = 0;
    for (guint i = 0; i < HIERA_N_FINDINGS; i++)
        n += codes[i].severity == severity ? findings->counts[i] : 0;
    return n;
}

guint64 hiera_findings_sum(const HieraFindings *findings)
{
    guint64 n = 0;
    for (guint i = 0; i < HIERA_N_FINDINGS; i++)
        n += findings->counts[i];
    return n;
}

gboolean hiera_findings_partial(const HieraFindings *findings)
{
    for (guint i = 0; i < HIERA_N_FINDINGS; i++) {
        if (codes[i].partial && findings->counts[i] > 0)
            return TRUE;
    }
    return FALSE;
}

gboolean hiera_findings_unreadable(const HieraFindings *findings)
{
    for (guint i = 0; i < HIERA_N_FINDINGS; i++) {
        if (codes[i].unreadable && findings->counts[i] > 0)
            return TRUE;
    }
    return FALSE;
}

HieraSeverity hiera_finding_severity(HieraFindingCode code)
{
    return codes[code].severity;
}

const char *hiera_finding_name(HieraFindingCode code)
{
    return codes[code].name;
}

gboolean hiera_finding_partial(HieraFindingCode code)
{
    return codes[code].partial;
}

gboolean hiera_finding_is_about(HieraFindingCode code)
{
    return code == HIERA_FINDING_MAIN_THREADS;
}

gboolean hiera_finding_unreadable(HieraFindingCode code)
{
    return codes[code].unreadable;
}
