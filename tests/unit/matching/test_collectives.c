/* Matching of collectives; expected edges were worked out by hand. If each of three ranks has one operation, vertices
 * 1, 3, 5 are the processors and 2, 4, 6 their operations; 7 is the first vertex of a collective. */
#include "harness/harness.h"
#include "suites.h"

#define ON_ALL(call) HARNESS(call, call, call)

START_TEST(one_to_all_goes_from_the_root)
{
    Harness h = ON_ALL(ROOTED(1, "broadcast", 1));
    harness_expect_edges(&h, HIERA_EDGE_COLLECTIVE, "4>2 4>6");
    guint n;
    ck_assert_int_eq(hiera_match_peek_collectives(hiera_graph_peek_match(h.graph), &n)[0].root, harness_row(&h, 1, 0));
    harness_clear(&h);
}
END_TEST

START_TEST(all_to_one_goes_to_the_root)
{
    Harness h = ON_ALL(ROOTED(1, "reduce", 2));
    harness_expect_edges(&h, HIERA_EDGE_COLLECTIVE, "2>6 4>6");
    harness_clear(&h);
}
END_TEST

START_TEST(all_to_all_goes_through_one_vertex)
{
    Harness h = ON_ALL(COLLECTIVE(1, "barrier"));
    harness_expect_edges(&h, HIERA_EDGE_COLLECTIVE, "2>7 4>7 6>7 7>2 7>4 7>6");
    ck_assert_int_eq(hiera_graph_vertex_row(h.graph, 6), HIERA_NONE);
    harness_clear(&h);
}
END_TEST

START_TEST(all_to_all_of_two_needs_no_vertex)
{
    Harness h = HARNESS(COLLECTIVE(1, "allreduce"), COLLECTIVE(1, "allreduce"));
    harness_expect_edges(&h, HIERA_EDGE_COLLECTIVE, "2>4 4>2");
    ck_assert_int_eq(igraph_vcount(hiera_graph_peek_igraph(h.graph)), 4);
    harness_clear(&h);
}
END_TEST

START_TEST(prefix_goes_from_rank_to_rank)
{
    Harness h = ON_ALL(COLLECTIVE(1, "scan"));
    harness_expect_edges(&h, HIERA_EDGE_COLLECTIVE, "2>4 4>6");
    harness_clear(&h);
}
END_TEST

/* The communicator c has the world ranks 2, 1, 0, in this order. */
START_TEST(prefix_follows_the_ranks_of_the_communicator)
{
    Harness h = ON_ALL("<hieraComm id=\"c\" ranks=\"2 1 0\"/>\n" CALL(1, "exscan", "comm=\"c\""));
    harness_expect_edges(&h, HIERA_EDGE_COLLECTIVE, "4>2 6>4");
    harness_clear(&h);
}
END_TEST

START_TEST(neighbours_without_a_topology_have_no_edges)
{
    Harness h = ON_ALL(COLLECTIVE(1, "neighbor_allgather"));
    harness_expect_edges(&h, HIERA_EDGE_COLLECTIVE, "");
    harness_expect_reason(&h, 0, 0, HIERA_REASON_MATCHED);
    harness_clear(&h);
}
END_TEST

/* The topology is the line 0 – 1 – 2: each rank communicates with its neighbours. */
START_TEST(neighbours_depend_on_those_that_send_to_them)
{
#define LINE(in) "<hieraComm id=\"c\" ranks=\"0-2\" neighbors_in=\"" in "\" neighbors_out=\"" in "\"/>\n"
    Harness h = HARNESS(LINE("1") CALL(1, "neighbor_alltoall", "comm=\"c\""),
                        LINE("0 2") CALL(1, "neighbor_alltoall", "comm=\"c\""),
                        LINE("1") CALL(1, "neighbor_alltoall", "comm=\"c\""));
#undef LINE
    harness_expect_edges(&h, HIERA_EDGE_COLLECTIVE, "2>4 4>2 4>6 6>4");
    harness_clear(&h);
}
END_TEST

/* Each rank has names of its own for the windows. The ranks fence two windows in different orders; fences of the same
 * window match. Vertices of P0: 2, 3 win_create, 4, 5 win_fence; of P1 the same with 7 … 10. */
START_TEST(one_call_makes_one_window_on_all_members)
{
#define MAKE(time, win)  CALL(time, "win_create", "win=\"" win "\"" WORLD)
#define FENCE(time, win) CALL(time, "win_fence", "assert=\"0\" win=\"" win "\"")
    Harness h = HARNESS(MAKE(1, "P0_win1") MAKE(2, "P0_win2") FENCE(3, "P0_win1") FENCE(4, "P0_win2"),
                        MAKE(1, "P1_win4") MAKE(2, "P1_win5") FENCE(3, "P1_win5") FENCE(4, "P1_win4"));
    harness_expect_edges(&h, HIERA_EDGE_COLLECTIVE, "2>7 3>8 4>10 5>9 7>2 8>3 9>5 10>4");
    harness_clear(&h);
}
END_TEST

