// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace assay::problem {

/// A problem with every field of the format, in its order.
inline nlohmann::ordered_json whole_record(const std::string& id = "CUDA/1") {
  return nlohmann::ordered_json::parse(R"({
    "type": "cuda_cpp", "schema_version": 2, "task_id": "CUDA/1", "date": "2026-01-02", "prompt": "Adds.\n\n  Twice:\ta # b\n",
    "metadata": {"difficulty": "hard", "tags": ["a-tag"], "releases": ["2026-1"], "do_not_release": false, "of_ours": [1]},
    "group": "cuda-runtime", "context_files": [{"path": "include/add.h", "content": "int add(int, int);\n"}],
    "test_files": [{"path": "test/z.cpp", "content": "int main() {}\n"}, {"path": "test/a.h", "content": ""}],
    "source_references": {"any": null, "all": ["cudaMalloc"]}, "build_command": "g++ -I include -o test.out solution.cpp test/*.cpp",
    "test_command": "./test.out", "benchmark_command": null, "timing_mode": {"type": "process"}, "min_cuda_toolkit": "12.0",
    "compute_capability": null, "requires_datacenter_gpu": false, "timeout_seconds": 60.0,
    "baseline_solution": {"schema_version": 1, "type": "file", "task_id": "CUDA/1",
                          "files": [{"path": "solution.cpp", "content": "int add(int a, int b) { return a + b; }\n"}]}})")
      .patch({{{"op", "replace"}, {"path", "/task_id"}, {"value", id}}});
}

}  // namespace assay::problem
