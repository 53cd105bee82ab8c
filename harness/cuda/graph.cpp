// SPDX-License-Identifier: Apache-2.0
#include "graph.h"

#include "driver.h"

namespace assay::cuda {

Graph::Graph(CUstream stream, const std::function<void()>& enqueue) {
  check(driver().cuEventCreate(&begin_, CU_EVENT_DEFAULT), "cuEventCreate");
  check(driver().cuEventCreate(&end_, CU_EVENT_DEFAULT), "cuEventCreate");
  check(driver().cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED), "cuStreamBeginCapture");
  CUgraph captured = nullptr;
  try {
    check(driver().cuEventRecordWithFlags(begin_, stream, CU_EVENT_RECORD_EXTERNAL), "cuEventRecordWithFlags");
    enqueue();
    check(driver().cuEventRecordWithFlags(end_, stream, CU_EVENT_RECORD_EXTERNAL), "cuEventRecordWithFlags");
  } catch (...) {
    driver().cuStreamEndCapture(stream, &captured);
    throw;
  }
  check(driver().cuStreamEndCapture(stream, &captured), "cuStreamEndCapture");
  check(driver().cuGraphInstantiate(&graph_, captured, 0), "cuGraphInstantiate");
  check(driver().cuGraphDestroy(captured), "cuGraphDestroy");
  check(driver().cuGraphUpload(graph_, stream), "cuGraphUpload");
}

Graph::~Graph() {
  if (graph_ != nullptr) driver().cuGraphExecDestroy(graph_);
  for (CUevent event : {begin_, end_})
    if (event != nullptr) driver().cuEventDestroy(event);
}

CUresult Graph::run(CUstream stream, std::uint64_t& nanoseconds) const {
  check(driver().cuGraphLaunch(graph_, stream), "cuGraphLaunch");
  if (const CUresult status = driver().cuStreamSynchronize(stream); status != CUDA_SUCCESS) return status;
  nanoseconds = nanoseconds_between(begin_, end_);
  return CUDA_SUCCESS;
}

}  // namespace assay::cuda