START_TEST(a_window_without_its_constructor_is_not_matched)
{
    Harness h = HARNESS(FENCE(1, "P0_win1"), FENCE(1, "P1_win1"));
#undef FENCE
#undef MAKE
    harness_expect_reason(&h, 0, 0, HIERA_REASON_UNDECLARED);
    harness_clear(&h);
}
END_TEST

START_TEST(a_file_collective_needs_all_ranks_that_opened_it)
{
#define OPEN(file) CALL(1, "file_open", "fh=\"" file "\"" WORLD)
    Harness h = HARNESS(OPEN("P0_file1") CALL(2, "file_write_all", "fh=\"P0_file1\"")
                            CALL(3, "file_set_size", "fh=\"P0_file1\""),
                        OPEN("P1_file2") CALL(2, "file_write_all", "fh=\"P1_file2\""));
#undef OPEN
    harness_expect_edges(&h, HIERA_EDGE_COLLECTIVE, "2>6 6>2");
    harness_expect_reason(&h, 0, 1, HIERA_REASON_MATCHED);
    harness_expect_reason(&h, 0, 2, HIERA_REASON_NO_PARTNER);
    harness_clear(&h);
}
END_TEST

/* Two persistent collectives, which the ranks start in different orders. Vertices of P0: 2 bcast_init, 3
 * barrier_init, 4 and 5 their starts. Of P1: 7 bcast_init, 8 barrier_init, 9 starts the barrier, 10 the broadcast.
 * The root is P0. */
START_TEST(starts_of_a_persistent_collective_are_matched)
{
#define MAKE CALL(1, "bcast_init", "root=\"0\" request=\"1\"" WORLD) CALL(2, "barrier_init", "request=\"2\"" WORLD)
    Harness h = HARNESS(MAKE CALL(3, "start", "requests=\"1\"") CALL(4, "start", "requests=\"2\""),
                        MAKE CALL(3, "start", "requests=\"2\"") CALL(4, "start", "requests=\"1\""));
#undef MAKE
    harness_expect_edges(&h, HIERA_EDGE_COLLECTIVE, "4>10 5>9 9>5");
    harness_expect_reason(&h, 0, 0, HIERA_REASON_MATCHED);
    harness_expect_reason(&h, 1, 3, HIERA_REASON_MATCHED);
    harness_clear(&h);
}
END_TEST

START_TEST(constructors_of_communicators_are_collective)
{
    Harness h = HARNESS(COLLECTIVE(1, "comm_split"), COLLECTIVE(1, "comm_split"));
    harness_expect_edges(&h, HIERA_EDGE_COLLECTIVE, "2>4 4>2");
    harness_clear(&h);
}
END_TEST

/* Only P0 and P2 are members of the new communicator, and only they make the call. */
START_TEST(only_members_call_comm_create_group)
{
#define MAKE "<hieraComm id=\"n\" ranks=\"0 2\"/>\n" CALL(1, "comm_create_group", "newcomm=\"n\"" WORLD)
    Harness h = HARNESS(MAKE, CALL(1, "wtime", ""), MAKE);
#undef MAKE
    harness_expect_edges(&h, HIERA_EDGE_COLLECTIVE, "2>6 6>2");
    harness_expect_reason(&h, 0, 0, HIERA_REASON_MATCHED);
    harness_clear(&h);
}
END_TEST

START_TEST(the_nth_calls_of_all_members_are_matched)
{
    Harness h = HARNESS(ROOTED(1, "broadcast", 0) ROOTED(2, "broadcast", 1),
                        ROOTED(1, "broadcast", 0) ROOTED(2, "broadcast", 1));
    harness_expect_edges(&h, HIERA_EDGE_COLLECTIVE, "2>5 6>3");
    harness_clear(&h);
}
END_TEST

START_TEST(nonblocking_collectives_count_at_their_start)
{
#define START  CALL(1, "ibarrier", "request=\"1\"" WORLD)
#define FINISH CALL(3, "wait", "requests=\"1\"")
    Harness h = HARNESS(START COLLECTIVE(2, "allreduce") FINISH, START COLLECTIVE(2, "allreduce") FINISH);
#undef START
#undef FINISH
    harness_expect_edges(&h, HIERA_EDGE_COLLECTIVE, "2>6 3>7 6>2 7>3");
    harness_expect_edges(&h, HIERA_EDGE_REQUEST, "2>4 6>8");
    harness_clear(&h);
}
END_TEST

START_TEST(calls_are_counted_for_each_communicator)
{
#define C "<hieraComm id=\"c\" ranks=\"0-1\"/>\n"
    Harness h = HARNESS(C COLLECTIVE(1, "barrier") CALL(2, "allreduce", "comm=\"c\""),
                        C CALL(1, "allreduce", "comm=\"c\"") COLLECTIVE(2, "barrier"));
#undef C
    harness_expect_edges(&h, HIERA_EDGE_COLLECTIVE, "2>6 3>5 5>3 6>2");
    harness_clear(&h);
}
END_TEST

