/* Memory for the data of a script: allocated from the host in blocks, and freed as a whole. Only one thread at a time
 * may use a store.
 *
 * So the host is rarely asked for memory, and may map pages instead of calling malloc(). */
#pragma once

#include "probes.h"

typedef struct HieraStoreBlock HieraStoreBlock;

enum { HIERA_STORE_CLASSES = 40 };

typedef struct HieraProbeStore {
    const HieraProbeHost *host;
    size_t *budget; /* bytes that may still be allocated; shared with other threads. NULL: no limit */
    HieraStoreBlock *blocks;
    char *next; /* unused rest of the last block */
    size_t left;
    unsigned n_blocks;
    void *returned[HIERA_STORE_CLASSES]; /* lists of returned memory, by the power of two of its size */
    char *scratch;                       /* memory of hiera_probe_store_scratch() */
    size_t n_scratch;
} HieraProbeStore;

/* Make an empty store with the memory of `host`, which must outlive the store. */
void hiera_probe_store_init(HieraProbeStore *store, const HieraProbeHost *host, size_t *budget);
void hiera_probe_store_clear(HieraProbeStore *store);

/* Allocate zeroed bytes, aligned for any number. NULL: no memory, or beyond the budget. */
void *hiera_probe_store_take(HieraProbeStore *store, size_t bytes);
/* Return bytes, a power of two of 16 or more, for reuse at the same size. `part` may be NULL. */
void hiera_probe_store_return(HieraProbeStore *store, void *part, size_t bytes);
/* Temporary memory that is valid until the next call. NULL: no memory. */
void *hiera_probe_store_scratch(HieraProbeStore *store, size_t bytes);

/* The smallest power of two that is at least 16 and at least `bytes`. */
size_t hiera_probe_store_round(size_t bytes);

/* Allocate and free by `grow` and `release` of HieraProbeHost, or by the C library. */
void *hiera_host_take(const HieraProbeHost *host, size_t bytes);
void hiera_host_release(const HieraProbeHost *host, void *memory, size_t bytes);
