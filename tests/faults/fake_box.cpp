// SPDX-License-Identifier: Apache-2.0
// A box that does not keep to the wire; the name that it is called by says how.
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>
#include <string_view>

#include "assay/box/kernel_filter.h"
#include "assay/wire/wire.h"

namespace wire = assay::wire;

namespace {

void* map_file(int fd, std::size_t bytes, int protection) {
  void* memory = mmap(nullptr, bytes, protection, MAP_SHARED, fd, 0);
  if (memory == MAP_FAILED) _exit(3);
  return memory;
}

void say(wire::Status* status, wire::Ready state) {
  status->ready.store(state);
  syscall(SYS_futex, &status->ready, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

void wait_for_go(const wire::Command* command, std::uint32_t last) {
  while (command->go.load() == last) usleep(1000);
}

[[noreturn]] void sleep_for_ever() {
  while (true) usleep(100000);
}

}  // namespace

int main(int, char** argv) {
  const std::string_view path = argv[0], how = path.substr(path.rfind('/') + 1);
  if (how == "exits_at_once") return 0;
  if (how == "never_arrives") sleep_for_ever();
  const auto* command = static_cast<const wire::Command*>(map_file(wire::kCommandFd, sizeof(wire::Command), PROT_READ));
  auto* status = static_cast<wire::Status*>(map_file(wire::kStatusFd, sizeof(wire::Status), PROT_READ | PROT_WRITE));
  if (how == "begins_with_rubbish") {
    std::memset(static_cast<void*>(status), 0xa5, sizeof *status);
    sleep_for_ever();
  }
  say(status, wire::kArrived);
  wait_for_go(command, 0);
  if (how == "exits_while_loading") return 0;
  if (how == "never_loads") sleep_for_ever();
  if (command->filter != 0 && !assay::box::restrict_to_kernel_calls()) return 3;
  say(status, wire::kLoaded);
  wait_for_go(command, 1);
  if (how == "answers_with_rubbish") std::memset(static_cast<void*>(status), 0xa5, sizeof *status);
  if (how == "closes_everything") {
    munmap(status, sizeof *status);
    syscall(SYS_close_range, 0, ~0u, 0);
  }
  sleep_for_ever();  // never_answers, and what is left of the others
}
