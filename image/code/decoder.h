/* One instruction, and what it does to the flow of control. Capstone reads the bytes. */
#pragma once

#include "image/object/object.h"
#include <capstone.h>

typedef enum {
    HIERA_FLOW_ON,           /* continues at the next instruction */
    HIERA_FLOW_JUMP,         /* continues at `target` */
    HIERA_FLOW_BRANCH,       /* continues at `target` or at the next instruction */
    HIERA_FLOW_CALL,         /* calls the function at `target`, then continues at the next instruction */
    HIERA_FLOW_CALL_POINTER, /* calls through the pointer at address `target`; `target` 0: not known */
    HIERA_FLOW_JUMP_POINTER, /* jumps through the pointer at address `target`; 0: not known */
    HIERA_FLOW_RETURN,
    HIERA_FLOW_STOP /* does not continue: a trap, or a call that does not return */
} HieraFlowKind;

typedef struct {
    guint64 address, target;
    guint8 length, kind; /* length in bytes; kind: HieraFlowKind */
} HieraInstruction;

typedef struct {
    const HieraObject *object;
    csh handle;
    cs_insn *raw; /* the instruction decoded last, with all that Capstone knows of it */
} HieraDecoder;

/* Create a decoder for the machine of an object, which must outlive the decoder. Free with hiera_decoder_free. */
HieraDecoder *hiera_decoder_new(const HieraObject *object, GError **error);
void hiera_decoder_free(HieraDecoder *decoder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraDecoder, hiera_decoder_free)

/* Decode the instruction at an address. @return  false if no known instruction is there */
gboolean hiera_decoder_decode(HieraDecoder *decoder, guint64 address, HieraInstruction *instruction);

/* Return the name of the function that is called through the pointer at an address, NULL if it is not known. */
const char *hiera_decoder_import(const HieraDecoder *decoder, guint64 pointer);

/* Return the name of the function that the stub (.plt) at an address calls, NULL if it is not known. */
const char *hiera_decoder_stub(HieraDecoder *decoder, guint64 address);

/* Set kind and target of an x86-64 instruction; hiera_aarch64_classify() does so for aarch64. For decoder.c. */
void hiera_x86_classify(const cs_insn *raw, HieraInstruction *instruction);

/* The parts of a vector instruction (AVX to AVX-512), of which Capstone does not know all. These never jump nor read
 * flags, and the bytes alone tell the parts. */
typedef struct {
    guint8 length;         /* 0: it is no vector instruction, or cut */
    guint8 displacement;   /* offset of a displacement of four bytes; 0: it has none */
    gboolean is_relative;  /* whether that counts from the end of the instruction */
    gboolean stores;       /* whether its operand in memory may be written */
    guint16 reads, writes; /* general registers, by bit: those that it may read; those that it writes whole */
} HieraVector;

/* @param n  number of bytes that are there, of this instruction and the next ones */
HieraVector hiera_x86_vector(const guint8 *bytes, gsize n);
/* Return the name of an instruction of AMX, NULL if it is none. */
const char *hiera_x86_tile_name(const guint8 *bytes, gsize n);
void hiera_aarch64_classify(const cs_insn *raw, HieraInstruction *instruction);
