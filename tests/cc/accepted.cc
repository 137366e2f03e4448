#include <vector>
#include <cstdio>
#include <stdexcept>
#include <string>
enum class Colour { red, green };
struct Solver {
    int count = 3; static const int limit = 9; double tol = 0.5; int flags : 3;
    Solver(int k) : count(k)
#pragma hiera assert $k > 0
    { count++; }
    int run(const std::vector<int> &v, int &ref);
};
int f(int x) { return x + 1; }
int Solver::run(const std::vector<int> &v, int &ref)
{
    int s = 0;
#pragma hiera assert $count > 0 & $limit == 9 & $ref > 0
    for (int x : v) { s += x; ref++; if (x > 2) return f(s); }
    return s;
}
template <typename T, int N> T work(T n)
{
#pragma hiera assert $n > 0 & $N > 1
    {
        if constexpr (N > 2)
#pragma hiera assert $n > 1
        { n++; }
        return n * N;
    }
}
int main()
{
    Solver s(2); int r = 1; std::vector<int> v{1,2,3};
    printf("%d\n", s.run(v, r));
    printf("%d %g\n", work<int,3>(4), work<double,2>(2.5));
    auto l = [&](int q)
#pragma hiera assert $q > 0 & $r > 0
    { return q + r; };
    printf("%d\n", l(4));
    auto [a, b] = std::pair<int,double>(1, 2.);
    Colour col = Colour::green;
    try
#pragma hiera assert $a > 0 & $b > 0 & $col == 1
    { throw std::runtime_error("x"); }
    catch (std::exception &e)
#pragma hiera assert $r > 0
    { r++; }
#pragma hiera assert $r > 0
    try { throw 1; } catch (...) { r += 2; }
    printf("%d\n", r);
}
