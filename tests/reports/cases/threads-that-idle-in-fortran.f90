! ingredient: threads of OpenMP that idle for known reasons, in a program of Fortran that counts by its own clock how long
! source: found from outside, item *threads of OpenMP in every answer*
! mpi: openmpi
! build: mpifort -cpp -g -O1 -fopenmp %f -o fortran
! run: OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive hiera-run --library=$LIBHIERA --level=openmp mpirun -n 2 ./fortran
! expect: answer python3 $CASES/../idle.py 1 fortran => ^right\n$
module clocks
   use iso_c_binding
   implicit none
   integer(c_int), parameter :: monotonic = 1, of_thread = 3
   double precision :: entered, left(0:1), in_mpi = 0, in_tasks(0:1) = 0, arrived(0:1) = 0, times(0:1, 99) = 0
   integer :: lines(0:1, 99) = 0, n(0:1) = 0, made_in
   character(32) :: classes(0:1, 99)

   type, bind(c) :: timespec
      integer(c_long) :: seconds, nanoseconds
   end type

   interface
      integer(c_int) function clock_gettime(id, time) bind(c)
         import
         integer(c_int), value :: id
         type(timespec), intent(out) :: time
      end function
   end interface

contains

   double precision function clock_of(id)
      integer(c_int), intent(in) :: id
      type(timespec) :: time
      integer(c_int) :: status
      status = clock_gettime(id, time)
      clock_of = time%seconds + time%nanoseconds * 1d-9
   end function

   double precision function now()
      now = clock_of(monotonic)
   end function

   ! Compute for some processor time, whatever else this machine does.
   subroutine work(steps)
      integer, intent(in) :: steps
      double precision :: end
      end = clock_of(of_thread) + 0.01d0 * steps
      do while (clock_of(of_thread) < end)
      end do
   end subroutine

   subroutine add(thread, class, line, time)
      integer, intent(in) :: thread, line
      character(*), intent(in) :: class
      double precision, intent(in) :: time
      n(thread) = n(thread) + 1
      classes(thread, n(thread)) = class
      lines(thread, n(thread)) = line
      times(thread, n(thread)) = time
   end subroutine

   ! A thread begins its part of a region; the region has ended.
   subroutine enter(thread, line)
      integer, intent(in) :: thread, line
      call add(thread, 'start of region', line, now() - entered)
   end subroutine

   subroutine join(line)
      integer, intent(in) :: line
      call add(0, 'end of region', line, now() - left(0))
      call add(1, 'end of region', line, now() - left(1))
   end subroutine

   subroutine write_rows(rank, all)
      integer, intent(in) :: rank
      double precision, intent(in) :: all
      character(1) :: digit
      integer :: thread, i, unit
      write (digit, '(i1)') rank
      open (newunit=unit, file='own.' // digit)
      do thread = 0, 1
         do i = 1, n(thread)
            write (unit, '(a,",",i0,",",i0,",",f0.9)') trim(classes(thread, i)), lines(thread, i), thread, times(thread, i)
         end do
      end do
      write (unit, '("all,0,0,",f0.9/"useful,0,0,",f0.9)') all, all - in_mpi - sum(times)
      close (unit)
   end subroutine
end module

program threads_that_idle_in_fortran
   use mpi
   use omp_lib
   use clocks
   implicit none
   integer :: provided, rank, error, i, thread
   double precision :: begin, since, before
   integer(omp_lock_kind) :: lock
   call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, error)
   begin = now()
   call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
   call omp_init_lock(lock)

   ! The first thread computes, the other one has nothing to do; then its part of the loop is longer.
   since = now()
   call work(4)
   entered = now()
   call add(1, 'serial part', __LINE__ + 1, entered - since)
!$omp parallel do schedule(static, 1) private(thread)
   do i = 0, 1
      thread = omp_get_thread_num()
      call enter(thread, __LINE__ - 3)
      call work(merge(2, 22, i == 0))
      left(thread) = now()
   end do
   call join(__LINE__ - 7)

   ! A critical section, then a lock that both threads want twice.
   entered = now()
!$omp parallel private(thread, since)
   thread = omp_get_thread_num()
   call enter(thread, __LINE__ - 2)
   since = now()
!$omp critical
   call add(thread, 'wait for critical', __LINE__ - 1, now() - since)
   call work(4)
!$omp end critical
   left(thread) = now()
!$omp end parallel
   call join(__LINE__ - 10)
   entered = now()
!$omp parallel private(thread, since, i)
   thread = omp_get_thread_num()
   call enter(thread, __LINE__ - 2)
   do i = 1, 2
      since = now()
      call omp_set_lock(lock)
      call add(thread, 'wait for lock', __LINE__ - 1, now() - since)
      call work(3)
      call omp_unset_lock(lock)
   end do
   left(thread) = now()
!$omp end parallel
   call join(__LINE__ - 12)

   ! The other thread waits until the first one makes tasks, which run in the barrier.
   entered = now()
!$omp parallel private(thread, since, before, i)
   thread = omp_get_thread_num()
   call enter(thread, __LINE__ - 2)
   if (thread == 0) then
      call work(5)
      made_in = __LINE__ + 2
      do i = 1, 2
!$omp task
         call run_task()
!$omp end task
      end do
   end if
   since = now()
   before = in_tasks(thread)
   if (thread == 1) arrived(thread) = since
!$omp barrier
   arrived(thread) = 0
   call add(thread, 'wait at barrier', __LINE__ - 2, now() - since - (in_tasks(thread) - before))
   left(thread) = now()
!$omp end parallel
   call join(__LINE__ - 20)

   ! The first thread is in MPI while the other one waits in the barrier of their team; then outside of all regions.
   entered = now()
!$omp parallel private(thread, since)
   thread = omp_get_thread_num()
   call enter(thread, __LINE__ - 2)
   if (thread == 0) then
      call work(merge(1, 5, rank == 0))
      since = now()
      call MPI_Barrier(MPI_COMM_WORLD, error)
      in_mpi = in_mpi + now() - since
   end if
   since = now()
!$omp barrier
   call add(thread, 'wait at barrier', __LINE__ - 1, now() - since)
   left(thread) = now()
!$omp end parallel
   call join(__LINE__ - 14)
   since = now()
   call work(merge(7, 1, rank == 0))
   before = now()
   call MPI_Barrier(MPI_COMM_WORLD, error)
   in_mpi = in_mpi + now() - before
   call add(1, 'serial part', __LINE__ - 2, before - since)
   call add(1, 'main thread in MPI', __LINE__ - 3, now() - before)
   call write_rows(rank, 2 * (now() - begin))
   call MPI_Finalize(error)

contains

   subroutine run_task()
      double precision :: at
      integer :: of
      of = omp_get_thread_num()
      at = now()
      if (arrived(of) > 0) then ! in the barrier until it has its first task
         call add(of, 'wait for tasks', made_in + 8, at - arrived(of))
         at = arrived(of)
         arrived(of) = 0
      end if
      call work(2)
      in_tasks(of) = in_tasks(of) + now() - at
   end subroutine
end program
