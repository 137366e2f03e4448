// Functions with exceptions, that are moved: each answers a number that depends on all that it does. Compiled by
// several compilers with several levels of optimisation; exceptions leave functions and loops, stay in them, and
// destroy.
#include "throw_subject.h"

#include <exception>
#include <memory>
#include <pthread.h>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

#define CALLED __attribute__((noinline))

namespace
{

uint64_t mix(uint64_t a)
{
    a ^= a << 13;
    a ^= a >> 7;
    return a ^ (a << 17);
}

// Its destructor is seen in the result.
struct Guard {
    uint64_t &sum;
    uint64_t number;
    Guard(uint64_t &to, uint64_t n) : sum(to), number(n)
    {
    }
    ~Guard()
    {
        sum = mix(sum + number);
    }
};

struct Failure {
    uint64_t number;
    virtual ~Failure()
    {
    }
};

struct HardFailure : Failure {
};

} // namespace

extern "C" {

// Throws something else for each remainder.
CALLED uint64_t throw_some(uint64_t i)
{
    switch (i % 11) {
    case 3: {
        Failure failure;
        failure.number = i;
        throw failure;
    }
    case 5: {
        HardFailure failure;
        failure.number = i;
        throw failure;
    }
    case 7:
        throw std::runtime_error(std::to_string(i));
    case 9:
        throw static_cast<int>(i);
    default:
        return mix(i + 1);
    }
}

// An exception leaves it and its loops in iteration 4 of the inner one, in iteration n of the outer one.
CALLED uint64_t throw_out(uint64_t n)
{
    uint64_t sum = n;
    Guard all(sum, 1);
    for (uint64_t i = 0;; i++) {
        Guard guard(sum, i);
        for (uint64_t j = 0; j < 6; j++) {
            sum = mix(sum + j);
            if (i >= n && j == 3)
                sum += throw_some(3);
        }
    }
}

// Not moved itself.
CALLED uint64_t throw_outside(uint64_t n)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i < n; i++) {
        try {
            sum += throw_out(i);
        } catch (const Failure &failure) {
            sum = mix(sum + failure.number);
        }
    }
    return sum;
}

// In each outer iteration the inner loop is left in its third iteration.
CALLED uint64_t throw_inside(uint64_t n)
{
    uint64_t sum = n;
    for (uint64_t i = 0; i < n; i++) {
        try {
            for (uint64_t j = 0; j < 100; j++) {
                Guard guard(sum, j);
                sum += throw_some(j == 2 ? 9 : 1);
            }
        } catch (int number) {
            sum = mix(sum + static_cast<uint64_t>(number));
        }
    }
    return sum;
}

// The exception stays in the loop; what comes after it is in the same iteration.
CALLED uint64_t throw_stays(uint64_t n)
{
    uint64_t sum = n;
    for (uint64_t i = 0; i < n; i++) {
        try {
            sum += throw_some(i);
        } catch (const HardFailure &failure) {
            sum = mix(sum ^ failure.number);
            continue;
        } catch (const Failure &failure) {
            sum += failure.number * 3;
        } catch (const std::exception &failure) {
            sum += failure.what()[0];
            if (i > 200)
                break;
        } catch (...) {
            sum = ~sum;
        }
        sum = mix(sum);
    }
    return sum;
}

// A loop that exceptions drive: each begins the next iteration.
CALLED uint64_t throw_again(uint64_t n)
{
    uint64_t sum = 0;
    for (uint64_t i = n * 11;; i++) {
        try {
            sum += throw_some(i % 11 < 4 ? 3 : 1);
            return mix(sum);
        } catch (const Failure &failure) {
            sum = mix(sum + failure.number + i);
        }
    }
}

// Thrown again by an inner handler, from inside a loop, to an outer one.
CALLED uint64_t throw_twice(uint64_t n)
{
    uint64_t sum = n;
    for (uint64_t i = 0; i < n; i++) {
        try {
            Guard guard(sum, i);
            try {
                for (uint64_t j = 0; j < 3; j++)
                    sum += throw_some(i + j);
            } catch (const HardFailure &) {
                sum = mix(sum);
                throw;
            } catch (int number) {
                throw std::runtime_error(std::to_string(number));
            }
        } catch (const std::exception &failure) {
            sum = mix(sum + std::string(failure.what()).size());
        } catch (const Failure &failure) {
            sum = mix(sum + failure.number);
        }
    }
    return sum;
}

