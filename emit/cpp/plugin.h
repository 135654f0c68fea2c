/* SPDX-License-Identifier: MIT */
/* C interface of an LLVM plugin: emit, check, compile, link, inspect and record for one LLVM version. */
#ifndef TWINIR_EMIT_CPP_PLUGIN_H
#define TWINIR_EMIT_CPP_PLUGIN_H
/*
 * One shared object per LLVM (twinir-llvm-19.so, twinir-llvm-22.so, ...), loaded with RTLD_NOW | RTLD_LOCAL; the
 * caller links no LLVM. Every call may come from any thread; links are serialised inside.
 * Every failing call returns non-zero and writes one JSON object
 *   {"code":"TIR3001","found":"...","expected":"...","action":"..."}   to the error sink.
 * What LLVM itself does not survive (an abort, a crash) is not contained here: callers that must live run compile
 * and inspect in a worker process.
 */
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

#define TWINIR_PLUGIN_ABI 2

/* Receives bytes; may be called several times, the pieces are to be joined. */
typedef void (*twinir_sink)(void* user, const char* data, size_t size);

enum twinir_output { TWINIR_CODE_OBJECT = 0, TWINIR_OBJECT = 1, TWINIR_ASSEMBLY = 2, TWINIR_OPTIMISED_IR = 3 };

typedef struct twinir_compile_options {
  const char* target;       /* "gfx1250"; must be the text's own target-cpu */
  uint32_t opt_level;       /* 0 to 3 */
  enum twinir_output output;
  uint32_t reprint; /* 1: the report says whether the text re-prints to itself, "reprints":true */
  uint32_t counts;  /* 1: the report of a code object has the counts of instructions */
} twinir_compile_options;

uint32_t twinir_plugin_abi(void);
const char* twinir_plugin_llvm(void); /* "22.1.8" */

/* {"llvm":"22.1.8","flavor":"llvm22","from":"","links":true,"targets":{"gfx1250":true,"gfx950":true,...}} */
int twinir_plugin_info(twinir_sink info, twinir_sink error, void* user);

/* Kernel JSON to LLVM IR text. */
int twinir_emit(const char* kernel, size_t size, twinir_sink text, twinir_sink error, void* user);

/* Parses and verifies IR text, and prints it again. */
int twinir_reprint(const char* ir, size_t size, twinir_sink text, twinir_sink error, void* user);

/* Compiles IR text. The report of a code object is that of twinir_inspect plus
 * "ms":{"parse":..,"optimise":..,"codegen":..,"link":..,"inspect":..,"total":..}. */
int twinir_compile(const char* ir, size_t size, const twinir_compile_options* options, twinir_sink output,
                   twinir_sink report, twinir_sink error, void* user);

/* Reads a code object:
 * {"arch":"gfx1250","abi":4,"e_flags":1353,"bytes":n,"kernels":[{"name":"k","vgprs":n,"agprs":n,"sgprs":n,
 *  "vgpr_spills":n,"sgpr_spills":n,"scratch_bytes":n,"lds_bytes":n,"kernarg_bytes":n,"wave":32,"max_items":256,
 *  "code_bytes":n,"instructions":n,"flat":n,"scratch":n,"matrix":n,
 *  "args":[{"offset":0,"size":8,"kind":"global_buffer"},...]}]}
 * instructions, flat (flat_*), scratch (scratch_*) and matrix (v_wmma*, v_mfma*) are counted by
 * disassembling; a compile without options.counts leaves the four out. */
int twinir_inspect(const void* data, size_t size, twinir_sink report, twinir_sink error, void* user);

/* The flavor data file of this LLVM (emit/flavors/README.md). */
int twinir_record(twinir_sink flavor, twinir_sink error, void* user);

/* Test support: every literal form this LLVM prints, one per line "f32 3f800000 1.000000e+00". */
int twinir_literals(twinir_sink lines, twinir_sink error, void* user);

#ifdef __cplusplus
}
#endif
#endif
