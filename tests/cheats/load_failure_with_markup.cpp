// SPDX-License-Identifier: Apache-2.0
// cheat: 6
// task: relu
// stage: test
// expect: CRASH
// Claims that loading failed, with a reason that CTest and a terminal would act upon, and leaves.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>

#include "kernel.h"

__attribute__((constructor)) static void claim() {
  void* page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, 4, 0);
  if (page != MAP_FAILED) {
    char* status = static_cast<char*>(page);
    const uint32_t failed = 2;
    std::strcpy(
        status + 96,
        "\033[2J\r<CTestMeasurementFile type=\"file\" name=\"x\">/etc/hostname</CTestMeasurementFile>");
    std::memcpy(status + 64, &failed, 4);
  }
  _exit(4);
}

void relu(const float*, float*, int64_t, int64_t) {}
