/* ingredient: two runs are named in one command that is about one: the second was left out, after a message
 * source: found from outside, A1 and X13
 * mpi: openmpi
 * run: HIERA_DIR=one hiera-run mpirun -n 2 ./app; HIERA_DIR=two hiera-run mpirun -n 2 ./app; hiera-run mpirun -n 2 ./app
 * expect: answer hiera-transform one two --validate; echo status $? => (?s)status 2.*2 runs are named \(one, two\), but --validate is about one; name one of them\n
 * expect: answer hiera-transform one two --html page.html; ls => (?s)^(?!.*page.html).*2 runs are named \(one, two\), but --html is about one
 * expect: answer hiera-transform one two --export compact:out; ls => (?s)^(?!.*\bout\n).*2 runs are named \(one, two\), but --export is about one
 * expect: answer hiera-transform one two --serve => 2 runs are named \(one, two\), but --serve is about one
 * expect: answer hiera-transform one two --probe 'call::[end]::barrier { @a = count(); } END { print(@a); }' => (?s)^(?!.*@a: count).*2 runs are named \(one, two\), but --probe is about one
 * expect: answer hiera-transform one/trace0.xml two/trace1.xml --validate => 2 runs are named \(one/trace0.xml, two/trace1.xml\), but --validate is about one
 * expect: answer hiera-transform one two --measure counts => 2 runs are named \(one, two\), but --measure counts is about one; name one of them, or compare them
 * expect: answer hiera-transform one/trace0.xml one/trace1.xml --validate && echo good => good
 */
#include <mpi.h>

int main(int n, char **words)
{
    MPI_Init(&n, &words);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
