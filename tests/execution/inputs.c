/* Rank 0 reads files and tells the others. What it found decides how often the loops of all are repeated. Prints for
 * each rank and loop how often. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 11 };
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
SPIN(words, 8)
SPIN(number, 9)
SPIN(places, 10)

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

/* The lines of a deck like "name value # comment". */
static void read_lines(int *values)
{
    FILE *deck = fopen("lines.txt", "r");
    char *line = NULL, *end, copy[40];
    size_t room = 0;
    while (deck && getline(&line, &room, deck) >= 0) {
        line[strcspn(line, "#")] = '\0';
        char *name = strtok(line, " \t\n"), *value = strtok(NULL, " \t\n");
        if (!name)
            continue;
        values[8] += 2 + (value != NULL) + (strtok(NULL, " \n") != NULL);
        if (value && strncmp(name, "step", 4) == 0)
            values[9] += (int)strtol(value, &end, 10) + (*end == '\0' ? 3 : 5);
        strcpy(copy, name);
        strcat(copy, "=");
        if (value && strlen(copy) + strlen(value) < sizeof copy)
            strcat(copy, value);
        char *point = strchr(copy, '.'), *last = strrchr(copy, 's'), *part = strstr(copy, "=1");
        values[10] += (point ? (int)(point - copy) : 1) + (last ? (int)(last - copy) : 1) + (part ? 7 : 1);
    }
    free(line);
    if (deck)
        fclose(deck);
}

int main(int argc, char **argv)
{
    int values[N] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        read_deck(values);
        read_lines(values);
    }
    MPI_Bcast(values, N, MPI_INT, 0, MPI_COMM_WORLD);
    spin_decimal(values);
    spin_hexadecimal(values);
    spin_word(values);
    spin_real(values);
    spin_list(values);
    spin_line(values);
    spin_missing(values);
    spin_text(values);
    spin_words(values);
    spin_number(values);
    spin_places(values);
    MPI_Finalize();
    return 0;
}
