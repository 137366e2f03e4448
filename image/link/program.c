/* Loads libraries in breadth-first order, as the dynamic linker does. See program.h. */
#include "program.h"
#include "library_choice.h"
#include "library_path.h"
#include <gelf.h>
#include <string.h>

/* Addresses of libraries: above those that executables, their heap and their stack use, and far from each other. */
#define FIRST_LIBRARY 0x680000000000u
#define APART         0x100000000u
enum { MOST_FILES = 4096 };

typedef struct {
    HieraLinkedFile *file;
    guint by;            /* index of the file that needs this one; of the executable: its own index */
    gboolean is_wanted;  /* whether the library is to be analysed; see find_wanted() */
    HieraObject *object; /* contents of the file; NULL: it is not analysed */
} Linked;

struct HieraLinkedProgram {
    GArray *files;       /* Linked, in load order */
    GHashTable *by_name; /* char *: name by which a file is needed, its soname, or its path → index in `files` + 1 */
};

static gboolean is_own(const char *libraries)
{
    return !libraries || strcmp(libraries, "own") == 0;
}

static Linked *linked_at(const HieraLinkedProgram *linked, guint i)
{
    return &g_array_index(linked->files, Linked, i);
}

static void name_file(HieraLinkedProgram *linked, const char *name, guint number)
{
    if (name && !g_hash_table_contains(linked->by_name, name))
        g_hash_table_insert(linked->by_name, g_strdup(name), GUINT_TO_POINTER(number + 1));
}

static void add_file(HieraLinkedProgram *linked, HieraLinkedFile *file, const char *name, guint by)
{
    const Linked added = {.file = file, .by = by};
    name_file(linked, name, linked->files->len);
    name_file(linked, file->soname, linked->files->len);
    name_file(linked, file->path, linked->files->len);
    g_array_append_val(linked->files, added);
}

static HieraLinkedFile *find_file(const HieraLinkedProgram *linked, HieraLibraryPath *path, const char *name, guint by)
{
    g_autoptr(GPtrArray) users = g_ptr_array_new();
    for (guint user = by;; user = linked_at(linked, user)->by) {
        g_ptr_array_add(users, linked_at(linked, user)->file);
        if (linked_at(linked, user)->by == user)
            break;
    }
    return hiera_library_path_find(path, name, users);
}

/* Load the libraries that a file needs. @param missing  receives names of libraries that were not found */
static void load_needed(HieraLinkedProgram *linked, HieraLibraryPath *path, guint by, GHashTable *missing)
{
    const GPtrArray *needed = linked_at(linked, by)->file->needed;
    for (guint i = 0; i < needed->len && linked->files->len < MOST_FILES; i++) {
        const char *name = needed->pdata[i];
        if (g_hash_table_contains(linked->by_name, name) || g_hash_table_contains(missing, name))
            continue;
        g_autoptr(HieraLinkedFile) file = find_file(linked, path, name, by);
        if (!file) {
            g_hash_table_add(missing, g_strdup(name));
            continue;
        }
        /* the library may be loaded already under another name */
        const char *soname = file->soname;
        gpointer same = g_hash_table_lookup(linked->by_name, file->path);
        if (!same && soname)
            same = g_hash_table_lookup(linked->by_name, soname);
        if (same)
            name_file(linked, name, GPOINTER_TO_UINT(same) - 1);
        else
            add_file(linked, g_steal_pointer(&file), name, by);
    }
}

/* Mark those libraries as wanted that a file needs and that are chosen. @param to_visit  receives their indices */
static void want_needed(HieraProgram *program, const char *libraries, guint by, GHashTable *missing, GArray *to_visit)
{
    HieraLinkedProgram *linked = program->linked;
    const GPtrArray *needed = linked_at(linked, by)->file->needed;
    for (guint i = 0; i < needed->len; i++) {
        const char *name = needed->pdata[i];
        guint number = GPOINTER_TO_UINT(g_hash_table_lookup(linked->by_name, name)) - 1;
        if (!hiera_library_is_chosen(libraries, name))
            continue;
        if (g_hash_table_remove(missing, name))
            g_ptr_array_add(program->missing, g_strdup(name));
        if (number == G_MAXUINT || number == 0 || linked_at(linked, number)->is_wanted)
            continue;
        linked_at(linked, number)->is_wanted = TRUE;
        g_array_append_val(to_visit, number);
    }
}

