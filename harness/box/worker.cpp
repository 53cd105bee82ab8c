// SPDX-License-Identifier: Apache-2.0
#include "assay/box/worker.h"

#include <alloca.h>
#include <linux/futex.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace assay::box {
namespace {

struct Region {
  std::byte* reservation = nullptr;  // guard page, payload pages, guard page
  std::uint64_t pages = 0;
  std::byte* payload = nullptr;
  std::uint64_t bytes = 0;
  bool is_output = false;
  bool is_scratch = false;
};

// The signal handler reads these; one worker a process.
Region regions[wire::kMaxBuffers];
std::uint32_t region_count = 0;
wire::Status* fault_status = nullptr;
alignas(16) std::byte handler_stack[64 * 1024];

/// Less is left than an allocator asks for at once (it grows its heap by 64 MiB and the request).
bool address_space_is_full() {
  constexpr std::size_t probe = std::size_t{256} << 20;
  void* memory = mmap(nullptr, probe, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return true;
  munmap(memory, probe);
  return false;
}

bool was_write([[maybe_unused]] const void* context) {
#if defined(__x86_64__)
  return (static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR] & 2) != 0;
#else
  return true;  // an input's pages are readable: a fault inside them is a write
#endif
}

void classify_access(const siginfo_t* details, const void* context) {
  const auto* address = static_cast<const std::byte*>(details->si_addr);
  for (std::uint32_t i = 0; i < region_count; ++i) {
    const Region& region = regions[i];
    const std::byte* end = region.reservation + (region.pages + 2) * wire::kPage;
    if (address < region.reservation || address >= end) continue;
    const bool inside = address >= region.reservation + wire::kPage && address < end - wire::kPage;
    fault_status->buffer = i;
    fault_status->fault_offset = address - region.payload;
    fault_status->fault = inside && !region.is_output && was_write(context) ? wire::Fault::input_write : wire::Fault::guard;
    return;
  }
}

void on_fault(int signal, siginfo_t* details, void* context) {
  fault_status->signal = static_cast<std::uint32_t>(signal);
  fault_status->fault = wire::Fault::other;
  if (signal == SIGSEGV || signal == SIGBUS) classify_access(details, context);
  if (fault_status->fault == wire::Fault::other && address_space_is_full()) fault_status->memory_exhausted = 1;
  _exit(128 + signal);
}

void on_allocation_failure() {
  fault_status->memory_exhausted = 1;
  std::set_new_handler(nullptr);
  throw std::bad_alloc();
}

/// Address space randomisation leaves an address's lowest 12 bits alone; these follow from the lengths of argv and of every
/// string allocated so far, and decide which accesses alias in the first-level cache (by 10 % of a streaming kernel's time,
/// see Mytkowicz et al., ASPLOS 2009). A random shift of heap and stack makes each launch a fair draw.
std::size_t random_shift() {
  std::uint16_t bits = 0;
  if (getrandom(&bits, sizeof bits, 0) != sizeof bits) _exit(3);
  return bits % 64 * 64u;
}

/// A page of the lower half of what a box has for its buffers.
std::byte* random_place() {
  constexpr std::uint64_t kPlaces = (wire::kBuffersEnd - wire::kBuffersBegin) / 2 / wire::kPage;
  std::uint64_t bits = 0;
  if (getrandom(&bits, sizeof bits, 0) != sizeof bits) _exit(3);
  return reinterpret_cast<std::byte*>(wire::kBuffersBegin + bits % kPlaces * wire::kPage);
}

/// In place of whatever is there. The flags are those that the filter for loaded kernels knows this worker by.
void map_at(std::byte* place, std::size_t bytes, int protection, int fd, off_t offset) {
  constexpr int kFlags = MAP_SHARED | MAP_FIXED | MAP_POPULATE;
  if (mmap(place, bytes, protection, kFlags, fd, offset) == MAP_FAILED) _exit(3);
}

/// The C library gives a thread as much stack as the first one may have, which is more here than threads get elsewhere.
void limit_default_stack() {
  constexpr std::size_t kUsual = std::size_t{8} << 20;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kUsual);
  pthread_setattr_default_np(&attributes);
  pthread_attr_destroy(&attributes);
}

void* map_file(int fd, std::size_t bytes, int protection) {
  void* memory = mmap(nullptr, bytes, protection, MAP_SHARED, fd, 0);
  if (memory == MAP_FAILED) _exit(3);
  return memory;
}

}  // namespace

Worker::Worker() : Worker([] {}) {}

Worker::Worker(const std::function<void()>& prepare)
    : command_(static_cast<const wire::Command*>(map_file(wire::kCommandFd, sizeof(wire::Command), PROT_READ))),
      status_(static_cast<wire::Status*>(map_file(wire::kStatusFd, sizeof(wire::Status), PROT_READ | PROT_WRITE))),
      buffers_begin_(random_place()),
      buffers_end_(buffers_begin_) {
  if (command_->version != wire::kVersion) _exit(3);
  fault_status = status_;
  // Scratch memory freed by one call serves the next, in candidate and baseline alike: page faults are no kernel's work.
  // (A threshold for mmap above 32 MB would be refused without a word, so mmap is switched off instead.)
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_TOP_PAD, 64 << 20);
  // An arena takes its 64 MiB at once then: threads beyond the processors share those of the others.
  if (command_->arenas > 0) mallopt(M_ARENA_MAX, static_cast<int>(command_->arenas));
  limit_default_stack();
  heap_shift_.resize(random_shift());
  try {
    prepare();
  } catch (const std::exception& error) {
    fail_to_load(error.what());
  }
  announce(wire::kArrived);
  wait_for_call(0);
}

