/* FOR_EACH_CPU in front of a function: it is compiled for processors with AVX2, and again for
 * all others, and the loader takes the one that fits. So a plugin runs anywhere, and fast
 * where it can. What the function calls is compiled with it only if it is inlined. */
#ifndef MRC_PLUGINS_FOR_EACH_CPU_H
#define MRC_PLUGINS_FOR_EACH_CPU_H

/* The loader chooses before the thread sanitizer is ready. */
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
#define FOR_EACH_CPU __attribute__((target_clones("avx2", "default")))
#else
#define FOR_EACH_CPU
#endif

#endif
