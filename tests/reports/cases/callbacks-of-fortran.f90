! source: found from outside, R3
! ingredient: Fortran's user operation, attribute functions and error handler make MPI calls, from the module mpi
! run: hiera-run mpirun -n 2 ./app
! expect: calls type_size 2
! expect: calls send 1
! expect: calls receive 1
! expect: calls barrier 6
! expect: answer sed -n '/"allreduce"/,/hieraMPI>/p' trace0.xml => "type_size" file="[^"]*callbacks-of-fortran.f90"
! expect: answer grep -c '^    <hieraMPI operation="barrier"' trace0.xml => ^2$
! expect: answer hiera-transform --validate . => errors: 0
module callbacks
  use mpi
  implicit none
  integer :: rank = -1
contains
  subroutine add(in, inout, n, type)
    integer :: n, type, size, error
    integer :: in(n), inout(n)
    call MPI_Type_size(type, size, error)
    inout = inout + in + size - 4
  end subroutine add

  subroutine on_delete(comm, key, value, extra, error)
    integer :: comm, key, error
    integer(kind=MPI_ADDRESS_KIND) :: value, extra
    call MPI_Barrier(MPI_COMM_WORLD, error)
    if (.false.) comm = key + int(value + extra)
  end subroutine on_delete

  subroutine on_error(comm, code)
    integer :: comm, code, error
    call MPI_Barrier(MPI_COMM_WORLD, error)
    if (rank == 0) call MPI_Send(code, 1, MPI_INTEGER, 1, 7, MPI_COMM_WORLD, error)
    if (.false.) comm = 0
  end subroutine on_error
end module callbacks

program main
  use callbacks
  integer :: error, op, key, handler, copy, value, total
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Op_create(add, .true., op, error)
  value = rank + 1
  call MPI_Allreduce(value, total, 1, MPI_INTEGER, op, MPI_COMM_WORLD, error)
  call MPI_Op_free(op, error)
  call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_delete, key, 0_MPI_ADDRESS_KIND, error)
  call MPI_Comm_dup(MPI_COMM_WORLD, copy, error)
  call MPI_Comm_set_attr(copy, key, 5_MPI_ADDRESS_KIND, error)
  call MPI_Comm_free(copy, error)
  call MPI_Comm_create_errhandler(on_error, handler, error)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler, error)
  call MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_OTHER, error)
  if (rank == 1) call MPI_Recv(value, 1, MPI_INTEGER, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
  call MPI_Errhandler_free(handler, error)
  call MPI_Comm_free_keyval(key, error)
  call MPI_Barrier(MPI_COMM_WORLD, error)
  print '(a, i0, a, i0)', 'rank ', rank, ': ', total
  call MPI_Finalize(error)
end program main
