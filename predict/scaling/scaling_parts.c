#include "scaling_parts.h"
#include <math.h>

static const char *const kind_names[] = {
#define X(identifier, name) name,
    PART_KINDS(X)
#undef X
};

static const PartQuantity of_messages[] = {{"sent", UNIT_NUMBER, -1},
                                           {"received", UNIT_NUMBER, -1},
                                           {"bytes of a sent one", UNIT_BYTES, MESSAGES_SENT},
                                           {"bytes of a received one", UNIT_BYTES, MESSAGES_RECEIVED}};
static const PartQuantity of_collectives[] = {{"calls", UNIT_NUMBER, -1},
                                              {"bytes of a call", UNIT_BYTES, COLLECTIVES_CALLS},
                                              {"members of a call", UNIT_NUMBER, COLLECTIVES_CALLS}};
static const PartQuantity of_time[] = {{"time", UNIT_NS, -1}};

const char *part_kind_name(PartKind kind)
{
    return kind_names[kind];
}

const PartQuantity *part_peek_quantity(PartKind kind, guint quantity)
{
    switch (kind) {
    case PART_MESSAGES:
        return quantity < G_N_ELEMENTS(of_messages) ? &of_messages[quantity] : NULL;
    case PART_COLLECTIVES:
        return quantity < G_N_ELEMENTS(of_collectives) ? &of_collectives[quantity] : NULL;
    default:
        return quantity < G_N_ELEMENTS(of_time) ? &of_time[quantity] : NULL;
    }
}

Part *scaling_parts_find(ScalingParts *parts, PartKind kind, HieraSimCollective collective, const char *path)
{
    g_autofree char *name = g_strdup_printf("%d %d %s", (int)kind, (int)collective, path);
    Part *part = g_hash_table_lookup(parts->names, name);
    if (part)
        return part;
    part = g_new0(Part, 1);
    *part = (Part){kind, collective, g_strdup(path), g_array_new(FALSE, FALSE, sizeof(PartValues))};
    g_ptr_array_add(parts->parts, part);
    g_hash_table_insert(parts->names, g_steal_pointer(&name), part);
    return part;
}

PartValues part_no_values(PartKind kind)
{
    PartValues values = {.inside = NAN};
    for (guint i = 0; i < REACH_QUANTILES; i++)
        values.distance[i] = NAN;
    for (guint i = 0; part_peek_quantity(kind, i); i++) {
        for (guint of = 0; of < N_OF && part_peek_quantity(kind, i)->each_of >= 0; of++)
            values.value[i][of] = NAN;
    }
    return values;
}

static gdouble mean_of(gdouble one, gdouble other)
{
    if (isnan(one))
        return other;
    return isnan(other) ? one : (one + other) / 2;
}

void part_add_values(PartValues *to, const PartValues *more, PartKind kind)
{
    for (guint i = 0; part_peek_quantity(kind, i); i++) {
        gboolean is_sum = part_peek_quantity(kind, i)->each_of < 0;
        for (guint of = 0; of < N_OF; of++) {
            gdouble one = to->value[i][of], other = more->value[i][of];
            to->value[i][of] = is_sum ? one + other : fmax(one, other);
        }
    }
    to->inside = mean_of(to->inside, more->inside);
    for (guint i = 0; i < REACH_QUANTILES; i++)
        to->distance[i] = mean_of(to->distance[i], more->distance[i]);
}

void scaling_parts_remove(ScalingParts *parts, guint index)
{
    g_array_remove_index(parts->runs, index);
    for (guint i = 0; i < parts->parts->len; i++)
        g_array_remove_index(((Part *)g_ptr_array_index(parts->parts, i))->runs, index);
}

void scaling_parts_add_messages(ScalingParts *parts, const char *path, gdouble neighbours, gdouble messages,
                                gdouble bytes)
{
    Part *part = scaling_parts_find(parts, PART_MESSAGES, 0, path);
    PartValues values = {.inside = NAN};
    for (guint i = 0; i < REACH_QUANTILES; i++)
        values.distance[i] =
            ceil(neighbours / 2.0 * (i + 1) / REACH_QUANTILES); /* half of the neighbours are on each side of a rank */
    for (guint of = 0; of < N_OF; of++) {
        values.value[MESSAGES_SENT][of] = values.value[MESSAGES_RECEIVED][of] = messages;
        values.value[MESSAGES_SENT_BYTES][of] = values.value[MESSAGES_RECEIVED_BYTES][of] = bytes;
    }
    while (part->runs->len < parts->runs->len)
        g_array_append_val(part->runs, values);
}

void scaling_parts_add_waiting(ScalingParts *parts, const char *path, const GArray *ns)
{
    Part *part = scaling_parts_find(parts, PART_WAITING, 0, path);
    for (guint i = part->runs->len; i < ns->len; i++) {
        PartValues values = part_no_values(PART_WAITING);
        for (guint of = 0; of < N_OF; of++)
            values.value[PART_TIME][of] = g_array_index(ns, gdouble, i);
        g_array_append_val(part->runs, values);
    }
}

static void free_part(gpointer data)
{
    Part *part = data;
    g_free(part->path);
    g_array_unref(part->runs);
    g_free(part);
}

static void clear_run(gpointer run)
{
    PartRun *of = run;
    g_free(of->name);
    if (of->stages)
        g_array_unref(of->stages);
}

ScalingParts *scaling_parts_new(void)
{
    ScalingParts *parts = g_new(ScalingParts, 1);
    *parts = (ScalingParts){g_array_new(FALSE, FALSE, sizeof(PartRun)), g_ptr_array_new_with_free_func(free_part),
                            g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL)};
    g_array_set_clear_func(parts->runs, clear_run);
    return parts;
}

void scaling_parts_free(ScalingParts *parts)
{
    g_hash_table_unref(parts->names);
    g_ptr_array_unref(parts->parts);
    g_array_unref(parts->runs);
    g_free(parts);
}
