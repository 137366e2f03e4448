#include "taken_memory.h"

#include "kept_memory.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

static const HieraKeptHeader *header; /* of the process whose memory was taken */

static uint64_t bytes_of(int file)
{
    struct stat status;
    return fstat(file, &status) == 0 ? (uint64_t)status.st_size : 0;
}

static bool is_piece(const HieraKeptPiece *piece, uint64_t file_bytes)
{
    return piece->address > 1 && piece->bytes > 0 && piece->bytes <= file_bytes &&
           piece->offset <= file_bytes - piece->bytes;
}

static bool has_statics(const HieraKeptPiece *piece)
{
    return piece->address < header->library_end && piece->address + piece->bytes > header->library_begin;
}

/* @param file  -1: only reserve memory */
static bool map_piece(int file, const HieraKeptPiece *piece)
{
    void *address = (void *)(uintptr_t)piece->address;
    int flags = MAP_PRIVATE | MAP_FIXED_NOREPLACE | (file < 0 ? MAP_ANONYMOUS : 0);
    void *there = mmap(address, piece->bytes, PROT_READ | PROT_WRITE, flags, file, file < 0 ? 0 : (off_t)piece->offset);
    if (there != MAP_FAILED && there != address)
        munmap(there, piece->bytes);
    return there == address;
}

/* Read bytes of the file; *same becomes false if `to` had other ones. */
static bool read_bytes(int file, void *to, size_t n, off_t at, bool *same)
{
    static char block[64 << 10];
    for (size_t i = 0; i < n; i += sizeof block) {
        size_t part = n - i < sizeof block ? n - i : sizeof block;
        if (pread(file, block, part, at + (off_t)i) != (ssize_t)part)
            return false;
        if (memcmp((char *)to + i, block, part) == 0)
            continue;
        *same = false;
        memcpy((char *)to + i, block, part);
    }
    return true;
}

static bool read_statics(int file, const HieraKeptPiece *piece, bool *same)
{
    void *statics;
    size_t bytes;
    hiera_kept_statics(&statics, &bytes);
    return read_bytes(file, statics, bytes, (off_t)(piece->offset + (header->statics - piece->address)), same);
}

/* Map all pieces but that of libhiera's variables. @param from  -1: only reserve memory */
static HieraTakenMemory map_pieces(int file, const HieraKeptHeader *of, int from)
{
    uint64_t bytes = bytes_of(file);
    header = of;
    for (size_t i = 0; i < HIERA_KEPT_PIECES; i++)
        if (is_piece(&of->pieces[i], bytes) && !has_statics(&of->pieces[i]) && !map_piece(from, &of->pieces[i]))
            return HIERA_TAKEN_NOT_HERE;
    return HIERA_TAKEN;
}

/* Read the variables of libhiera, and with `all` the rest of the memory before. */
static bool read_pieces(int file, bool all, bool *same)
{
    uint64_t bytes = bytes_of(file);
    const HieraKeptPiece *statics = NULL;
    for (size_t i = 0; i < HIERA_KEPT_PIECES; i++) {
        const HieraKeptPiece *piece = &header->pieces[i];
        if (!is_piece(piece, bytes))
            continue;
        if (has_statics(piece))
            statics = piece;
        else if (all && !read_bytes(file, (void *)(uintptr_t)piece->address, piece->bytes, (off_t)piece->offset, same))
            return false;
    }
    return statics && read_statics(file, statics, same);
}

HieraTakenMemory hiera_taken_map(int file, const HieraKeptHeader *of)
{
    bool same;
    HieraTakenMemory taken = map_pieces(file, of, file);
    return taken == HIERA_TAKEN && !read_pieces(file, false, &same) ? HIERA_TAKEN_DAMAGED : taken;
}

HieraTakenMemory hiera_taken_reserve(int file, const HieraKeptHeader *of)
{
    return map_pieces(file, of, -1);
}

void hiera_taken_drop(void)
{
    for (size_t i = 0; header && i < HIERA_KEPT_PIECES; i++)
        if (header->pieces[i].address > 1 && !has_statics(&header->pieces[i]))
            munmap((void *)(uintptr_t)header->pieces[i].address, header->pieces[i].bytes);
    header = NULL;
}

bool hiera_taken_read(int file, bool *same)
{
    *same = true;
    return read_pieces(file, true, same);
}

bool hiera_taken_has(const void *address, size_t bytes)
{
    for (size_t i = 0; header && i < HIERA_KEPT_PIECES; i++) {
        const HieraKeptPiece *piece = &header->pieces[i];
        if (piece->address > 1 && (uintptr_t)address >= piece->address &&
            (uintptr_t)address + bytes <= piece->address + piece->bytes)
            return true;
    }
    return false;
}
