#include <coroutine>
constexpr int evaluated(int n)
{
#pragma hiera assert $n > 0
    { n++; }
    return n;
}
struct Task {
    struct promise_type {
        Task get_return_object() { return {}; }
        std::suspend_never initial_suspend() { return {}; }
        std::suspend_never final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() {}
    };
};
Task coroutine(int n)
{
#pragma hiera assert $n > 0
    { n++; }
    co_return;
}
struct Number { double value; };
void handled(Number number)
#pragma hiera assert $number > 0
try { } catch (...) { }
void captures(int n)
{
    auto none = [](int k)
#pragma perfAssertion $k > $n
    { return k; };
    auto number = Number{1};
#pragma hiera assert $number > 0
    { none(n); }
    int list[] =
#pragma hiera assert $n > 0
    { 1, 2 };
}
