/* Findings; see findings.h. */
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

/* The public part comes first, so that a pointer to it is a pointer to the entry. */
typedef struct {
    HieraFinding finding;
    char *key; /* of equal findings; NULL: equal to no other finding */
} Entry;

struct HieraFindings {
    GPtrArray *entries;
    GHashTable *by_key;
    guint64 counts[HIERA_N_FINDINGS];
    guint kept[HIERA_N_FINDINGS];
};

static void entry_free(gpointer data)
{
    Entry *entry = data;
    g_free((char *)entry->finding.file);
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
    return findings->kept[code]++ < HIERA_FINDINGS_KEPT;
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

void hiera_findings_add(HieraFindings *findings, HieraFindingCode code, const char *file, guint32 line,
                        const char *subject, const char *format, ...)
{
    g_autofree char *key = make_key(code, subject);
    if (!count_or_keep(findings, code, key, 1))
        return;
    Entry *entry = g_new0(Entry, 1);
    entry->finding = (HieraFinding){code, g_strdup(file), line, 1, NULL};
    entry->key = g_steal_pointer(&key);
    va_list arguments;
    va_start(arguments, format);
    entry->finding.message = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    keep(findings, entry);
}

void hiera_findings_merge(HieraFindings *into, HieraFindings *from)
{
    guint64 unkept[HIERA_N_FINDINGS];
    memcpy(unkept, from->counts, sizeof unkept);
    g_hash_table_remove_all(from->by_key);
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
    g_ptr_array_set_free_func(from->entries, NULL);
    g_ptr_array_set_size(from->entries, 0);
    g_ptr_array_set_free_func(from->entries, entry_free);
    memset(from->counts, 0, sizeof from->counts);
    memset(from->kept, 0, sizeof from->kept);
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
        hiera_pack_text(to, entry->key);
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
        entry->key = g_strdup(hiera_unpack_text(from));
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

gboolean hiera_finding_unreadable(HieraFindingCode code)
{
    return codes[code].unreadable;
}
