/* ingredient: the same with HIERA_ENABLED=0: libhiera is there all the same, and its names with it
 * source: found from outside, R1
 * mpi: openmpi
 * build: mpicc -g -DPLUG -shared -fPIC %f -o plug.so
 * build: gcc -g -DCALLER -shared -fPIC %f -o caller.so
 * build: gcc -g %f -o app -ldl
 * run: HIERA_ENABLED=0 hiera-run --library=$LIBHIERA mpirun -n 2 ./app ./caller.so ./plug.so
 * expect: no trace
 */
#include "functions-named-like-fortrans.c"
