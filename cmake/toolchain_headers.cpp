// SPDX-License-Identifier: Apache-2.0
// Never compiled: the headers that a candidate may include, besides kernel.h, its task's context and its own. CMake asks the
// compiler for all files behind them (-M), and the sandbox shows the compiler these and no others of /usr/include.
#if __has_include(<bits/stdc++.h>)
#include <bits/stdc++.h>
#else
#include <algorithm>
#include <array>
#include <atomic>
#include <barrier>
#include <bit>
#include <bitset>
#include <cassert>
#include <cfenv>
#include <cfloat>
#include <chrono>
#include <cinttypes>
#include <climits>
#include <cmath>
#include <complex>
#include <concepts>
#include <condition_variable>
#include <coroutine>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <functional>
#include <future>
#include <iomanip>
#include <iostream>
#include <latch>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <numbers>
#include <numeric>
#include <optional>
#include <queue>
#include <random>
#include <ranges>
#include <semaphore>
#include <set>
#include <shared_mutex>
#include <span>
#include <sstream>
#include <stack>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <valarray>
#include <variant>
#include <vector>
#endif
// C headers by their own names
#include <complex.h>
#include <fenv.h>
#include <float.h>
#include <iso646.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdnoreturn.h>
#include <tgmath.h>
// POSIX and the kernel's interface
#include <alloca.h>
#include <byteswap.h>
#include <dirent.h>
#include <dlfcn.h>
#include <endian.h>
#include <err.h>
#include <error.h>
#include <execinfo.h>
#include <fcntl.h>
#include <features.h>
#include <fpu_control.h>
#include <getopt.h>
#include <ieee754.h>
#include <libgen.h>
#include <link.h>
#include <malloc.h>
#include <memory.h>
#include <poll.h>
#include <pthread.h>
#include <regex.h>
#include <sched.h>
#include <semaphore.h>
#include <spawn.h>
#include <strings.h>
#include <syscall.h>
#include <sysexits.h>
#include <threads.h>
#include <ucontext.h>
#include <unistd.h>
#include <values.h>
#include <arpa/inet.h>
#include <linux/futex.h>
#include <mqueue.h>
#include <netinet/in.h>
#include <sys/auxv.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/param.h>
#include <sys/personality.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <sys/xattr.h>
// vector instructions, OpenMP
#if defined(__x86_64__) && __has_include(<immintrin.h>)
#include <immintrin.h>
#endif
#if defined(__x86_64__) && __has_include(<x86intrin.h>)
#include <x86intrin.h>
#endif
#if defined(__ARM_NEON) && __has_include(<arm_neon.h>)
#include <arm_neon.h>
#endif
#if defined(__ARM_FEATURE_SVE) && __has_include(<arm_sve.h>)
#include <arm_sve.h>
#endif
#if __has_include(<omp.h>)
#include <omp.h>
#endif
