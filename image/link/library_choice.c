#include "library_choice.h"
#include <string.h>

/* Names of system libraries up to ".so". MPI's language bindings are among them: they pass their arguments to MPI in
 * ways of their own. */
static const char *const system_libraries[] = {
    "libc",
    "libm",
    "libmvec",
    "libpthread",
    "libdl",
    "librt",
    "libutil",
    "libresolv",
    "libnsl",
    "libanl",
    "ld-linux*",
    /* MPI libraries, as Open MPI, MPICH and its derivatives name them */
    "libmpi",
    "libmpi_*",
    "libmpicxx",
    "libmpifort",
    "libmpich*",
    "libpmpi*",
    "libmpl",
    "libopa",
    "libopen-rte",
    "libopen-pal",
    "libpmix",
    "libprrte",
    "libhiera-*",
};
static const char *const runtimes[] = {
    "libgcc_s",    "libc++abi", "libunwind",  "libgfortran", "libquadmath", "libgomp", "libatomic", "libflang*",
    "libFortran*", "libpgmath", "libnv*",     "libomp",      "libiomp5",    "libimf",  "libsvml",   "libirng",
    "libirc",      "libintlc",  "libifcore*", "libifport*",  "libasan",     "libtsan", "libubsan",  "liblsan",
};

/* Functions of C++'s library that are not analysed: streams and locales are made before main begins, and exceptions
 * leave functions. */
static const char *const apart[] = {
    "_ZNSo*",
    "_ZNSi*",
    "_ZNSd*",
    "_ZNKSo*",
    "_ZNKSi*",
    "_ZStls*",
    "_ZStrs*",
    "_ZSt16__ostream*",
    "_ZSt4endl*",
    "_ZSt5flush*",
    "_ZSt7getline*",
    "_ZSt9use_facet*",
    "_ZSt9has_facet*",
    "_ZNSt8ios_base*",
    "_ZNKSt8ios_base*",
    "_ZNSt*basic_ios*",
    "_ZNKSt*basic_ios*",
    "_ZNSt6locale*",
    "_ZNKSt6locale*",
    "_ZNSt*basic_streambuf*",
    "_ZNSt*basic_filebuf*",
    "_ZNSt*basic_?fstream*",
    "_ZNSt*basic_fstream*",
    "_ZNSt*stringstream*",
    "_ZNSt*stringbuf*",
    "_ZNKSt*stringstream*",
    "_ZNKSt*stringbuf*",
    "_ZNSt6thread*",
    "_ZSt*terminate*",
    "_ZSt*__throw_*",
    "__cxa_*",
    "_ZNSt3__1*stream*",
    "_ZNSt3__1*locale*",
    "_ZNKSt3__1*locale*",
    "_ZNSt3__1*ios_base*",
};

/* Return the part of a file name before ".so". */
static char *stem_of(const char *name)
{
    g_autofree char *base = g_path_get_basename(name);
    const char *end = strstr(base, ".so");
    return g_strndup(base, end ? (gsize)(end - base) : strlen(base));
}

static gboolean is_among(const char *const *patterns, guint n, const char *stem)
{
    for (guint i = 0; i < n; i++)
        if (g_pattern_match_simple(patterns[i], stem))
            return TRUE;
    return FALSE;
}

gboolean hiera_library_is_chosen(const char *words, const char *name)
{
    g_autofree char *stem = stem_of(name), *base = g_path_get_basename(name);
    if ((words && strcmp(words, "none") == 0) || is_among(system_libraries, G_N_ELEMENTS(system_libraries), stem))
        return FALSE;
    if (!words || strcmp(words, "own") == 0)
        return !is_among(runtimes, G_N_ELEMENTS(runtimes), stem);
    g_auto(GStrv) patterns = g_strsplit(words, ",", -1);
    return is_among((const char *const *)patterns, g_strv_length(patterns), base) ||
           is_among((const char *const *)patterns, g_strv_length(patterns), stem);
}

gboolean hiera_library_function_is_chosen(const char *name)
{
    return !name || !is_among(apart, G_N_ELEMENTS(apart), name);
}
