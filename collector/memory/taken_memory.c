#include "taken_memory.h"

#include "kept_memory.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

static const HieraKeptHeader *header; /* of the process whose memory was taken */

static bool is_piece(const HieraKeptPiece *piece, uint64_t file_bytes)
{
    return piece->address > 1 && piece->bytes > 0 && piece->bytes <= file_bytes &&
           piece->offset <= file_bytes - piece->bytes;
}

static bool map_piece(int file, const HieraKeptPiece *piece)
{
    void *address = (void *)(uintptr_t)piece->address;
    void *there = mmap(address, piece->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED_NOREPLACE, file,
                       (off_t)piece->offset);
    if (there != MAP_FAILED && there != address)
        munmap(there, piece->bytes);
    return there == address;
}

static bool take_statics(int file, const HieraKeptPiece *piece)
{
    void *statics;
    size_t bytes;
    hiera_kept_statics(&statics, &bytes);
    off_t at = (off_t)(piece->offset + (header->statics - piece->address));
    return pread(file, statics, bytes, at) == (ssize_t)bytes;
}

HieraTaken hiera_taken_map(int file, const HieraKeptHeader *of)
{
    struct stat status;
    const HieraKeptPiece *statics = NULL;
    uint64_t bytes = fstat(file, &status) == 0 ? (uint64_t)status.st_size : 0;
    header = of;
    for (size_t i = 0; i < HIERA_KEPT_PIECES; i++) {
        const HieraKeptPiece *piece = &of->pieces[i];
        if (!is_piece(piece, bytes))
            continue;
        if (piece->address < of->library_end && piece->address + piece->bytes > of->library_begin)
            statics = piece;
        else if (!map_piece(file, piece))
            return HIERA_TAKEN_NOT_HERE;
    }
    return statics && take_statics(file, statics) ? HIERA_TAKEN : HIERA_TAKEN_DAMAGED;
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
