/* Memory of what a script keeps: taken from the host in blocks, given back as a whole. One thread at a time may use a
 * store.
 *
 * So a firing asks the host for memory rarely, and a host may map pages instead of calling malloc(). */
#ifndef HIERA_PROBES_STORE_H
#define HIERA_PROBES_STORE_H

#include "probes.h"

typedef struct HieraStoreBlock HieraStoreBlock;

enum { HIERA_STORE_CLASSES = 40 };

typedef struct HieraProbeStore {
    const HieraProbeHost *host;
    size_t *budget; /* bytes that may still be taken; other threads take from it too. NULL: there is no limit */
    HieraStoreBlock *blocks;
    char *next; /* of the last block: what is not used */
    size_t left;
    unsigned n_blocks;
    void *returned[HIERA_STORE_CLASSES]; /* by power of two: parts that were given back */
    char *scratch;                       /* see hiera_probe_store_scratch() */
    size_t n_scratch;
} HieraProbeStore;

/* @param host  must outlive the store */
void hiera_probe_store_init(HieraProbeStore *store, const HieraProbeHost *host, size_t *budget);
void hiera_probe_store_clear(HieraProbeStore *store);

/* Take bytes, which are zero; aligned for any number. NULL: there is no memory, or it is beyond the budget. */
void *hiera_probe_store_take(HieraProbeStore *store, size_t bytes);
/* Give bytes back, a power of two of 16 or more, for others of the same size. `part` may be NULL. */
void hiera_probe_store_return(HieraProbeStore *store, void *part, size_t bytes);
/* Room that belongs to the caller until the next call. NULL: there is no memory. */
void *hiera_probe_store_scratch(HieraProbeStore *store, size_t bytes);

/* The smallest power of two that is not below 16 or `bytes`. */
size_t hiera_probe_store_round(size_t bytes);

/* Memory of the host: `grow` and `release` of HieraProbeHost, or those of the C library. */
void *hiera_host_take(const HieraProbeHost *host, size_t bytes);
void hiera_host_release(const HieraProbeHost *host, void *memory, size_t bytes);

#endif