// Exceptions inside of handlers and of destructors, and one that is kept.
CALLED uint64_t throw_nested(uint64_t n)
{
    struct Catcher {
        uint64_t &sum;
        ~Catcher()
        {
            try {
                sum += throw_some(9);
            } catch (int number) {
                sum = mix(sum + static_cast<uint64_t>(number));
            }
        }
    };
    uint64_t sum = n;
    std::exception_ptr kept;
    for (uint64_t i = 0; i < n % 20; i++) {
        try {
            Catcher catcher{sum};
            sum += throw_some(i);
        } catch (...) {
            try {
                sum += throw_some(i + 2);
            } catch (...) {
                kept = std::current_exception();
            }
        }
    }
    try {
        if (kept)
            std::rethrow_exception(kept);
    } catch (const Failure &failure) {
        sum += failure.number;
    } catch (...) {
        sum = mix(sum);
    }
    return sum;
}

// Loops over objects that have to be destroyed.
CALLED uint64_t throw_each(uint64_t n)
{
    uint64_t sum = n;
    std::vector<std::string> words;
    for (uint64_t i = 0; i < n % 30; i++)
        words.push_back(std::string(i, 'x'));
    try {
        for (std::string word : words) {
            std::unique_ptr<Guard> guard(new Guard(sum, word.size()));
            std::vector<std::string> copies(3, word);
            for (const std::string &copy : copies)
                sum += throw_some(copy.size() < 25 ? 1 : 7);
        }
    } catch (const std::runtime_error &failure) {
        sum = mix(sum + static_cast<uint64_t>(failure.what()[0]));
    }
    return sum;
}

// Its calls of itself are calls; the exception passes through half of them.
CALLED uint64_t throw_deep(uint64_t n)
{
    uint64_t sum = n;
    Guard guard(sum, n);
    if (n == 0)
        return throw_some(5);
    for (uint64_t i = 0; i < 2; i++) {
        try {
            sum += throw_deep(n - 1);
        } catch (const HardFailure &failure) {
            if (n % 3 != 0)
                throw;
            sum = mix(sum + failure.number);
        }
    }
    return sum;
}

CALLED uint64_t throw_deep_outside(uint64_t n)
{
    try {
        return throw_deep(n);
    } catch (const Failure &failure) {
        return failure.number;
    }
}

// What is not in the list becomes an int, in unexpected().
CALLED uint64_t throw_listed(uint64_t n) throw(Failure, int)
{
    uint64_t sum = n;
    for (uint64_t i = 0; i < 3; i++)
        sum += throw_some(n);
    return mix(sum);
}

static void become_int()
{
    throw 77;
}

CALLED uint64_t throw_lists(uint64_t n)
{
    uint64_t sum = n;
    std::set_unexpected(become_int);
    for (uint64_t i = 0; i < n; i++) {
        try {
            sum += throw_listed(i);
        } catch (const Failure &failure) {
            sum = mix(sum + failure.number);
        } catch (int number) {
            sum = mix(sum + static_cast<uint64_t>(number));
        }
    }
    return sum;
}

// A table of jumps with exceptions in it.
CALLED uint64_t throw_switch(uint64_t n)
{
    uint64_t sum = n;
    for (uint64_t i = 0; i < n; i++) {
        try {
            switch (sum % 9) {
            case 0:
                sum += throw_some(i);
                break;
            case 1:
                sum += throw_some(i + 1);
                continue;
            case 2:
                sum ^= sum >> 5;
                break;
            case 3:
                sum += throw_some(3);
                break;
            case 4:
                sum = sum * 5 + 1;
                break;
            case 5:
                throw 4;
            case 6:
                sum = ~sum;
                break;
            default:
                sum = mix(sum);
            }
        } catch (int number) {
            sum += static_cast<uint64_t>(number);
        } catch (...) {
            sum = mix(sum + 5);
        }
        sum = mix(sum);
    }
    return sum;
}

// Ends the program: an exception may not leave it.
CALLED uint64_t throw_never(uint64_t n) noexcept
{
    uint64_t sum = n;
    for (uint64_t i = 0; i < n; i++)
        sum += throw_some(i);
    return sum;
}

// An end of the thread passes through it, as an exception that nobody catches.
CALLED void throw_exit(uint64_t *sum, uint64_t n)
{
    Guard guard(*sum, n);
    for (uint64_t i = 0;; i++) {
        Guard inner(*sum, i);
        *sum += throw_some(0);
        if (i == n)
            pthread_exit(nullptr);
    }
}

uint64_t throw_all(uint64_t n)
{
    uint64_t sum = mix(n + throw_outside(n));
    sum = mix(sum + throw_inside(n));
    sum = mix(sum + throw_stays(n * 7));
    sum = mix(sum + throw_again(n));
    sum = mix(sum + throw_twice(n));
    sum = mix(sum + throw_nested(n));
    sum = mix(sum + throw_each(n));
    sum = mix(sum + throw_deep_outside(n % 7));
    sum = mix(sum + throw_lists(n));
    return mix(sum + throw_switch(n));
}

} // extern "C"
