/** Tables of a run as columns of Apache Arrow, through its C data interface: what other languages read without this
 * library's types, and without a copy (https://arrow.apache.org/docs/format/CDataInterface.html).
 *
 * The tables are `operations`, `messages`, `collectives`, `members`, `ranks`, `counters`, `vertices` and `edges`;
 * docs/python.md says what their columns mean. Columns that a HieraTrace has are exported as they lie in memory; the
 * others are made for the export. An exported array keeps the run in memory, so it stays valid when the run is freed;
 * it is given back by its `release`, in any thread. */
#ifndef HIERA_ARROW_H
#define HIERA_ARROW_H

#include "hiera_findings.h"
#include <stdint.h>

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE
#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE           2
#define ARROW_FLAG_MAP_KEYS_SORTED    4
/** Type of an array, as Arrow defines it. `release` is NULL once it was called. */
struct ArrowSchema {
    const char *format, *name, *metadata;
    int64_t flags, n_children;
    struct ArrowSchema **children, *dictionary;
    void (*release)(struct ArrowSchema *schema);
    void *private_data;
};
/** Values of an array, as Arrow defines it. `release` is NULL once it was called. */
struct ArrowArray {
    int64_t length, null_count, offset, n_buffers, n_children;
    const void **buffers;
    struct ArrowArray **children, *dictionary;
    void (*release)(struct ArrowArray *array);
    void *private_data;
};
#endif
#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE
/** Arrays of one type, one after the other, as Arrow defines it. */
struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *stream, struct ArrowSchema *schema);
    int (*get_next)(struct ArrowArrayStream *stream, struct ArrowArray *array);
    const char *(*get_last_error)(struct ArrowArrayStream *stream);
    void (*release)(struct ArrowArrayStream *stream);
    void *private_data;
};
#endif

/** A run whose tables can be exported. Several threads may export at the same time. */
typedef struct HieraArrow HieraArrow;

/** Read the traces of a run. Partners and the graph are found when the first table is exported that needs them.
 *
 * @param paths     NULL-terminated: trace files, a hieraCollector.xml, or a folder that holds one
 * @param findings  takes everything that is wrong with the files, the rest of which is still read; and
 *                  HIERA_FINDING_SUMS if they have calls as sums only, which are in no table
 * @param error     HIERA_GRAPH_ERROR_READ if none of the traces could be read, HIERA_GRAPH_ERROR_MEMORY
 * @return the run, to be freed by hiera_arrow_free, or NULL */
HIERA_API HieraArrow *hiera_arrow_load(const char *const *paths, HieraFindings *findings, GError **error);

/** Free a run; its memory goes with the last array that was exported from it. NULL is allowed. */
HIERA_API void hiera_arrow_free(HieraArrow *run);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraArrow, hiera_arrow_free)

/** Export a table, or some of its columns, as an array of structures.
 *
 * @param table    its name
 * @param columns  NULL-terminated: names of the columns, in the wanted order; NULL: all
 * @param schema   becomes the type; to be released by the caller
 * @param array    becomes the values; to be released by the caller. NULL: the type alone, for which nothing is computed
 * @param error    HIERA_GRAPH_ERROR_USE: there is no such table or column; HIERA_GRAPH_ERROR_MEMORY: of the graph
 * @return false with an error; nothing is exported then */
HIERA_API gboolean hiera_arrow_export(HieraArrow *run, const char *table, const char *const *columns,
                                      struct ArrowSchema *schema, struct ArrowArray *array, GError **error);

/** A column of values that are not of a run: the answer of a measure, for example. */
typedef struct {
    const char *name;
    const char *format;  /* "l": gint64; "g": gdouble; "u": const char *, NULL where the value is not known */
    const void *values;  /* array of these */
    const guint8 *known; /* by row: 0 where the value is not known; NULL: all are known. Not for "u" */
} HieraArrowValues;

/** Export values as an array of structures. The values are copied.
 *
 * @param columns  `n_columns` columns of `n_rows` values each
 * @param schema   becomes the type, and `array` the values; both to be released by the caller */
HIERA_API void hiera_arrow_export_values(const HieraArrowValues *columns, guint n_columns, gsize n_rows,
                                         struct ArrowSchema *schema, struct ArrowArray *array);

/** Make a stream of one array.
 *
 * @param schema  the array's type; the stream takes it, and `array`, from the caller
 * @param stream  becomes the stream; to be released by the caller */
HIERA_API void hiera_arrow_stream(struct ArrowSchema *schema, struct ArrowArray *array,
                                  struct ArrowArrayStream *stream);

#endif
