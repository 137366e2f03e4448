/* The place of the bytes of one trace, or of the part of a thread. The writer uses positions from 0 on, as in a file
 * of its own; each kind of store maps them to the disk.
 *
 * All functions are called with the session's lock held, and are safe in a signal handler. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct HieraStore HieraStore;

/* The file on disk that contains a store's bytes. */
typedef struct HieraStorePlace {
    const char *path;
    uint64_t device, inode;
} HieraStorePlace;

/* The functions of one kind of store. The functions hiera_store_… below call them, and say what each must do. */
typedef struct HieraStoreKind {
    int (*write_at)(HieraStore *, const char *bytes, size_t n, uint64_t position);
    ssize_t (*read_at)(HieraStore *, char *bytes, size_t n, uint64_t position);
    int (*end_at)(HieraStore *, uint64_t end, uint64_t was, bool final);
    size_t (*piece)(HieraStore *, uint64_t position, size_t most);
    bool (*check)(HieraStore *);
    int (*open_again)(HieraStore *, bool reads);
    HieraStorePlace (*place)(const HieraStore *);
    void (*leave_to_parent)(HieraStore *);
    void (*remove)(HieraStore *);
    void (*close)(HieraStore *);
} HieraStoreKind;

struct HieraStore {
    const HieraStoreKind *kind;
};

/* Write all n bytes at this position. Returns 0 or the errno. Overwriting takes no further disk space. */
static inline int hiera_store_write_at(HieraStore *store, const char *bytes, size_t n, uint64_t position)
{
    return store->kind->write_at(store, bytes, n, position);
}

/* Read up to n bytes at this position. Returns their number, 0 at the end of the store, -1 if they cannot be read. */
static inline ssize_t hiera_store_read_at(HieraStore *store, char *bytes, size_t n, uint64_t position)
{
    return store->kind->read_at(store, bytes, n, position);
}

/* Set the end of the bytes. `was`: the end before, UINT64_MAX if that is not known. `final`: probably the last call.
 * Returns 0 or the errno. */
static inline int hiera_store_end_at(HieraStore *store, uint64_t end, uint64_t was, bool final)
{
    return store->kind->end_at(store, end, was, final);
}

/* Return the number of bytes, at most `most`, that a single write at this position should have. */
static inline size_t hiera_store_piece(HieraStore *store, uint64_t position, size_t most)
{
    return store->kind->piece(store, position, most);
}

/* The program may have closed our descriptor: open the file again. Returns false if that is not possible; then the
 * store must not be used any more. */
static inline bool hiera_store_check(HieraStore *store)
{
    return store->kind->check(store);
}

/* In a process that completes the trace of another one, with the memory of that one: open the file again. `moved`:
 * address of the library here minus its address there. `reads`: only for reading, while that process may be using it.
 * Returns 0; ESTALE if it is another file, HIERA_ERROR_BUSY if that process is using it, or another errno. */
static inline int hiera_store_open_again(HieraStore *store, intptr_t moved, bool reads)
{
    store->kind = (const HieraStoreKind *)(const void *)((const char *)store->kind + moved);
    return store->kind->open_again(store, reads);
}

static inline HieraStorePlace hiera_store_place(const HieraStore *store)
{
    return store->kind->place(store);
}

/* Close the store's file in a forked child: the file belongs to the parent process. */
static inline void hiera_store_leave_to_parent(HieraStore *store)
{
    store->kind->leave_to_parent(store);
}

/* Remove the store's bytes, which are not needed any more, from the disk. */
static inline void hiera_store_remove(HieraStore *store)
{
    store->kind->remove(store);
}

/* Free the store's memory, and close its file if no other store uses it. */
static inline void hiera_store_close(HieraStore *store)
{
    store->kind->close(store);
}