void Worker::report_faults() {
  stack_t stack{};
  stack.ss_sp = handler_stack;
  stack.ss_size = sizeof handler_stack;
  sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigaction(signal, &action, nullptr);
  std::set_new_handler(on_allocation_failure);
}

void Worker::confine(FileProbes probes) {
  if (command_->filter != 0 && !restrict_to_kernel_calls(probes))
    fail_to_load("the filter for loaded kernels cannot be installed", wire::kResisted);
}

void Worker::fail_to_load(const char* message, wire::Ready why) {
  leave_message(message);
  announce(why);
  _exit(4);
}

void Worker::fail_call(const char* message, wire::Fault why) {
  leave_message(message);
  status_->fault = why;
  _exit(4);
}

void Worker::fail_call(const MemoryDamage& damage) {
  status_->buffer = damage.buffer;
  status_->fault_offset = damage.offset;
  status_->fault = damage.kind;
  _exit(4);
}

void Worker::leave_message(const char* message) { std::strncpy(status_->message, message, sizeof status_->message - 1); }

void Worker::announce(wire::Ready state) {
  status_->ready.store(state, std::memory_order_release);
  syscall(SYS_futex, &status_->ready, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

void Worker::map_buffers() {
  std::byte* at = buffers_begin_;
  region_count = 0;
  for (std::uint32_t i = 0; i < command_->buffer_count; ++i) {
    const wire::Buffer& buffer = command_->buffers[i];
    const std::size_t bytes = buffer.pages * wire::kPage;
    const bool output = buffer.is_output != 0;
    // A guard page on either side, of the sealed inputs: nobody can make it writable, as an anonymous one could be.
    map_at(at, bytes + 2 * wire::kPage, PROT_NONE, wire::kInputsFd, 0);
    // Populated here, so that page faults are taken outside the timed call.
    map_at(at + wire::kPage, bytes, output ? PROT_READ | PROT_WRITE : PROT_READ, output ? wire::kOutputsFd : wire::kInputsFd,
           static_cast<off_t>(buffer.offset));
    regions[i] = {at, buffer.pages, at + wire::kPage + buffer.start, buffer.bytes, output, buffer.is_scratch != 0};
    region_count = i + 1;
    at += bytes + 2 * wire::kPage;
  }
  // What an earlier layout has left behind the last buffer.
  if (at < buffers_end_) map_at(at, static_cast<std::size_t>(buffers_end_ - at), PROT_NONE, wire::kInputsFd, 0);
  buffers_end_ = std::max(buffers_end_, at);
  layout_ = command_->layout;
}

void Worker::allocate(DeviceMemory& memory) {
  std::vector<SharedBuffer> buffers;
  for (const Region& region : std::span(regions, region_count))
    buffers.push_back(
        {region.reservation + wire::kPage, region.pages * wire::kPage, region.payload, region.bytes, region.is_output, region.is_scratch});
  memory.allocate(buffers);
}

std::uint32_t Worker::wait_for_call(std::uint32_t last) const {
  while (true) {
    const std::uint32_t go = command_->go.load(std::memory_order_acquire);
    if (go != last) return go;
    if (command_->spin != 0) {
#if defined(__x86_64__)
      __builtin_ia32_pause();
#endif
    } else {
      syscall(SYS_futex, &command_->go, FUTEX_WAIT, last, nullptr, nullptr, 0);
    }
  }
}

void Worker::serve(const CallTarget& target, DeviceMemory* memory) {
  std::uint32_t last = command_->go.load(std::memory_order_acquire);
  status_->batches = memory != nullptr ? memory->batches() : 0;
  announce(wire::kLoaded);
  void* tensors[wire::kMaxBuffers];
  auto* stack_shift = static_cast<volatile char*>(alloca(random_shift() + 64));
  *stack_shift = 0;
  while (true) {
    last = wait_for_call(last);
    if (command_->layout != layout_) {
      map_buffers();
      for (std::uint32_t i = 0; i < region_count; ++i) tensors[i] = regions[i].payload;
      if (memory != nullptr) allocate(*memory);
    }
    switch (command_->kind) {
      case wire::CallKind::kernel:
      case wire::CallKind::sealing:
        status_->device_ns = target({tensors,
                                     command_->dims,
                                     {command_->launches, command_->launch_count},
                                     command_->seal,
                                     status_->digest,
                                     command_->kind == wire::CallKind::sealing});
        break;
      case wire::CallKind::upload:
        if (memory != nullptr) memory->upload(command_->fill);
        break;
      case wire::CallKind::download:
        if (memory == nullptr) break;
        if (const auto damage = memory->download()) fail_call(*damage);
        break;
      case wire::CallKind::stow:
        if (memory != nullptr) memory->stow(command_->set, {command_->launches, command_->launch_count}, command_->fill);
        break;
      case wire::CallKind::fetch:
        if (memory == nullptr) break;
        if (const auto damage = memory->fetch(command_->set)) fail_call(*damage);
        break;
      case wire::CallKind::batch:
      case wire::CallKind::empty_batch:
        if (memory != nullptr)
          memory->batch({command_->launches, command_->kind == wire::CallKind::batch ? command_->launch_count : 0},
                        {status_->set_ns, command_->set});
        break;
      case wire::CallKind::touch:
        if (memory != nullptr) memory->touch();
        break;
      case wire::CallKind::watch:
        if (memory != nullptr) status_->device_ns = memory->watch();
        break;
      case wire::CallKind::empty: break;
    }
    status_->done.store(last, std::memory_order_release);
    if (command_->spin == 0) syscall(SYS_futex, &status_->done, FUTEX_WAKE, 1, nullptr, nullptr, 0);
  }
}

}  // namespace assay::box
