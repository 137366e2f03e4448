"""Generates the C source of wrappers from the tables of a library. The source includes level.h."""

HEAD = '''/* Made from {tables} by Hiera. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
{includes}
#include "level.h"

#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wpragmas"
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#pragma GCC diagnostic ignored "-Wignored-qualifiers"

/* hiera-run searches the library for this text. */
HIERA_EXPORTED extern const char hiera_level_{name}[];
const char hiera_level_{name}[] __attribute__((used)) = "\\nhiera-level name={name} levels={levels} libraries={libraries}\\n";
'''

# Kind of a parameter -> C statement that records it.
RECORDING = {
    'value': 'hiera_level_text_value(&my_text, {n});',
    'behind': 'hiera_level_text_value(&my_text, *{n});',
    'logical': 'hiera_level_text_integer(&my_text, *{n} != 0);',
    'flag': 'hiera_level_text_flag(&my_text, {n});',
    'text': 'hiera_level_text_string(&my_text, {n});',
    'context': 'hiera_level_text_grid(&my_text, {n}, my_site);',
    'context behind': 'hiera_level_text_grid(&my_text, *{n}, my_site);',
    'desc': 'hiera_level_text_descriptor(&my_text, {n}, my_site);',
}


def lengths(function):
    """Hidden length parameters of Fortran's CHARACTER."""
    count = sum(p.is_character for p in function.parameters) if function.fortran else 0
    return [f'my_length_{i}' for i in range(count)]


def recording(p):
    lines = [f'hiera_level_text_name(&my_text, "{p.name}");', RECORDING[p.kind].format(n=p.name)]
    may_be_null = p.kind in ('behind', 'desc', 'context behind', 'logical')
    return [f'if ({p.name}) {{', *('    ' + line for line in lines), '}'] if may_be_null else lines


def wrapper(f):
    parameters = ', '.join([p.declaration for p in f.parameters] + [f'size_t {n}' for n in lengths(f)]) or 'void'
    arguments = ', '.join([p.name for p in f.parameters] + lengths(f))
    recorded = [line for p in f.parameters if p.kind for line in recording(p)]
    body = ['hiera_level_text_open(&my_text);', *recorded, f'hiera_level_begin(&my_call, my_site, "{f.level}", "{f.operation}", &my_text);']
    call = f'(({f.result.strip()} (*)({parameters}))my_code)({arguments});'
    star = '' if f.result.endswith('*') else ' '
    return '\n'.join([
        f'HIERA_WRAPPER {f.result.strip()}{star}{f.symbol}({parameters})', '{',
        f'    static HieraReal my_real = {{"{f.symbol}", NULL}};',
        '    const void *my_site = hiera_level_site(HIERA_CALLER());',
        '    HieraLevelFunction *my_code = hiera_level_find(&my_real, my_site);',
        '    HIERA_LEVEL_CALL(my_call, my_code);',
        '    if (hiera_level_enter()) {', '        HieraLevelText my_text;', *('        ' + line for line in body), '    }',
        f'    {call}' if f.result.strip() == 'void' else f'    return {call}', '}', ''])


def source(name, tables):
    includes = [line for table in tables for line in table.includes]
    libraries = list(dict.fromkeys(pattern for table in tables for pattern in table.libraries))
    levels = list(dict.fromkeys(level for table in tables for level in table.levels))
    functions = [f for table in tables for f in table.functions]
    head = HEAD.format(tables=' '.join(table.path.rsplit('/', 1)[-1] for table in tables), includes='\n'.join(includes),
                       name=name.replace('-', '_'), levels=','.join(levels), libraries=','.join(libraries))
    return '\n'.join([head, *(f'#undef {f.symbol}' for f in functions), '', *map(wrapper, functions)])
