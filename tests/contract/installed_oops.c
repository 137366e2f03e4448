/* The example of oops.3 as a program. Prints the sum of the squares of 0 to 999. */
#include <oops.h>
#include <stdio.h>

int main(int argc, char *argv[])
{
    static double values[1000];
    OopsGroup *world;
    OopsTopology *all;
    OopsDistribution *cyclic;
    OopsVector *numbers;

    oops_init(&argc, &argv);
    oops_group_world(&world);
    oops_topology_plain_new(world, &all);
    oops_distribution_cyclic_new(1000, oops_group_size(world), 10, &cyclic);
    oops_vector_new(all, cyclic, OOPS_DOUBLE, 1, 0, &numbers);
    for (int i = 0; i < 1000; i++)
        values[i] = i;
    oops_vector_load(numbers, values, 0);
    double *own = oops_vector_data(numbers), squares = 0, sum = 0;
    for (int i = 0; i < oops_vector_local_size(numbers); i++)
        squares += own[i] * own[i];
    oops_topology_sum(all, &squares, &sum, 1, OOPS_DOUBLE, OOPS_ALL);
    printf("%.0f\n", sum);
    oops_vector_free(numbers);
    oops_distribution_free(cyclic);
    oops_topology_free(all);
    oops_group_free(world);
    return oops_finalize();
}
