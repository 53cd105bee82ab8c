// SPDX-License-Identifier: Apache-2.0
#include "wait_for_streams.h"

cudaError_t wait_for_streams(const cudaStream_t* producers, int count, cudaStream_t consumer) {
  cudaError_t result = cudaSuccess;
  for (int i = 0; i < count && result == cudaSuccess; ++i) {
    cudaEvent_t done;
    result = cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
    if (result != cudaSuccess) break;
    result = cudaEventRecord(done, producers[i]);
    if (result == cudaSuccess) result = cudaStreamWaitEvent(consumer, done, 0);
    cudaEventDestroy(done);  // it lasts as long as the device needs it
  }
  return result;
}