/* The groups of the intercommunicator are {0} and {1, 2}. P0 is the root: it passes MPI_ROOT. */
START_TEST(the_root_of_an_intercommunicator_passes_mpi_root)
{
    Harness h = HARNESS(
        "<hieraComm id=\"i\" ranks=\"0\" remote=\"1-2\"/>\n" CALL(1, "broadcast", "root=\"MPI_ROOT\" comm=\"i\""),
        "<hieraComm id=\"i\" ranks=\"1-2\" remote=\"0\"/>\n" CALL(1, "broadcast", "root=\"0\" comm=\"i\""),
        "<hieraComm id=\"i\" ranks=\"1-2\" remote=\"0\"/>\n" CALL(1, "broadcast", "root=\"0\" comm=\"i\""));
    harness_expect_edges(&h, HIERA_EDGE_COLLECTIVE, "2>4 2>6");
    harness_clear(&h);
}
END_TEST

/* Return the vertex at which the first collective edge begins, if files are read one after the other. */
static igraph_integer_t find_first_edge(const Harness *h, gboolean backwards)
{
    const HieraLoadOptions one_by_one = {.threads = 1};
    g_autoptr(HieraCatalog) catalog = hiera_catalog_new();
    g_autoptr(HieraFindings) findings = hiera_findings_new();
    g_autoptr(GPtrArray) paths = g_ptr_array_new();
    for (guint i = 0; i < h->paths->len; i++)
        g_ptr_array_insert(paths, backwards ? 0 : -1, g_ptr_array_index(h->paths, i));
    g_autoptr(HieraBuilder) builder = hiera_builder_new(catalog, FALSE);
    HieraSink sink = hiera_builder_sink(builder);
    g_autoptr(GArray) processors = hiera_load(paths, &one_by_one, &sink, 1, catalog, findings);
    g_autoptr(HieraTrace) trace = hiera_builder_take_trace(builder, processors, NULL);
    g_autoptr(HieraGraph) graph = hiera_graph_build(trace, NULL, NULL);
    igraph_integer_t edge = 0;
    while (hiera_graph_edge_kind(graph, edge) != HIERA_EDGE_COLLECTIVE)
        edge++;
    return IGRAPH_FROM(hiera_graph_peek_igraph(graph), edge);
}

/* P0 uses the communicator x before y, P1 uses y before x. */
START_TEST(order_of_edges_does_not_depend_on_order_of_files)
{
#define X "<hieraComm id=\"x\" ranks=\"0 1\"/>\n"
#define Y "<hieraComm id=\"y\" ranks=\"0 1\"/>\n"
    Harness h = HARNESS(X Y CALL(1, "barrier", "comm=\"x\"") CALL(2, "barrier", "comm=\"y\""),
                        Y X CALL(1, "barrier", "comm=\"x\"") CALL(2, "barrier", "comm=\"y\""));
    ck_assert_int_eq(find_first_edge(&h, FALSE), 1);
    ck_assert_int_eq(find_first_edge(&h, TRUE), 1);
    harness_clear(&h);
}
END_TEST

TCase *collectives_tests(void)
{
    TCase *tests = tcase_create("collectives");
    tcase_add_test(tests, order_of_edges_does_not_depend_on_order_of_files);
    tcase_add_test(tests, one_to_all_goes_from_the_root);
    tcase_add_test(tests, all_to_one_goes_to_the_root);
    tcase_add_test(tests, all_to_all_goes_through_one_vertex);
    tcase_add_test(tests, all_to_all_of_two_needs_no_vertex);
    tcase_add_test(tests, prefix_goes_from_rank_to_rank);
    tcase_add_test(tests, prefix_follows_the_ranks_of_the_communicator);
    tcase_add_test(tests, neighbours_without_a_topology_have_no_edges);
    tcase_add_test(tests, neighbours_depend_on_those_that_send_to_them);
    tcase_add_test(tests, one_call_makes_one_window_on_all_members);
    tcase_add_test(tests, a_window_without_its_constructor_is_not_matched);
    tcase_add_test(tests, a_file_collective_needs_all_ranks_that_opened_it);
    tcase_add_test(tests, starts_of_a_persistent_collective_are_matched);
    tcase_add_test(tests, constructors_of_communicators_are_collective);
    tcase_add_test(tests, only_members_call_comm_create_group);
    tcase_add_test(tests, the_nth_calls_of_all_members_are_matched);
    tcase_add_test(tests, nonblocking_collectives_count_at_their_start);
    tcase_add_test(tests, calls_are_counted_for_each_communicator);
    tcase_add_test(tests, the_root_of_an_intercommunicator_passes_mpi_root);
    return tests;
}
