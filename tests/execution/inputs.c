/* Rank 0 reads files and tells the others. What it found decides how often the loops of all are repeated. Prints for
 * each rank and loop how often. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { N = 8 };
static int rank;
static volatile double sum;

#define SPIN(name, i)                                                                                                  \
    static __attribute__((noinline)) void spin_##name(const int *values)                                               \
    {                                                                                                                  \
        for (int k = 0; k < values[i]; k++)                                                                            \
            sum += k;                                                                                                  \
        printf("%d " #name " %d\n", rank, values[i]);                                                                  \
    }
SPIN(decimal, 0)
SPIN(hexadecimal, 1)
SPIN(word, 2)
SPIN(real, 3)
SPIN(list, 4)
SPIN(line, 5)
SPIN(missing, 6)
SPIN(text, 7)

static void read_deck(int *values)
{
    char line[80], word[16] = "", tail[8];
    double real = 0;
    float half = 0;
    int value, a = 0, b = 0;
    FILE *deck = fopen("deck.txt", "r"), *missing = fopen("missing.txt", "r");
    values[6] = missing ? 21 : 34;
    if (!deck)
        return;
    if (fgets(line, sizeof line, deck))
        values[5] = (int)strlen(line);
    if (fscanf(deck, "%d %x %15s %lf,%f", &values[0], &values[1], word, &real, &half) == 5)
        values[2] = strcmp(word, "seventeen") == 0 ? 17 : 3;
    values[3] = (int)(real * 10 + half);
    while (fscanf(deck, "%d", &value) == 1)
        values[4] += value;
    if (!feof(deck))
        values[4] = 1;
    fclose(deck);
    if (sscanf("12 of 30 parts", "%d of %2d %*s%7s", &a, &b, tail) == 2)
        values[7] = a + b;
}

int main(int argc, char **argv)
{
    int values[N] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        read_deck(values);
    MPI_Bcast(values, N, MPI_INT, 0, MPI_COMM_WORLD);
    spin_decimal(values);
    spin_hexadecimal(values);
    spin_word(values);
    spin_real(values);
    spin_list(values);
    spin_line(values);
    spin_missing(values);
    spin_text(values);
    MPI_Finalize();
    return 0;
}
