// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "power_spectrum.h"

#define REQUIRE(good)                                              \
  do {                                                             \
    if (!(good)) {                                                 \
      std::printf("FAILED: line %d: %s\n", __LINE__, #good);       \
      std::exit(1);                                                \
    }                                                              \
  } while (false)

static void try_one(int length, int batch) {
  const int half = length / 2 + 1;
  std::vector<float> signals(static_cast<std::size_t>(length) * batch), got(static_cast<std::size_t>(half) * batch + 1), after(signals.size());
  for (float& number : signals) number = static_cast<float>(std::rand() % 2001 - 1000) / 1000;
  float *device = nullptr, *power = nullptr;
  REQUIRE(cudaMalloc(&device, signals.size() * sizeof(float)) == cudaSuccess);
  REQUIRE(cudaMalloc(&power, got.size() * sizeof(float)) == cudaSuccess);
  REQUIRE(cudaMemcpy(device, signals.data(), signals.size() * sizeof(float), cudaMemcpyHostToDevice) == cudaSuccess);
  REQUIRE(cudaMemset(power, 0, got.size() * sizeof(float)) == cudaSuccess);
  REQUIRE(power_spectrum(device, length, batch, power) == CUFFT_SUCCESS);
  REQUIRE(cudaMemcpy(got.data(), power, got.size() * sizeof(float), cudaMemcpyDeviceToHost) == cudaSuccess);
  REQUIRE(cudaMemcpy(after.data(), device, after.size() * sizeof(float), cudaMemcpyDeviceToHost) == cudaSuccess);
  REQUIRE(after == signals);
  REQUIRE(got.back() == 0);
  const double turn = -2 * std::acos(-1.0) / length;
  for (int b = 0; b < batch; ++b)
    for (int f = 0; f < half; ++f) {
      std::complex<double> sum = 0;
      for (int t = 0; t < length; ++t)
        sum += static_cast<double>(signals[static_cast<std::size_t>(b) * length + t]) * std::polar(1.0, turn * (static_cast<long>(f) * t % length));
      const double right = std::norm(sum) / length;
      REQUIRE(std::abs(got[static_cast<std::size_t>(b) * half + f] - right) <= 1e-4 * (1 + right));
    }
  cudaFree(device);
  cudaFree(power);
}

int main() {
  for (const int length : {1, 2, 3, 8, 15, 100, 1024})
    for (const int batch : {1, 2, 7}) try_one(length, batch);
  std::puts("all right");
}
