/* SPDX-License-Identifier: MIT */
/* C interface of the host executor plugin: runs AMDGPU LLVM IR text on the CPU. */
#ifndef TWINIR_RUNTIME_HOST_EXEC_PLUGIN_H
#define TWINIR_RUNTIME_HOST_EXEC_PLUGIN_H
/*
 * One shared object per LLVM (22 and newer), loaded with RTLD_NOW | RTLD_LOCAL; the caller links no LLVM.
 * Guarantees: the exact text given is run, with the kernarg bytes a HIP launch would pass; results do not depend
 * on the number of threads; no call ends the process.
 * Every failing call returns non-zero (or NULL) and writes one JSON object
 *   {"code":"TIR5002","found":"...","expected":"...","action":"..."}   to the sink.
 */
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

#define TWINIR_EXEC_ABI 1

/* Receives bytes; may be called several times, the pieces are to be joined. */
typedef void (*twinir_sink)(void* user, const char* data, size_t size);

typedef struct twinir_exec_kernel twinir_exec_kernel;

typedef struct twinir_exec_options {
  uint32_t checked;   /* 1: bounds, initialisation, LDS races, poison, divergence are checked and reported */
  uint32_t opt_level; /* 0 to 3, LLVM's pipelines; 2 is the usual choice */
} twinir_exec_options;

typedef struct twinir_exec_launch {
  uint32_t grid[3];    /* work-groups */
  uint32_t block[3];   /* work-items of a group; must be the kernel's own */
  uint32_t threads;    /* host threads; 0: one per core */
  uint32_t lane_order; /* 0: lanes in order; else a seed that shuffles the order in which lanes run */
} twinir_exec_launch;

/* TWINIR_EXEC_ABI of this plugin, and its LLVM's version, "22.1.8". */
uint32_t twinir_exec_abi(void);
const char* twinir_exec_llvm(void);

/* Parses, lowers and JIT-compiles a module with one kernel. The info sink gets
 * {"kernel":"name","wave":32,"block":[256,1,1],"lds_bytes":0,"kernarg_bytes":40,
 *  "args":[{"name":"x","offset":0,"size":8,"type":"ptr addrspace(1)"},...],"ms":{"parse":..,"lower":..,"optimise":..,
 *  "codegen":..}}; kernarg_bytes counts the explicit arguments only (hidden ones are the executor's business);
 * "block" is [0,0,0] when the kernel states no block (reqd_work_group_size): then any block whose number of items
 * its amdgpu-flat-work-group-size allows may be launched. */
twinir_exec_kernel* twinir_exec_load(const char* ir, size_t size, const twinir_exec_options* options,
                                     twinir_sink info, twinir_sink error, void* user);
void twinir_exec_unload(twinir_exec_kernel* kernel);

/* A guarded buffer in its own 4 GiB slot, 256-byte aligned, filled with the poison byte 0xFF. initialised == 0:
 * checked launches report reads of bytes that no launch and no twinir_exec_mark() has written. NULL: no memory. */
void* twinir_exec_alloc(size_t size, const char* name, int initialised, twinir_sink error, void* user);
/* Declares bytes as written (by the host). */
void twinir_exec_mark(void* data, size_t size);
void twinir_exec_free(void* data);

/* Runs a launch to its end. The report sink gets
 * {"work_items":n,"ms":t,"switches":n,"collectives":n,"checks":n,"clamped_buffer_accesses":n,
 *  "faults":[{"code":"TIR5003","count":n,"group":[x,y,z],"item":i,"wave":w,"lane":l,"ir":"%v = load ...",
 *             "found":"...","expected":"...","action":"..."},...]}
 * one fault per code and IR instruction, the first in (group, item) order, sorted by code, then by the place in the
 * text. Returns 0 also when there are faults; non-zero only when the launch was refused (error sink).
 * A group in which items wait for a barrier that can never open, or whose unchecked code leaves the buffers, ends
 * there; "ir" is "?" for the latter, which only a checked launch can place. */
int twinir_exec_run(twinir_exec_kernel* kernel, const void* kernarg, size_t kernarg_size,
                    const twinir_exec_launch* launch, twinir_sink report, twinir_sink error, void* user);

#ifdef __cplusplus
}
#endif
#endif
