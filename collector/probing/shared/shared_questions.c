#include "shared_questions.h"

#include "shared_locks.h"

#include <string.h>

enum { LEAST_ROOM = 4096 };

char *hiera_reply_room(HieraReplyRoom *room, size_t bytes)
{
    size_t wanted = room->room ? room->room : LEAST_ROOM;
    if (bytes > room->room - room->n) {
        while (wanted - room->n < bytes)
            wanted *= 2;
        char *grown = room->grow ? room->grow(room->text, room->room, wanted) : NULL;
        if (!grown)
            return NULL;
        room->text = grown;
        room->room = wanted;
    }
    room->n += bytes;
    return room->text + room->n - bytes;
}

static bool add_text(HieraReplyRoom *room, HieraReply *reply, HieraValue text)
{
    char *to = hiera_reply_room(room, text.length);
    if (to && text.length > 0)
        memcpy(to, text.text, text.length);
    if (to)
        reply->text_bytes += text.length;
    return to != NULL;
}

static HieraReply answer(HieraProbeAnswer what)
{
    return (HieraReply){.answer = what, .value = hiera_value_missing()};
}

/* --- questions about variables --- */

static HieraReply get(const HieraSharedTable *table, const HieraSharedEntry *entry, HieraReplyRoom *room)
{
    HieraReply reply = answer(HIERA_PROBE_NEVER_SET);
    if (!entry || entry->value.type == HIERA_VALUE_MISSING)
        return reply;
    reply.answer = HIERA_PROBE_DONE;
    reply.value = hiera_shared_table_get(table, entry);
    if (reply.value.type == HIERA_VALUE_TEXT && !add_text(room, &reply, reply.value))
        return answer(HIERA_PROBE_NO_ROOM);
    return reply;
}

static HieraProbeAnswer change(HieraSharedTable *table, HieraSharedEntry *entry, const HieraQuestion *question,
                               const char *text)
{
    HieraValue by = question->value;
    if (by.type == HIERA_VALUE_TEXT)
        by = hiera_value_text(text, question->text_bytes);
    if (!entry)
        return HIERA_PROBE_NO_ROOM;
    if (question->kind == HIERA_ASK_BRING && entry->value.type != HIERA_VALUE_MISSING)
        return HIERA_PROBE_DONE;
    HieraValue value = hiera_probe_apply((HieraValueType)question->type, (char)question->operator_,
                                         hiera_shared_table_get(table, entry), by, table->joined, sizeof table->joined);
    if (value.type == HIERA_VALUE_MISSING)
        return by.type == HIERA_VALUE_TEXT ? HIERA_PROBE_NO_ROOM : HIERA_PROBE_DONE;
    return hiera_shared_table_set(table, entry, value) ? HIERA_PROBE_DONE : HIERA_PROBE_NO_ROOM;
}

/* --- questions about names and published texts --- */

static HieraProbeAnswer spoil(HieraSharedTable *table, uint32_t name)
{
    HieraSharedEntry *entry = hiera_shared_table_find(table, HIERA_SHARED_SPOILED, &name, sizeof name, true);
    if (entry)
        entry->is_incomplete = true;
    return entry ? HIERA_PROBE_DONE : HIERA_PROBE_NO_ROOM;
}

static HieraProbeAnswer publish(HieraSharedTable *table, uint32_t rank, const char *text, uint32_t length)
{
    HieraSharedEntry *entry = hiera_shared_table_find(table, HIERA_SHARED_PUBLISHED, &rank, sizeof rank, true);
    return entry && hiera_shared_table_put(table, entry, text, length) ? HIERA_PROBE_DONE : HIERA_PROBE_NO_ROOM;
}

static HieraReply gather(const HieraSharedTable *table, uint32_t rank, HieraReplyRoom *room)
{
    HieraReply reply = answer(HIERA_PROBE_DONE);
    for (uint32_t i = 0; i < table->most_entries; i++) {
        const HieraSharedEntry *entry = &table->entries[i];
        if (!entry->is_used || entry->name != HIERA_SHARED_PUBLISHED ||
            memcmp(hiera_shared_table_key(table, entry), &rank, sizeof rank) == 0)
            continue;
        if (!add_text(room, &reply, hiera_shared_table_get(table, entry)))
            reply.answer = HIERA_PROBE_NO_ROOM;
    }
    return reply;
}

HieraReply hiera_shared_answer(HieraSharedTable *table, const HieraQuestion *question, const char *key,
                               const char *text, HieraReplyRoom *room)
{
    bool is_lock = question->kind == HIERA_ASK_LOCK || question->kind == HIERA_ASK_UNLOCK;
    bool makes =
        question->kind == HIERA_ASK_CHANGE || question->kind == HIERA_ASK_BRING || question->kind == HIERA_ASK_LOCK;
    HieraSharedEntry *entry = NULL;
    if (question->kind < HIERA_ASK_SPOIL)
        entry = hiera_shared_table_find(table, is_lock ? HIERA_SHARED_LOCKS : question->name, key, question->key_bytes,
                                        makes);
    switch (question->kind) {
    case HIERA_ASK_GET:
        return get(table, entry, room);
    case HIERA_ASK_CHANGE:
    case HIERA_ASK_BRING:
        return answer(change(table, entry, question, text));
    case HIERA_ASK_LOCK:
        return answer((HieraProbeAnswer)hiera_shared_lock_take(
            table, entry, &(HieraLockAsker){question->asker, question->waited_ns, question->looks != 0}));
    case HIERA_ASK_UNLOCK:
        return answer(hiera_shared_lock_give(entry, &question->asker) ? HIERA_PROBE_DONE : HIERA_PROBE_NEVER_SET);
    case HIERA_ASK_SPOIL:
        return answer(spoil(table, question->name));
    case HIERA_ASK_PUBLISH:
        return answer(publish(table, question->name, text, question->text_bytes));
    case HIERA_ASK_GATHER:
        return gather(table, question->name, room);
    default:
        return answer(HIERA_PROBE_NO_ROOM);
    }
}
