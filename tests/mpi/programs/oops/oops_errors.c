/* Errors of OOPS, and errors that MPI returns. */
#include "oops_checks.h"

static void check_errors_of_groups(OopsGroup *g)
{
    OopsTopology *t;
    OopsPartner *p;
    OopsWorkgroup *w;
    int one = 1, result;
    EXPECT(OOPS_ERR_OBJECT, oops_group_bcast(NULL, &one, 1, OOPS_INT, 0));
    EXPECT(OOPS_ERR_TYPE, oops_group_bcast(g, &one, 1, OOPS_TYPES, 0));
    EXPECT(OOPS_ERR_TYPE, oops_group_scan(g, &one, &result, 1, OOPS_INT, OOPS_OPS));
    EXPECT(OOPS_ERR_RANGE, oops_group_bcast(g, &one, 1, OOPS_INT, size));
    EXPECT(OOPS_ERR_RANGE, oops_group_bcast(g, &one, 1, OOPS_INT, OOPS_ALL));
    EXPECT(OOPS_ERR_RANGE, oops_group_reduce(g, &one, &result, 1, OOPS_INT, OOPS_SUM, OOPS_ALL));
    EXPECT(OOPS_ERR_RANGE, oops_group_send(g, &one, 1, OOPS_INT, 0, OOPS_TAG_MAX + 1));
    EXPECT(OOPS_ERR_RANGE, oops_group_recv(g, &one, 1, OOPS_INT, size, 0));
    EXPECT(OOPS_ERR_RANGE, oops_group_is_in_group(g, size));
    EXPECT(OOPS_ERR_RANGE, oops_partner_new(g, -1, &p));
    EXPECT(OOPS_ERR_RANGE, oops_workgroup_new(g, size + 1, &w));
    EXPECT(1, p == NULL && w == NULL);
    EXPECT(OOPS_ERR_RANGE, oops_topology_grid_new(g, size + 1, &t));
    EXPECT(OOPS_ERR_OBJECT, oops_topology_grid_new(NULL, 1, &t));
}

static void check_errors_of_vectors(OopsGroup *g)
{
    OopsTopology *t, *plain;
    OopsDistribution *d;
    OopsVector *v;
    OopsMatrix *m;
    GOOD(oops_topology_plain_new(g, &plain));
    GOOD(oops_distribution_cyclic_new(20, size, 1, &d));
    EXPECT(OOPS_ERR_SHAPE, oops_vector_new(plain, d, OOPS_INT, 1, 1, &v));
    EXPECT(OOPS_ERR_RANGE, oops_vector_new(plain, d, OOPS_INT, 0, 0, &v));
    EXPECT(OOPS_ERR_TYPE, oops_vector_new(plain, d, OOPS_TYPES, 1, 0, &v));
    EXPECT(OOPS_ERR_RANGE, oops_vector_repl_new(plain, 1 << 30, OOPS_CHAR, 2, &v));
    EXPECT(OOPS_ERR_RANGE, oops_vector_sequ_new(plain, 1, OOPS_CHAR, 2, size, &v));
    GOOD(oops_distribution_free(d));
    GOOD(oops_distribution_blocked_new(20, size + 1, &d));
    EXPECT(OOPS_ERR_SHAPE, oops_vector_new(plain, d, OOPS_INT, 1, 0, &v));
    EXPECT(OOPS_ERR_SHAPE, oops_matrix_new(plain, 5, 5, OOPS_INT, 0, &m));
    EXPECT(1, v == NULL && m == NULL);
    GOOD(oops_distribution_free(d));
    GOOD(oops_topology_free(plain));
    GOOD(oops_topology_linear_new(g, &t));
    GOOD(oops_distribution_blocked_new(2 * size - 1, size, &d));
    EXPECT(OOPS_ERR_SHAPE, oops_vector_new(t, d, OOPS_INT, 1, 2, &v)); /* the last part has one element */
    EXPECT(OOPS_ERR_SHAPE, oops_matrix_new(t, 5, 2 * size - 1, OOPS_INT, 2, &m));
    GOOD(oops_distribution_free(d));
    GOOD(oops_topology_free(t));
}

void check_errors(OopsGroup *g)
{
    char text[OOPS_ERROR_TEXT];
    check_errors_of_groups(g);
    check_errors_of_vectors(g);
    GOOD(oops_group_free(NULL) + oops_topology_free(NULL) + oops_vector_free(NULL) + oops_matrix_free(NULL) +
         oops_workgroup_free(NULL) + oops_partner_free(NULL));
    EXPECT(0, strcmp(oops_error_text(OOPS_ERR_SHAPE, text), "OOPS: the objects do not fit together"));
    EXPECT(0, strcmp(oops_error_text(-99, text), "unknown error -99"));
    EXPECT(1, strstr(oops_error_text(MPI_ERR_COUNT, text), "count") != NULL);
}

/* MPI's own errors are returned unchanged, if MPI returns them at all. */
void check_mpi_errors(OopsGroup *g)
{
    int one = 1, class = MPI_SUCCESS;
    MPI_Comm_set_errhandler(oops_group_comm(g), MPI_ERRORS_RETURN);
    int error = oops_group_bcast(g, &one, -1, OOPS_INT, 0);
    EXPECT(1, error > 0);
    MPI_Error_class(error, &class);
    EXPECT(MPI_ERR_COUNT, class);
    MPI_Comm_set_errhandler(oops_group_comm(g), MPI_ERRORS_ARE_FATAL);
}
