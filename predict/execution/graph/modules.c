#include "modules.h"

static void free_module(gpointer freed)
{
    HieraModule *module = freed;
    if (!module)
        return;
    hiera_places_free(module->places);
    hiera_no_return_free(module->no_return);
    hiera_decoder_free(module->decoder);
    hiera_functions_free(module->functions);
    g_free(module);
}

static HieraModule *open_module(HieraObject *object, GError **error)
{
    HieraModule *module = g_new0(HieraModule, 1);
    module->object = object;
    module->functions = hiera_functions_new(object, error);
    module->decoder = module->functions ? hiera_decoder_new(object, error) : NULL;
    if (module->decoder)
        return module;
    free_module(module);
    return NULL;
}

gboolean hiera_modules_open(HieraModules *modules, const char *path, const char *libraries, GError **error)
{
    modules->all = g_ptr_array_new_with_free_func(free_module);
    modules->program = hiera_program_open(path, libraries, error);
    for (guint i = 0; modules->program && i < modules->program->objects->len; i++) {
        HieraModule *module = open_module(modules->program->objects->pdata[i], i == 0 ? error : NULL);
        if (!module && i == 0)
            return FALSE;
        if (i == 0)
            hiera_no_return_find(module->functions, module->decoder);
        else if (module)
            module->no_return = hiera_no_return_new(module->functions, module->decoder);
        g_ptr_array_add(modules->all, module);
    }
    return modules->program != NULL;
}

void hiera_modules_clear(HieraModules *modules)
{
    if (modules->all)
        g_ptr_array_unref(modules->all);
    hiera_program_free(modules->program);
    *modules = (HieraModules){0};
}

HieraModule *hiera_modules_at(const HieraModules *modules, guint64 address)
{
    guint number = hiera_program_object(modules->program, address);
    return number == G_MAXUINT ? NULL : modules->all->pdata[number];
}

HieraFunction *hiera_modules_function(const HieraModules *modules, guint64 address)
{
    const HieraModule *module = hiera_modules_at(modules, address);
    HieraFunction *function = module ? hiera_functions_at(module->functions, address) : NULL;
    if (function && module->no_return && !hiera_program_follows(function->name))
        return NULL;
    if (function && module->no_return)
        hiera_no_return_look(module->no_return, function);
    return function && function->whole ? NULL : function;
}

const char *hiera_modules_apart(const HieraModules *modules, guint64 address)
{
    const HieraModule *module = hiera_modules_at(modules, address);
    const HieraFunction *function = module && module->no_return ? hiera_functions_at(module->functions, address) : NULL;
    return function && function->named && !hiera_program_follows(function->name) ? function->name : NULL;
}

guint64 hiera_modules_import(const HieraModules *modules, const HieraModule *from, guint64 address, gboolean is_pointer,
                             const char **name, gboolean *chosen)
{
    *name = is_pointer ? hiera_decoder_import(from->decoder, address) : hiera_decoder_stub(from->decoder, address);
    *chosen = FALSE;
    if (!*name || !hiera_program_follows(*name))
        return 0;
    HieraTarget target = hiera_program_resolve(modules->program, from->object, *name);
    *chosen = target.kind == HIERA_TARGET_CHOSEN;
    const HieraFunction *own = modules->program->linked ? NULL : hiera_functions_named(from->functions, *name);
    if (target.kind == HIERA_TARGET_INSIDE)
        return target.address;
    return own ? own->address : 0;
}

HieraPlaces *hiera_modules_places(const HieraModules *modules, guint64 address)
{
    HieraModule *module = hiera_modules_at(modules, address);
    if (!module)
        return NULL;
    if (!module->has_places)
        module->places = hiera_places_new_at(module->object->path, module->object->base);
    module->has_places = TRUE;
    return module->places;
}
