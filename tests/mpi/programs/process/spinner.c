/* A library that is loaded, works, and is unloaded before the program ends. */
double spin_in_library(long n);

double spin_in_library(long n)
{
    double sum = 0;
    for (long i = 0; i < n; i++)
        sum = sum * 0.5 + (double)i;
    return sum;
}
