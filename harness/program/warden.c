// SPDX-License-Identifier: Apache-2.0
// Linked with the test of a program task, whose main() it calls. It is the one place that may fetch the judge's token: the token waits in a
// socket, in the kernel, until main() has returned 0, and the filter below lets one instruction read it, the one behind that return. Nothing
// else ends with the token: no exit(), no handler, no thread. It makes its system calls itself, so that no function of that name is in the way.
// What it cannot see is in docs/trust.md: code in the same address space can do all that the test can.
//   ASSAY_MAIN_IN_A_LIBRARY       main() is no function of the test's own: GoogleTest's
//   ASSAY_TEST_HANDLES_SIGNALS    the test asks for signals itself
//   ASSAY_RANGES                  the test's NVTX ranges are timed, those that assay_ranges.h names
//   ASSAY_STARTS_ALONE            main() returns at once: what a process costs before its work begins
#include <fnmatch.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>

enum { kSocket = 3, kTokenBytes = 32 };             // run_program.cpp has these numbers, too
enum { kAborted = 86, kDone = 87, kBroken = 88 };

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
static long call(long number, long a, long b, long c, long d, long e) {
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  __asm__ volatile("syscall" : "=a"(result) : "0"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8) : "rcx", "r11", "memory");
  return result;
}
static __attribute__((noinline, noclone)) long take_token(unsigned char* token) {
  long result;
  __asm__ volatile(
      "syscall\n"
      ".globl assay_program_taken\n.hidden assay_program_taken\nassay_program_taken:\n"
      : "=a"(result)
      : "0"((long)SYS_read), "D"((long)kSocket), "S"(token), "d"((long)kTokenBytes)
      : "rcx", "r11", "memory");
  return result;
}
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
static long call(long number, long a, long b, long c, long d, long e) {
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d;
  register long x4 __asm__("x4") = e;
  __asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4) : "memory");
  return x0;
}
static __attribute__((noinline, noclone)) long take_token(unsigned char* token) {
  register long x8 __asm__("x8") = SYS_read;
  register long x0 __asm__("x0") = kSocket;
  register unsigned char* x1 __asm__("x1") = token;
  register long x2 __asm__("x2") = kTokenBytes;
  __asm__ volatile(
      "svc #0\n"
      ".globl assay_program_taken\n.hidden assay_program_taken\nassay_program_taken:\n"
      : "+r"(x0)
      : "r"(x8), "r"(x1), "r"(x2)
      : "memory");
  return x0;
}
#else
#error "the warden knows x86-64 and AArch64"
#endif

extern char assay_program_taken[] __attribute__((visibility("hidden")));
extern char __executable_start[] __attribute__((visibility("hidden")));

#define WORD(field) ((uint32_t)offsetof(struct seccomp_data, field))
#define ARGUMENT(n) (WORD(args) + 8 * (n))  // its lower half: both architectures are little-endian
#define LOAD(where) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, where)
#define ANSWER(what) BPF_STMT(BPF_RET | BPF_K, what)
/// Goes on where the loaded word is `value`, and leaves `skipped` statements out where it is not.
#define IS(value, skipped) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(value), 0, skipped)
#define HAS(bits, skipped) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (uint32_t)(bits), 0, skipped)
#define REFUSED (SECCOMP_RET_ERRNO | 1 /* EPERM */)
/// The call `number` of the socket ends the program. Four statements; the number is loaded before and after.
#define END_OF_SOCKET(number, argument) \
  IS(number, 4), LOAD(ARGUMENT(argument)), IS(kSocket, 1), ANSWER(SECCOMP_RET_KILL_PROCESS), LOAD(WORD(nr))
/// The call `number` with all of `bits` in an argument ends it.
#define END_OF_BITS(number, argument, bits) \
  IS(number, 5), LOAD(ARGUMENT(argument)), BPF_STMT(BPF_ALU | BPF_AND | BPF_K, bits), IS(bits, 1), ANSWER(SECCOMP_RET_KILL_PROCESS), LOAD(WORD(nr))

