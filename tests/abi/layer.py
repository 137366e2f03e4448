#!/usr/bin/env python3
"""Makes a thin layer with the ABI of MPI 5.0 above MPICH, for tests: layer.py OUTPUT writes the C source of the functions that are named here, with their parameters
from functions.table. What translates handles, statuses and numbers is in layer.h."""

import os
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GENERATE = os.path.join(TOP, 'collector', 'mpi', 'generate')
sys.path.insert(0, GENERATE)

import table  # noqa: E402

# What the tests call, and what Hiera calls in them.
NAMES = '''Init Init_thread Finalize Initialized Finalized Query_thread Is_thread_main Abort Wtime Wtick Get_version Get_library_version Get_processor_name Error_class
    Comm_rank Comm_size Comm_group Comm_dup Comm_free Comm_split Comm_create_group Comm_get_parent Comm_test_inter Comm_remote_size
    Comm_remote_group Comm_get_attr Comm_set_attr Comm_free_keyval Topo_test Cartdim_get Cart_create Cart_shift Group_incl Group_free Group_size Group_rank Group_translate_ranks Errhandler_free
    Send Ssend Recv Isend Irecv Sendrecv Probe Wait Waitall Test Cancel Test_cancelled Get_count Get_elements_x
    Barrier Bcast Reduce Allreduce Gather Allgather Alltoall Iallreduce
    T_init_thread T_cvar_get_num T_cvar_get_info T_pvar_get_num T_pvar_get_info T_pvar_session_create T_pvar_handle_alloc
    Type_size_x Type_get_extent_x Type_get_envelope Type_get_envelope_c Type_vector Type_commit Type_free'''.split()

# Names of the constants that a parameter has (layer.h), in or out.
CONSTANTS = {'rank': 'rank', 'tag': 'tag', 'required': 'level', 'provided': 'level', 'comm_keyval': 'keyval', 'bind': 'binding', 'var_class': 'variable'}


def class_of(p):
    kind = table.HANDLES.get(p.type, 'REQUEST' if p.type == 'MPI_Request' else '')
    return 'HIERA_HANDLE_' + kind if kind else ''


def constant_of(function, p):
    """The kind of numbers that a parameter has which differ between the two; '': none."""
    if function.name == 'MPI_Topo_test' and p.name == 'status':
        return 'topology'
    return CONSTANTS.get(p.type) or CONSTANTS.get(p.name, '')


def translated(function, p):
    """(statements before the call, argument, statements after it) of a parameter."""
    name, handle, number = p.name, class_of(p), constant_of(function, p)
    if handle and p.length:
        return ([f'int l_{name}[LAYER_MOST];', f'for (int i = 0; i < lower_count({p.length}); i++)', f'    l_{name}[i] = lower({handle}, {name}[i]);'], f'l_{name}',
                [f'for (int i = 0; i < {p.length}; i++)', f'    {name}[i] = upper({handle}, l_{name}[i]);'] if p.direction != 'in' else [])
    if handle and p.direction:
        return [f'int l_{name} = lower({handle}, {"NULL" if p.direction == "out" else "*" + name});'], f'&l_{name}', [f'*{name} = upper({handle}, l_{name});']
    if handle:
        return [], f'lower({handle}, {name})', []
    if p.type == 'MPI_Status' and p.length:
        return ([f'LowerStatus l_{name}[LAYER_MOST];'], f'{name} ? l_{name} : lower_statuses_ignore()',
                [f'for (int i = 0; {name} && i < {p.length}; i++)', f'    upper_status(&{name}[i], &l_{name}[i]);'])
    if p.type == 'MPI_Status':
        before = [f'LowerStatus l_{name} = lower_status({name});']
        return before, f'{name} ? &l_{name} : lower_status_ignore()', [f'if ({name})', f'    upper_status({name}, &l_{name});'] if p.direction != 'in' else []
    if number and p.direction == 'out' and not p.length:
        return [], name, [f'*{name} = upper_{number}(*{name});']
    if number and not p.direction:
        return [], f'lower_{number}({name})', []
    return [], f'lower_buffer({name})' if p.type == 'buffer' else name, []


def function_source(f):
    before, arguments, after = [], [], []
    for p in f.parameters:
        first, argument, last = translated(f, p)
        before, arguments, after = before + first, [*arguments, argument], after + last
    if f.name in ('MPI_Init', 'MPI_Init_thread'):
        after += ['layer_begin();']
    types = ', '.join('const void *' if p.type == 'buffer' else 'void *' if p.type == 'MPI_Status' or class_of(p) and (p.direction or p.length) else 'int' if class_of(p)
                      else p.declaration for p in f.parameters) or 'void'
    error = f'layer_error("{f.name}", result)'
    plain = ', '.join(p.declaration for p in f.parameters) or 'void'
    body = [f'static {f.result} (*call)({types});', 'if (!call)', f'    *(void **)&call = lower_function("P{f.name}");', *before,
            f'{f.result} result = call({", ".join(arguments)});', *(['if (result != 0)', f'    return {"MPI_ERR_OTHER" if f.name.startswith("MPI_T_") else error};'] if f.result == 'int' else []), *after, 'return result;']
    return '\n'.join([f'LAYER {f.result} P{f.name}({plain})', '{', *('    ' + line for line in body), '}',
                      f'LAYER {f.result} {f.name}({plain}) __attribute__((weak, alias("P{f.name}")));', ''])


def main():
    functions = {f.name[4:]: f for f in table.read(os.path.join(GENERATE, 'functions.table'), table.read_kinds(os.path.join(TOP, 'dtd', 'kinds.h')))}
    with open(sys.argv[1], 'w', encoding='utf-8') as file:
        file.write('/* Made by tests/abi/layer.py. */\n#include "layer.h"\n\n' + '\n'.join(function_source(functions[name]) for name in NAMES))


if __name__ == '__main__':
    main()
