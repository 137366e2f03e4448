#include "read_buffer.h"
#include <string.h>

void hiera_read_buffer_init(HieraReadBuffer *input, HieraInputFile *source)
{
    char *bytes = g_malloc(HIERA_READ_BUFFER_BYTES + HIERA_READ_BUFFER_ZEROS);
    memset(bytes, 0, HIERA_READ_BUFFER_ZEROS);
    *input = (HieraReadBuffer){source, bytes, bytes, bytes, FALSE};
}

void hiera_read_buffer_clear(HieraReadBuffer *input)
{
    g_free(input->bytes);
}

gboolean hiera_read_buffer_fill(HieraReadBuffer *input)
{
    gsize rest = (gsize)(input->end - input->at), filled = rest;
    int n = 1;
    memmove(input->bytes, input->at, rest);
    while (!input->failed && n > 0 && filled < HIERA_READ_BUFFER_BYTES) {
        n = hiera_input_file_read(input->source, input->bytes + filled, (int)(HIERA_READ_BUFFER_BYTES - filled));
        input->failed = n < 0;
        filled += (gsize)MAX(n, 0);
    }
    input->at = input->bytes;
    input->end = input->bytes + filled;
    memset(input->bytes + filled, 0, HIERA_READ_BUFFER_ZEROS);
    return filled > rest;
}

int hiera_read_buffer_read(HieraReadBuffer *input, char *buffer, int size)
{
    if (input->at == input->end)
        hiera_read_buffer_fill(input);
    gsize n = MIN((gsize)(input->end - input->at), (gsize)size);
    if (n == 0)
        return input->failed ? -1 : 0;
    memcpy(buffer, input->at, n);
    input->at += n;
    return (int)n;
}