/* Find the wanted libraries. A library that only MPI or similar needs does not belong to the program itself; a pattern
 * may still name it. */
static void find_wanted(HieraProgram *program, const char *libraries, GHashTable *missing)
{
    g_autoptr(GArray) to_visit = g_array_new(FALSE, FALSE, sizeof(guint));
    guint n = is_own(libraries) ? 1 : program->linked->files->len;
    for (guint i = 0; i < n; i++)
        want_needed(program, libraries, i, missing, to_visit);
    for (guint i = 0; i < to_visit->len; i++)
        want_needed(program, libraries, g_array_index(to_visit, guint, i), missing, to_visit);
}

static void open_wanted(HieraProgram *program)
{
    HieraLinkedProgram *linked = program->linked;
    const HieraObject *executable = program->objects->pdata[0];
    linked_at(linked, 0)->object = program->objects->pdata[0];
    for (guint i = 1; i < linked->files->len; i++) {
        Linked *of = linked_at(linked, i);
        g_autoptr(GError) reading = NULL;
        if (!of->is_wanted)
            continue;
        guint64 base = FIRST_LIBRARY + program->objects->len * (guint64)APART;
        of->object = hiera_object_open_at(of->file->path, base, &reading);
        if (of->object && (of->object->machine != executable->machine || of->object->is_fixed))
            g_clear_pointer(&of->object, hiera_object_free);
        if (of->object)
            g_ptr_array_add(program->objects, of->object);
        else if (reading)
            g_ptr_array_add(program->damaged, g_strdup(reading->message));
    }
}

/* Whether a program may need a library that is analysed. Mostly it does not, and then no other file is opened. */
static gboolean may_need_chosen(const HieraLinkedFile *file, const char *libraries)
{
    const GPtrArray *needed = file->needed;
    gboolean is_none = libraries && strcmp(libraries, "none") == 0;
    for (guint i = 0; i < needed->len; i++)
        if (hiera_library_is_chosen(libraries, needed->pdata[i]))
            return TRUE;
    return !is_own(libraries) && !is_none && needed->len > 0;
}

static void clear_linked(gpointer cleared)
{
    hiera_linked_file_free(((Linked *)cleared)->file);
}

static void link_all(HieraProgram *program, const char *libraries)
{
    const HieraObject *executable = program->objects->pdata[0];
    HieraLinkedFile *file = hiera_linked_file_open(executable->path, 0);
    if (!file || !may_need_chosen(file, libraries)) {
        hiera_linked_file_free(file);
        return;
    }
    g_autoptr(HieraLibraryPath) path = hiera_library_path_new(file->machine);
    g_autoptr(GHashTable) missing = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    program->linked = g_new0(HieraLinkedProgram, 1);
    program->linked->files = g_array_new(FALSE, FALSE, sizeof(Linked));
    g_array_set_clear_func(program->linked->files, clear_linked);
    program->linked->by_name = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    add_file(program->linked, file, NULL, 0);
    for (guint i = 0; i < program->linked->files->len; i++)
        load_needed(program->linked, path, i, missing);
    find_wanted(program, libraries, missing);
    open_wanted(program);
}

HieraProgram *hiera_program_open(const char *path, const char *libraries, GError **error)
{
    HieraObject *executable = hiera_object_open(path, error);
    if (!executable)
        return NULL;
    HieraProgram *program = g_new0(HieraProgram, 1);
    program->objects = g_ptr_array_new_with_free_func((GDestroyNotify)hiera_object_free);
    program->missing = g_ptr_array_new_with_free_func(g_free);
    program->damaged = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(program->objects, executable);
    link_all(program, libraries);
    return program;
}

