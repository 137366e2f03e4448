#include "named.h"
#include "places.h"
#include "readable_name.h"
#include <string.h>

/* A name with a file: the colon is not one of "::". */
static const char *find_colon(const char *text)
{
    for (const char *at = strchr(text, ':'); at; at = strchr(at, ':')) {
        if (at[1] != ':')
            return at > text && at[1] ? at : NULL;
        at += strspn(at, ":");
    }
    return NULL;
}

HieraNamed hiera_named_begin(const char *text)
{
    const char *colon = find_colon(text);
    g_autofree char *file = colon ? g_strndup(text, (gsize)(colon - text)) : NULL;
    HieraNamed named = {.file = file ? g_path_get_basename(file) : NULL, .name = g_strdup(colon ? colon + 1 : text)};
    named.nearest = hiera_nearest_begin(named.name, strlen(named.name));
    return named;
}

void hiera_named_clear(HieraNamed *named)
{
    g_free(named->file);
    g_free(named->name);
    g_free(named->similar);
}

/* Whether a name is that of a symbol of gfortran, in any letters, with or without the module. */
static gboolean means_fortran(const char *name, const char *symbol)
{
    g_autofree char *whole = hiera_name_without_clone(symbol), *readable = hiera_readable_name(whole, "x.f90");
    const char *inside = strstr(readable, "::");
    gboolean is_internal = strcmp(whole, symbol) != 0 && g_ascii_isdigit(symbol[strlen(whole) + 1]);
    if (!inside && !is_internal && strcmp(readable, whole) == 0)
        return FALSE;
    return g_ascii_strcasecmp(name, readable) == 0 || (inside && g_ascii_strcasecmp(name, inside + 2) == 0);
}

static gboolean fits_pattern(const char *pattern, const char *symbol)
{
    g_autofree char *whole = hiera_name_without_clone(symbol), *readable = hiera_readable_name(whole, NULL);
    char *arguments = strchr(readable, '(');
    if (g_pattern_match_simple(pattern, symbol) || g_pattern_match_simple(pattern, readable))
        return TRUE;
    if (arguments)
        *arguments = '\0';
    return g_pattern_match_simple(pattern, readable);
}

/* Remove the functions that are not in the source file, nor in the library, of this name. */
static void keep_those_of_file(GPtrArray *found, const HieraNamed *named, const HieraObject *object)
{
    g_autofree char *library = g_path_get_basename(object->path);
    if (found->len == 0 || !named->file || strcmp(library, named->file) == 0)
        return;
    g_autoptr(HieraPlaces) places = hiera_places_new(object->path);
    g_autoptr(GArray) frames = g_array_new(FALSE, FALSE, sizeof(HieraFrame));
    for (guint i = found->len; i-- > 0;) {
        if (places)
            hiera_places_find(places, ((const HieraFunction *)found->pdata[i])->address, frames);
        const char *file = frames->len > 0 ? g_array_index(frames, HieraFrame, frames->len - 1).file : NULL;
        g_autofree char *source = g_path_get_basename(file ? file : "");
        if (!file || strcmp(source, named->file) != 0)
            g_ptr_array_remove_index(found, i);
    }
}

static void offer(HieraNamed *named, const char *symbol)
{
    g_autofree char *whole = hiera_name_without_clone(symbol), *readable = hiera_readable_name(whole, NULL);
    g_autofree char *bare = g_strndup(readable, strcspn(readable, "(<"));
    const char *scope = g_strrstr(bare, "::"), *last = scope ? scope + 2 : bare;
    hiera_nearest_offer(&named->nearest, last);
    if (named->nearest.best != last)
        return;
    g_free(named->similar);
    named->similar = g_steal_pointer(&readable);
    named->nearest.best = named->similar;
}

GPtrArray *hiera_named_find(HieraNamed *named, const HieraFunctions *functions)
{
    static gboolean (*const ways[])(const char *, const char *) = {hiera_name_means, means_fortran, fits_pattern};
    guint n = strpbrk(named->name, "*?") ? 3 : 2;
    GPtrArray *found = g_ptr_array_new();
    for (guint way = 0; way < n && found->len == 0; way++) {
        for (guint i = 0; i < functions->functions->len; i++) {
            HieraFunction *function = functions->functions->pdata[i];
            if (ways[way](named->name, function->name))
                g_ptr_array_add(found, function);
        }
        keep_those_of_file(found, named, functions->object);
    }
    for (guint i = 0; found->len == 0 && i < functions->functions->len; i++)
        offer(named, ((const HieraFunction *)functions->functions->pdata[i])->name);
    return found;
}

char *hiera_named_hint(const HieraNamed *named)
{
    return named->similar ? g_strdup_printf("; did you mean '%s'?", named->similar) : g_strdup("");
}
