/* FOR_EACH_CPU before a function compiles it twice: for processors with AVX2 and for all others.
 * The loader takes the one that fits, so a plugin runs anywhere and is fast where possible.
 * Functions that it calls are compiled with it only if they are inlined. */
#ifndef MRC_PLUGINS_FOR_EACH_CPU_H
#define MRC_PLUGINS_FOR_EACH_CPU_H

/* The loader would choose before the thread sanitizer is ready. */
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
#define FOR_EACH_CPU __attribute__((target_clones("avx2", "default")))
#else
#define FOR_EACH_CPU
#endif

#endif
