/* Names of predefined MPI handles, for Open MPI and MPICH. See handlers.h. */
#include "handlers.h"
#include <string.h>

/* MPICH's predefined handles (mpi.h; its ABI has kept them since version 3.1). */
static const struct {
    guint32 handle;
    const char *name;
} of_mpich[] = {
    {0x4c000101, "MPI_CHAR"},
    {0x4c000118, "MPI_SIGNED_CHAR"},
    {0x4c000102, "MPI_UNSIGNED_CHAR"},
    {0x4c00010d, "MPI_BYTE"},
    {0x4c00040e, "MPI_WCHAR"},
    {0x4c000203, "MPI_SHORT"},
    {0x4c000204, "MPI_UNSIGNED_SHORT"},
    {0x4c000405, "MPI_INT"},
    {0x4c000406, "MPI_UNSIGNED"},
    {0x4c000807, "MPI_LONG"},
    {0x4c000808, "MPI_UNSIGNED_LONG"},
    {0x4c00040a, "MPI_FLOAT"},
    {0x4c00080b, "MPI_DOUBLE"},
    {0x4c00100c, "MPI_LONG_DOUBLE"},
    {0x4c000809, "MPI_LONG_LONG_INT"},
    {0x4c000819, "MPI_UNSIGNED_LONG_LONG"},
    {0x4c00010f, "MPI_PACKED"},
    {0x8c000000, "MPI_FLOAT_INT"},
    {0x8c000001, "MPI_DOUBLE_INT"},
    {0x8c000002, "MPI_LONG_INT"},
    {0x8c000003, "MPI_SHORT_INT"},
    {0x8c000004, "MPI_LONG_DOUBLE_INT"},
    {0x4c000816, "MPI_2INT"},
    {0x4c00081e, "MPI_COMPLEX"},
    {0x4c001022, "MPI_DOUBLE_COMPLEX"},
    {0x4c00041d, "MPI_LOGICAL"},
    {0x4c00041c, "MPI_REAL"},
    {0x4c00081f, "MPI_DOUBLE_PRECISION"},
    {0x4c00041b, "MPI_INTEGER"},
    {0x4c000820, "MPI_2INTEGER"},
    {0x4c000821, "MPI_2REAL"},
    {0x4c001023, "MPI_2DOUBLE_PRECISION"},
    {0x4c00011a, "MPI_CHARACTER"},
    {0x4c000427, "MPI_REAL4"},
    {0x4c000829, "MPI_REAL8"},
    {0x4c00102b, "MPI_REAL16"},
    {0x4c000828, "MPI_COMPLEX8"},
    {0x4c00102a, "MPI_COMPLEX16"},
    {0x4c00202c, "MPI_COMPLEX32"},
    {0x4c00012d, "MPI_INTEGER1"},
    {0x4c00022f, "MPI_INTEGER2"},
    {0x4c000430, "MPI_INTEGER4"},
    {0x4c000831, "MPI_INTEGER8"},
    {0x4c000137, "MPI_INT8_T"},
    {0x4c000238, "MPI_INT16_T"},
    {0x4c000439, "MPI_INT32_T"},
    {0x4c00083a, "MPI_INT64_T"},
    {0x4c00013b, "MPI_UINT8_T"},
    {0x4c00023c, "MPI_UINT16_T"},
    {0x4c00043d, "MPI_UINT32_T"},
    {0x4c00083e, "MPI_UINT64_T"},
    {0x4c00013f, "MPI_C_BOOL"},
    {0x4c000840, "MPI_C_FLOAT_COMPLEX"},
    {0x4c001041, "MPI_C_DOUBLE_COMPLEX"},
    {0x4c002042, "MPI_C_LONG_DOUBLE_COMPLEX"},
    {0x4c000843, "MPI_AINT"},
    {0x4c000844, "MPI_OFFSET"},
    {0x4c000845, "MPI_COUNT"},
    {0x4c000133, "MPI_CXX_BOOL"},
    {0x4c000834, "MPI_CXX_FLOAT_COMPLEX"},
    {0x4c001035, "MPI_CXX_DOUBLE_COMPLEX"},
    {0x58000001, "MPI_MAX"},
    {0x58000002, "MPI_MIN"},
    {0x58000003, "MPI_SUM"},
    {0x58000004, "MPI_PROD"},
    {0x58000005, "MPI_LAND"},
    {0x58000006, "MPI_BAND"},
    {0x58000007, "MPI_LOR"},
    {0x58000008, "MPI_BOR"},
    {0x58000009, "MPI_LXOR"},
    {0x5800000a, "MPI_BXOR"},
    {0x5800000b, "MPI_MINLOC"},
    {0x5800000c, "MPI_MAXLOC"},
    {0x5800000d, "MPI_REPLACE"},
    {0x5800000e, "MPI_NO_OP"},
    {0x0c000000, "MPI_DATATYPE_NULL"},
    {0x18000000, "MPI_OP_NULL"},
    {0x08000000, "MPI_GROUP_NULL"},
    {0x48000000, "MPI_GROUP_EMPTY"},
    {0x14000000, "MPI_ERRHANDLER_NULL"},
    {0x54000000, "MPI_ERRORS_ARE_FATAL"},
    {0x54000001, "MPI_ERRORS_RETURN"},
    {0x1c000000, "MPI_INFO_NULL"},
    {0x20000000, "MPI_WIN_NULL"},
    {0x2c000000, "MPI_MESSAGE_NULL"},
    {0x38000000, "MPI_SESSION_NULL"},
};

