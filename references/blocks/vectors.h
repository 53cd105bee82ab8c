// SPDX-License-Identifier: Apache-2.0
// What compilers need so that loops over functions with selections become vectors of full width. Include this first: what comes before it
// is not inlined into what comes after it.
#pragma once
#pragma GCC optimize("no-trapping-math", "no-thread-jumps")  // both arms of a selection may be computed
#ifdef __AVX512F__
#pragma GCC target("prefer-vector-width=512")  // on Intel processors GCC prefers half of that
#endif
