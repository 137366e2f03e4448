! Every use of the module hiera.
program main
  use hiera
  implicit none
  double precision :: value = 1
  integer :: started
  call hiera_begin('app', 'a')
  call hiera_begin('app', 'b', 'n=1')
  call hiera_end('b')
  call hiera_end()
  call hiera_pause()
  call hiera_resume()
  call hiera_probe('a')
  call hiera_probe('a', 'n', [1], 1, [value], 1)
  call hiera_probes_start('call { @n = count(); }', started)
  if (started /= 0) error stop 'a script'
  call hiera_probes_start()
  call hiera_probes_stop()
  call hiera_counter_sample('a', value)
  if (hiera_counter_read('user:a', value) /= 0 .or. value /= 1) error stop 'a counter'
end program