/* Open MPI's symbols of handles, without `ompi_mpi_`, whose MPI name is not the symbol in upper case. */
static const struct {
    const char *symbol, *name;
} of_openmpi[] = {
    {"dblprec", "MPI_DOUBLE_PRECISION"},
    {"cplex", "MPI_COMPLEX"},
    {"dblcplex", "MPI_DOUBLE_COMPLEX"},
    {"longdbl_int", "MPI_LONG_DOUBLE_INT"},
    {"2cplex", "MPI_2COMPLEX"},
    {"2dblprec", "MPI_2DOUBLE_PRECISION"},
    {"2dblcplex", "MPI_2DOUBLE_COMPLEX"},
    {"cxx_cplex", "MPI_CXX_FLOAT_COMPLEX"},
    {"cxx_dblcplex", "MPI_CXX_DOUBLE_COMPLEX"},
    {"op_null", "MPI_OP_NULL"},
};

/* Names of Open MPI's Fortran handles, by number (mpif-constants.h): types by number - 1, operators by number. */
static const char *const fortran_types[] = {
    "MPI_BYTE",      "MPI_PACKED",           "MPI_UB",       "MPI_LB",       "MPI_CHARACTER",
    "MPI_LOGICAL",   "MPI_INTEGER",          "MPI_INTEGER1", "MPI_INTEGER2", "MPI_INTEGER4",
    "MPI_INTEGER8",  "MPI_INTEGER16",        "MPI_REAL",     "MPI_REAL4",    "MPI_REAL8",
    "MPI_REAL16",    "MPI_DOUBLE_PRECISION", "MPI_COMPLEX",  "MPI_COMPLEX8", "MPI_COMPLEX16",
    "MPI_COMPLEX32", "MPI_DOUBLE_COMPLEX"};
static const char *const fortran_operators[] = {"MPI_OP_NULL", "MPI_MAX",    "MPI_MIN",    "MPI_SUM",     "MPI_PROD",
                                                "MPI_LAND",    "MPI_BAND",   "MPI_LOR",    "MPI_BOR",     "MPI_LXOR",
                                                "MPI_BXOR",    "MPI_MAXLOC", "MPI_MINLOC", "MPI_REPLACE", "MPI_NO_OP"};

/* Return the MPI name of a symbol of Open MPI: MPI_SUM of ompi_mpi_op_sum. */
static char *name_of_symbol(const char *symbol)
{
    const char *rest = symbol + strlen("ompi_mpi_");
    for (guint i = 0; i < G_N_ELEMENTS(of_openmpi); i++)
        if (strcmp(rest, of_openmpi[i].symbol) == 0)
            return g_strdup(of_openmpi[i].name);
    g_autofree char *upper = g_ascii_strup(g_str_has_prefix(rest, "op_") ? rest + strlen("op_") : rest, -1);
    return g_strconcat("MPI_", upper, NULL);
}

static const char *name_in_fortran(const char *class, guint64 handle)
{
    if (strcmp(class, "dtype") == 0)
        return handle == 0                             ? "MPI_DATATYPE_NULL"
               : handle <= G_N_ELEMENTS(fortran_types) ? fortran_types[handle - 1]
                                                       : NULL;
    if (strcmp(class, "op") == 0)
        return handle < G_N_ELEMENTS(fortran_operators) ? fortran_operators[handle] : NULL;
    if (strcmp(class, "info") == 0 && handle == 0)
        return "MPI_INFO_NULL";
    return NULL;
}

char *hiera_mpi_predefined_name(HieraWorld *world, guint32 rank, const char *class, guint64 handle)
{
    const char *symbol = hiera_known_memory_name_at(hiera_world_memory(world, rank), handle);
    if (world->is_openmpi)
        return symbol && g_str_has_prefix(symbol, "ompi_mpi_") ? name_of_symbol(symbol)
                                                               : g_strdup(name_in_fortran(class, handle));
    for (guint i = 0; i < G_N_ELEMENTS(of_mpich); i++)
        if (of_mpich[i].handle == handle)
            return g_strdup(of_mpich[i].name);
    return NULL;
}
