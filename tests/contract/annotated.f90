! The same as annotated.c, with all procedures of the module.
program annotated
  use hiera
  implicit none
  call hiera_begin('app', 'main', 'a=1  ')
  call hiera_begin('app', 'work')
  call hiera_end()
  call hiera_end('main')
  call hiera_pause()
  call hiera_resume()
  call hiera_probes_start('heat { @n = sum(&n); }')
  call hiera_probe('heat', 'n', [1], 1)
  call hiera_probes_stop()
  print '(i0)', 2
end program
