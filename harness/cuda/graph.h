// SPDX-License-Identifier: Apache-2.0
// A call as one graph, between two events of our own: what the host does between its launches is no part of its time.
#pragma once

#include <cuda.h>

#include <cstdint>
#include <functional>

namespace assay::cuda {

class Graph {
 public:
  /// Records what `enqueue` queues on `stream`, which queues nothing now. What it throws is thrown.
  Graph(CUstream stream, const std::function<void()>& enqueue);
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  /// Runs it once, and waits. Nanoseconds between the events; the status where it failed on the device.
  CUresult run(CUstream stream, std::uint64_t& nanoseconds) const;

 private:
  CUevent begin_ = nullptr, end_ = nullptr;
  CUgraphExec graph_ = nullptr;
};

}  // namespace assay::cuda
