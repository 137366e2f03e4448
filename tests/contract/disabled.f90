! Every use of the module hiera.
program main
  use hiera
  implicit none
  call hiera_begin('app', 'a')
  call hiera_begin('app', 'b', 'n=1')
  call hiera_end('b')
  call hiera_end()
  call hiera_pause()
  call hiera_resume()
end program
