// What C++ programs do: a map of operations by name, virtual functions, vectors, texts; objects that are made before
// main and destroyed behind it.
#include <algorithm>
#include <cstdlib>
#include <deque>
#include <functional>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <mpi.h>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

struct Operation {
    virtual ~Operation() {}
    virtual void run(int rank, int size) = 0;
};

struct Ring : Operation {
    std::vector<double> got = std::vector<double>(100), sent = std::vector<double>(100);
    void run(int rank, int size) override
    {
        MPI_Request requests[2];
        MPI_Irecv(got.data(), 100, MPI_DOUBLE, (rank + size - 1) % size, 0, MPI_COMM_WORLD, requests);
        MPI_Isend(sent.data(), 100, MPI_DOUBLE, (rank + 1) % size, 0, MPI_COMM_WORLD, requests + 1);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
};

struct Sum : Operation {
    double sum = 1;
    void run(int, int) override
    {
        MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
};

// 12 = 3 primes below 6, times 4 nodes.
static int count(const std::vector<std::shared_ptr<std::string>> &nodes, std::function<int(const std::string &)> of)
{
    int n = 0;
    for (const auto &node : nodes)
        n += of(*node);
    return n;
}

// Made before main; its destructor ends MPI, behind the function that main gives to atexit.
struct Environment {
    std::vector<int> sizes = {10, 20, 30};
    ~Environment()
    {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Finalize();
    }
};
static Environment environment;
static const std::map<std::string, int> turns = {{"broadcast", 2}, {"wait", 1}};
static int n_constructed;
__attribute__((constructor)) static void construct()
{
    n_constructed = 4;
}

static void wait_behind()
{
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    std::map<std::string, std::unique_ptr<Operation>> operations;
    operations["ring"] = std::make_unique<Ring>();
    operations["sum"] = std::make_unique<Sum>();
    for (int i = 0; i < 10; i++) {
        operations["ring"]->run(rank, size);
        if (i % 2)
            operations["sum"]->run(rank, size);
        if (rank == 0) // on one rank alone: what it writes decides nothing
            std::cout << std::setw(8) << i << ' ' << 0.5 * i << std::endl;
    }
    std::set<int> primes;
    for (int i = 2; i < 6; i++)
        if (std::none_of(primes.begin(), primes.end(), [i](int prime) { return i % prime == 0; }))
            primes.insert(i);
    std::unordered_map<std::string, int> times;
    std::deque<int> order;
    std::vector<std::shared_ptr<std::string>> nodes;
    for (int i = 0; i < 4; i++) {
        nodes.push_back(std::make_shared<std::string>("node " + std::to_string(i)));
        times[*nodes.back()] += i;
        order.push_front(i);
    }
    std::sort(order.begin(), order.end());
    int n = count(nodes, [&](const std::string &) { return (int)primes.size(); }) + times["node 3"] + order.front();
    for (int i = 0; i < n; i++) // 15
        MPI_Barrier(MPI_COMM_WORLD);
    for (int turn = 0; turn < turns.at("broadcast"); turn++)
        for (int broadcast : environment.sizes) // 2 * 3
            MPI_Bcast(&broadcast, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < n_constructed; i++) // 4
        MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 20; i++) // 20, and 1 by the environment
        std::atexit(wait_behind);
    if (argc > 1)
        std::exit(0);
}
