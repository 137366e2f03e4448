/* Vectors: the places of their elements, and their ghosts. */
#include "oops_checks.h"

/* Element g has the numbers 10 g, 10 g + 1, …. The first and the last process load them into the vector and store them
 * from it; in between, all are doubled. */
static void check_load_and_store(OopsVector *v, int elements, int width)
{
    int numbers = elements * width;
    int *all = malloc((size_t)numbers * sizeof *all + 1);
    for (int root = 0; root < size; root += size > 1 ? size - 1 : 1) {
        int *data = oops_vector_data(v);
        for (int i = 0; i < numbers; i++)
            all[i] = rank == root ? i / width * 10 + i % width : -1;
        GOOD(oops_vector_load(v, all, root));
        for (int i = 0; i < oops_vector_local_size(v); i++)
            for (int k = 0; k < width; k++) {
                EXPECT(10 * oops_vector_local_to_global(v, i) + k, data[i * width + k]);
                data[i * width + k] *= 2;
            }
        memset(all, -1, (size_t)numbers * sizeof *all);
        GOOD(oops_vector_store(v, all, (root + 1) % size));
        for (int i = 0; i < numbers; i++)
            EXPECT(rank == (root + 1) % size ? 2 * (i / width * 10 + i % width) : -1, all[i]);
    }
    free(all);
}

/* Each element has one place, and the inverse mapping gives that element. */
static void check_places(OopsVector *v, int elements, bool everywhere)
{
    int own = oops_vector_local_size(v), total;
    for (int g = 0; g < elements; g++) {
        int owner = -9, local = -9;
        GOOD(oops_vector_global_to_local(v, g, &owner, &local));
        EXPECT(everywhere, owner == OOPS_ALL);
        if (everywhere || owner == rank)
            EXPECT(g, oops_vector_local_to_global(v, local));
    }
    GOOD(oops_group_sum(NULL, &own, &total, 1, OOPS_INT, OOPS_ALL) == OOPS_ERR_OBJECT ? OOPS_SUCCESS : 1);
    EXPECT(OOPS_ERR_RANGE, oops_vector_local_to_global(v, own));
}

void check_vectors(OopsTopology *t)
{
    static const int sizes[] = {0, 3, 17};
    for (int s = 0; s < 3; s++) {
        OopsDistribution *d[2];
        OopsVector *v;
        GOOD(oops_distribution_blocked_new(sizes[s], size, &d[0]));
        GOOD(oops_distribution_cyclic_new(sizes[s], size, 2, &d[1]));
        for (int k = 0; k < 2; k++) {
            GOOD(oops_vector_new(t, d[k], OOPS_INT, 3, 0, &v));
            check_places(v, sizes[s], false);
            check_load_and_store(v, sizes[s], 3);
            GOOD(oops_vector_sync_ghosts_cart(v)); /* no ghosts: nothing is sent */
            GOOD(oops_vector_free(v));
            GOOD(oops_distribution_free(d[k]));
        }
        GOOD(oops_vector_repl_new(t, sizes[s], OOPS_INT, 2, &v));
        EXPECT(sizes[s], oops_vector_local_size(v));
        check_places(v, sizes[s], true);
        check_load_and_store(v, sizes[s], 2);
        GOOD(oops_vector_free(v));
        for (int owner = 0; owner < size; owner++) {
            GOOD(oops_vector_sequ_new(t, sizes[s], OOPS_INT, 2, owner, &v));
            EXPECT(rank == owner ? sizes[s] : 0, oops_vector_local_size(v));
            check_places(v, sizes[s], false);
            check_load_and_store(v, sizes[s], 2);
            GOOD(oops_vector_free(v));
        }
    }
}

/* Own elements hold their global index. Ghosts get the index before and after, and keep -1 beyond an open end. */
void check_vector_ghosts(OopsTopology *t, bool closed)
{
    const int elements = 13;
    for (int ghosts = 1; ghosts <= 3; ghosts++) {
        OopsDistribution *d;
        OopsVector *v;
        GOOD(oops_distribution_blocked_new(elements, size, &d));
        GOOD(oops_vector_new(t, d, OOPS_DOUBLE, 2, ghosts, &v));
        double *data = oops_vector_data(v);
        int own = oops_vector_local_size(v), first = oops_vector_local_to_global(v, 0);
        for (int i = -ghosts; i < own + ghosts; i++)
            data[2 * i] = data[2 * i + 1] = i < 0 || i >= own ? -1 : first + i;
        GOOD(oops_vector_sync_ghosts_cart(v));
        for (int i = -ghosts; i < own + ghosts; i++) {
            int g = first + i;
            EXPECT(g >= 0 && g < elements ? g : closed ? (g + elements) % elements : -1, data[2 * i + 1]);
        }
        GOOD(oops_vector_free(v));
        GOOD(oops_distribution_free(d));
    }
}
