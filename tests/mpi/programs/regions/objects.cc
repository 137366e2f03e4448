// C++: MPI is used from the constructor of a static object, before main(), to its destructor, after main().
#include "expect.h"

#include <stdexcept>
#include <vector>

namespace {

struct Session {
    int rank = -1, size = 0;

    Session()
    {
        EXPECT("init", " ");
        MPI_Init(nullptr, nullptr);
        EXPECT("comm_rank", "comm=MPI_COMM_WORLD rank=*");
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        EXPECT("comm_size", "comm=MPI_COMM_WORLD size=*");
        MPI_Comm_size(MPI_COMM_WORLD, &size);
    }

    ~Session()
    {
        EXPECT("finalize", " ");
        MPI_Finalize();
        expect_write(rank);
    }
};

Session session;

template <typename T> T sum_of_all(T value, MPI_Datatype type)
{
    T sum{};
    const int bytes = sizeof(T);
    EXPECT("allreduce", "count=1 type=* op=MPI_SUM comm=MPI_COMM_WORLD bytes=%d rbytes=%d", bytes, bytes);
    MPI_Allreduce(&value, &sum, 1, type, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

// The destructor frees a communicator while an exception passes.
struct Copy {
    MPI_Comm comm;

    explicit Copy(const char *name)
    {
        EXPECT("comm_dup", "comm=MPI_COMM_WORLD newcomm=%s", name);
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    }

    ~Copy()
    {
        EXPECT("comm_free", "comm=*");
        MPI_Comm_free(&comm);
    }
};

void leave(const Copy &copy)
{
    EXPECT("barrier", "comm=*");
    MPI_Barrier(copy.comm);
    throw std::runtime_error("on the way");
}

} // namespace

int main()
{
    std::vector<int> all(static_cast<size_t>(session.size));
    EXPECT("allgather", "scount=1 stype=MPI_INT rcount=1 rtype=MPI_INT comm=MPI_COMM_WORLD bytes=4 rbytes=%d", 4 * session.size);
    MPI_Allgather(&session.rank, 1, MPI_INT, all.data(), 1, MPI_INT, MPI_COMM_WORLD);
    int sum = sum_of_all(all.back() + 1, MPI_INT);
    double wide = sum_of_all(1.5, MPI_DOUBLE);
    try {
        Copy copy("P0_comm1");
        leave(copy);
    } catch (const std::runtime_error &) {
        sum++;
    }
    return sum != session.size * session.size + 1 || wide != 1.5 * session.size;
}