void hiera_program_free(HieraProgram *program)
{
    if (!program)
        return;
    if (program->linked) {
        g_array_unref(program->linked->files);
        g_hash_table_unref(program->linked->by_name);
        g_free(program->linked);
    }
    g_ptr_array_unref(program->objects);
    g_ptr_array_unref(program->missing);
    g_ptr_array_unref(program->damaged);
    g_free(program);
}

guint hiera_program_object(const HieraProgram *program, guint64 address)
{
    guint64 number = address >= FIRST_LIBRARY ? (address - FIRST_LIBRARY) / APART : 0;
    return number < program->objects->len ? (guint)number : G_MAXUINT;
}

/* Add the index of a file's object to `order`, behind those of the files that it needs. */
static void order_file(const HieraProgram *program, guint number, gboolean *visited, GArray *order)
{
    const HieraLinkedProgram *linked = program->linked;
    const GPtrArray *needed = linked_at(linked, number)->file->needed;
    guint index;
    visited[number] = TRUE;
    for (guint i = 0; i < needed->len; i++) {
        guint next = GPOINTER_TO_UINT(g_hash_table_lookup(linked->by_name, needed->pdata[i])) - 1;
        if (next != G_MAXUINT && !visited[next])
            order_file(program, next, visited, order);
    }
    if (linked_at(linked, number)->object &&
        g_ptr_array_find(program->objects, linked_at(linked, number)->object, &index))
        g_array_append_val(order, index);
}

GArray *hiera_program_order(const HieraProgram *program)
{
    GArray *order = g_array_new(FALSE, TRUE, sizeof(guint));
    if (!program->linked)
        return g_array_set_size(order, 1); /* the executable alone, 0 */
    g_autofree gboolean *visited = g_new0(gboolean, program->linked->files->len);
    order_file(program, 0, visited, order);
    return order;
}

/* Return what a definition means for the program. A thread-local variable has no address. */
static HieraTarget target_of(const Linked *file, const HieraDefinition *found)
{
    if (!file->object || found->type == STT_TLS)
        return (HieraTarget){.kind = HIERA_TARGET_OUTSIDE};
    return (HieraTarget){found->type == STT_GNU_IFUNC ? HIERA_TARGET_CHOSEN : HIERA_TARGET_INSIDE,
                         found->address + file->object->base, found->size};
}

HieraTarget hiera_program_resolve(const HieraProgram *program, const HieraObject *from, const char *name)
{
    const HieraLinkedProgram *linked = program->linked;
    HieraDefinition found;
    guint user = 0;
    if (!linked)
        return (HieraTarget){.kind = HIERA_TARGET_OUTSIDE};
    while (user + 1 < linked->files->len && linked_at(linked, user)->object != from)
        user++;
    HieraReference reference = hiera_linked_file_reference(linked_at(linked, user)->file, name);
    if (reference.is_ambiguous)
        return (HieraTarget){.kind = HIERA_TARGET_OUTSIDE};
    if (linked_at(linked, user)->file->is_symbolic &&
        hiera_linked_file_find(linked_at(linked, user)->file, name, reference.version, &found))
        return target_of(linked_at(linked, user), &found);
    for (guint i = 0; i < linked->files->len; i++)
        if (hiera_linked_file_find(linked_at(linked, i)->file, name, reference.version, &found))
            return target_of(linked_at(linked, i), &found);
    return (HieraTarget){.kind = reference.is_weak ? HIERA_TARGET_NOWHERE : HIERA_TARGET_OUTSIDE};
}

HieraTarget hiera_program_original(const HieraProgram *program, const char *name)
{
    const HieraLinkedProgram *linked = program->linked;
    HieraDefinition found;
    for (guint i = 1; linked && i < linked->files->len; i++)
        if (hiera_linked_file_find(linked_at(linked, i)->file, name, NULL, &found))
            return target_of(linked_at(linked, i), &found);
    return (HieraTarget){.kind = HIERA_TARGET_OUTSIDE};
}

gboolean hiera_program_follows(const char *name)
{
    return hiera_library_function_is_chosen(name);
}