#ifndef SYS_dup2
#define SYS_dup2 SYS_dup
#endif

/// Installs the filter, before any constructor.
static void begin(void) {
  const uint64_t taken = (uint64_t)(uintptr_t)assay_program_taken;
  const uint32_t image = (uint32_t)((uint64_t)(uintptr_t)__executable_start >> 32);
  struct sock_filter filter[] = {
      LOAD(WORD(arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
      ANSWER(SECCOMP_RET_KILL_PROCESS),
      LOAD(WORD(nr)),
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),  // the x32 ABI has numbers of its own
      ANSWER(SECCOMP_RET_KILL_PROCESS),
      // read() of the socket: by the one instruction, else the end.
      IS(SYS_read, 9),
      LOAD(ARGUMENT(0)),
      IS(kSocket, 6),
      LOAD(WORD(instruction_pointer)),
      IS(taken, 3),
      LOAD(WORD(instruction_pointer) + 4),
      IS(taken >> 32, 1),
      ANSWER(SECCOMP_RET_ALLOW),
      ANSWER(SECCOMP_RET_KILL_PROCESS),
      LOAD(WORD(nr)),
      // What else could read it, or give it another name.
      END_OF_SOCKET(SYS_readv, 0),
      END_OF_SOCKET(SYS_pread64, 0),
      END_OF_SOCKET(SYS_preadv, 0),
      END_OF_SOCKET(SYS_preadv2, 0),
      END_OF_SOCKET(SYS_recvfrom, 0),
      END_OF_SOCKET(SYS_recvmsg, 0),
      END_OF_SOCKET(SYS_recvmmsg, 0),
      END_OF_SOCKET(SYS_dup, 0),
      END_OF_SOCKET(SYS_dup2, 0),
      END_OF_SOCKET(SYS_dup3, 0),
      END_OF_SOCKET(SYS_fcntl, 0),
      END_OF_SOCKET(SYS_splice, 0),
      END_OF_SOCKET(SYS_tee, 0),
      END_OF_SOCKET(SYS_copy_file_range, 0),
      END_OF_SOCKET(SYS_sendfile, 1),
      // A message may carry the socket to another one, and under another number back. Its contents are out of a filter's sight.
      IS(SYS_sendmsg, 1),
      ANSWER(REFUSED),
      IS(SYS_sendmmsg, 1),
      ANSWER(REFUSED),
      // Another program, or code that nobody compiled.
      IS(SYS_execve, 1),
      ANSWER(SECCOMP_RET_KILL_PROCESS),
      IS(SYS_execveat, 1),
      ANSWER(SECCOMP_RET_KILL_PROCESS),
      END_OF_BITS(SYS_mmap, 2, PROT_WRITE | PROT_EXEC),
      END_OF_BITS(SYS_mprotect, 2, PROT_WRITE | PROT_EXEC),
      END_OF_BITS(SYS_pkey_mprotect, 2, PROT_WRITE | PROT_EXEC),
      // The program's own pages, its table of functions among them, stay what the loader made them.
      IS(SYS_mprotect, 6),
      LOAD(ARGUMENT(0) + 4),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, image, 1, 0),
      IS(image - 1, 2),
      ANSWER(SECCOMP_RET_KILL_PROCESS),
      ANSWER(SECCOMP_RET_KILL_PROCESS),
      LOAD(WORD(nr)),
      // A second filter could answer for the kernel.
      IS(SYS_seccomp, 1),
      ANSWER(REFUSED),
      IS(SYS_prctl, 4),
      LOAD(ARGUMENT(0)),
      IS(PR_SET_SECCOMP, 1),
      ANSWER(REFUSED),
      LOAD(WORD(nr)),
#ifndef ASSAY_TEST_HANDLES_SIGNALS
      // A handler, where the test has none: it could outlive the test's failure. The C library's own, of 32 and 33, only cancel threads.
      IS(SYS_rt_sigaction, 6),
      LOAD(ARGUMENT(0)),
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 32, 4, 0),
      LOAD(ARGUMENT(1)),
      IS(0, 1),
      ANSWER(SECCOMP_RET_ALLOW),
      ANSWER(REFUSED),
#endif
      ANSWER(SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
  call(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (call(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, (long)(uintptr_t)&program, 0, 0) != 0) call(SYS_exit_group, kBroken, 0, 0, 0, 0);
}
__attribute__((section(".preinit_array"), used)) static void (*const first)(void) = begin;

static uint64_t range_nanoseconds;

#ifdef ASSAY_RANGES
#include "assay_ranges.h"

// NVTX asks for a tool of this name when the program enters its first range. Candidates have NVTX of their own, which finds none. The tables
// and numbers are those of NVTX 3's interface for tools.
enum { kCore = 1, kCoreStart = 4, kCoreEnd = 7, kCorePush = 8, kCorePop = 11 };  // each of Ex, A, W but for End and Pop
enum { kDomains = 5, kDomainStart = 2, kDomainEnd = 3, kDomainPush = 4, kDomainPop = 5 };
enum { kCallbacks = 1, kPlainText = 1, kDeepest = 256 };
typedef void (*Function)(void);
struct Attributes {  // nvtxEventAttributes_t
  uint16_t version, size;
  int32_t of_no_matter[7];
  int32_t message_type;
  const char* message;
};
struct Callbacks {  // NvtxExportTableCallbacks
  size_t size;
  int (*table_of)(int module, Function*** table, unsigned* size);
};

extern int cudaDeviceSynchronize(void) __attribute__((weak));

static int open_ranges;
static uint64_t opened_at;
static uint64_t last_id;
static _Thread_local unsigned char chosen_of_thread[kDeepest];
static _Thread_local unsigned depth;

/// With a device that has nothing more to do: what was asked for before a range does not count in it, and all that is asked for in it does.
static uint64_t now(void) {
  struct timespec time;
  if (cudaDeviceSynchronize) cudaDeviceSynchronize();
  call(SYS_clock_gettime, CLOCK_MONOTONIC, (long)(uintptr_t)&time, 0, 0, 0);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static int matches(const char* const* globs, const char* name) {
  for (; *globs; ++globs)
    if (fnmatch(*globs, name, FNM_NOESCAPE) == 0) return 1;
  return 0;
}

/// Whether the range counts. Time in several of them at once counts once.
static int enter(const char* name) {
  if (!name || (*assay_included && !matches(assay_included, name)) || matches(assay_excluded, name)) return 0;
  if (__atomic_fetch_add(&open_ranges, 1, __ATOMIC_SEQ_CST) == 0) opened_at = now();
  return 1;
}
static void leave(int chosen) {
  if (!chosen) return;
  const uint64_t time = now();
  if (__atomic_sub_fetch(&open_ranges, 1, __ATOMIC_SEQ_CST) == 0) range_nanoseconds += time - opened_at;
}

static const char* name_of(const struct Attributes* of) { return of && of->message_type == kPlainText ? of->message : ""; }
static int push(const char* name) {
  const int chosen = enter(name);
  if (depth < kDeepest) chosen_of_thread[depth] = (unsigned char)chosen;
  return (int)depth++;
}
static int pop(void) {
  if (depth == 0) return -1;
  if (--depth < kDeepest) leave(chosen_of_thread[depth]);
  return (int)depth;
}
static uint64_t start(const char* name) {
  const uint64_t chosen = (uint64_t)enter(name);
  return __atomic_add_fetch(&last_id, 2, __ATOMIC_SEQ_CST) | chosen;
}
static void end(uint64_t id) { leave((int)(id & 1)); }

static int core_push_ex(const struct Attributes* of) { return push(name_of(of)); }
static int core_push_wide(const void* name) { return push(name ? "" : 0); }
static uint64_t core_start_ex(const struct Attributes* of) { return start(name_of(of)); }
static uint64_t core_start_wide(const void* name) { return start(name ? "" : 0); }
static int domain_push(void* domain, const struct Attributes* of) { return (void)domain, push(name_of(of)); }
static int domain_pop(void* domain) { return (void)domain, pop(); }
static uint64_t domain_start(void* domain, const struct Attributes* of) { return (void)domain, start(name_of(of)); }
static void domain_end(void* domain, uint64_t id) { (void)domain, end(id); }

static void hook(Function** table, unsigned size, unsigned place, Function with) {
  if (place < size && table[place]) *table[place] = with;
}

static int begin_ranges(const void* (*export_table)(uint32_t)) {
  const struct Callbacks* callbacks = export_table(kCallbacks);
  Function** table;
  unsigned size;
  if (!callbacks || callbacks->size < sizeof *callbacks) return 0;
  if (callbacks->table_of(kCore, &table, &size)) {
    hook(table, size, kCorePush, (Function)core_push_ex);
    hook(table, size, kCorePush + 1, (Function)push);
    hook(table, size, kCorePush + 2, (Function)core_push_wide);
    hook(table, size, kCorePop, (Function)pop);
    hook(table, size, kCoreStart, (Function)core_start_ex);
    hook(table, size, kCoreStart + 1, (Function)start);
    hook(table, size, kCoreStart + 2, (Function)core_start_wide);
    hook(table, size, kCoreEnd, (Function)end);
  }
  if (callbacks->table_of(kDomains, &table, &size)) {
    hook(table, size, kDomainPush, (Function)domain_push);
    hook(table, size, kDomainPop, (Function)domain_pop);
    hook(table, size, kDomainStart, (Function)domain_start);
    hook(table, size, kDomainEnd, (Function)domain_end);
  }
  return 1;
}
int (*InitializeInjectionNvtx2_fnptr)(const void* (*)(uint32_t)) = begin_ranges;
#endif

/// What the test's exit(), _exit() and quick_exit() are, and the end of its main().
__attribute__((noreturn)) void assay_program_exit(int code) {
  if ((code & 0xff) == 0) {
    struct {
      unsigned char token[kTokenBytes];
      uint64_t range_nanoseconds;
    } answer;
    fflush(NULL);
    answer.range_nanoseconds = range_nanoseconds;
    if (take_token(answer.token) == kTokenBytes && call(SYS_write, kSocket, (long)(uintptr_t)&answer, sizeof answer, 0, 0) == sizeof answer) code = kDone;
  }
  exit(code);
}

#define EXIT(name) __attribute__((noreturn)) void name(int code) { assay_program_exit(code); }
EXIT(assay_program__exit)
EXIT(assay_program__Exit)
EXIT(assay_program_quick_exit)

/// What the test's abort() is: the test has found a fault.
__attribute__((noreturn)) void assay_program_abort(void) {
  fflush(NULL);
  call(SYS_exit_group, kAborted, 0, 0, 0, 0);
  __builtin_trap();
}

/// What the test's failed assert() calls.
__attribute__((noreturn)) void assay_program___assert_fail(const char* text, const char* file, unsigned line, const char* function) {
  fflush(NULL);
  fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, text);
  assay_program_abort();
}

#if defined(ASSAY_STARTS_ALONE) && defined(ASSAY_MAIN_IN_A_LIBRARY)
int __wrap_main(void) { assay_program_exit(0); }
#elif defined(ASSAY_STARTS_ALONE)
int main(void) { assay_program_exit(0); }
#elif defined(ASSAY_MAIN_IN_A_LIBRARY)
int __real_main(int, char**, char**);
int __wrap_main(int count, char** arguments, char** environment) { assay_program_exit(__real_main(count, arguments, environment)); }
#else
int assay_program_main(int, char**, char**);
int main(int count, char** arguments, char** environment) { assay_program_exit(assay_program_main(count, arguments, environment)); }
#endif
