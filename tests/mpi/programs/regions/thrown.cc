// Exceptions leave a function and its loop, and stay in the loop that called it: `thrown ROUNDS`. Prints how many came.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

// Ends in the third iteration.
extern "C" __attribute__((noinline)) void fail(int round)
{
    std::string text = "round";
    for (int i = 0;; i++) {
        MPI_Barrier(MPI_COMM_SELF);
        text += std::to_string(i);
        if (i == 2)
            throw std::runtime_error(text + std::to_string(round));
    }
}

extern "C" __attribute__((noinline)) int work(int rounds)
{
    int caught = 0, round = 0;
    do {
        try {
            fail(round);
        } catch (const std::exception &failure) {
            caught += failure.what() == "round012" + std::to_string(round);
        }
    } while (++round < rounds);
    return caught;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    std::printf("%d caught\n", work(argc > 1 ? std::atoi(argv[1]) : 1));
    MPI_Finalize();
    return 0;
}
