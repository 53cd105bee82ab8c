// SPDX-License-Identifier: Apache-2.0
// What CMake tells the judge (cmake/KernelPlan.cmake writes it). What changes together is one struct and one file: a candidate is
// compiled by its toolchain and its plan, whatever is chosen for the run.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "assay/spec/task.h"

namespace assay::plan {

/// What a candidate's source is.
enum class Interface {
  function,      ///< defines the function of kernel.h
  launch_block,  ///< device code with a launch block, which the backend's program builds and launches
  program,       ///< part of a program of tests that the task brings
};

/// How a backend's candidates are compiled, and what runs them.
struct Toolchain {
  std::string backend, suffix;
  Interface interface = Interface::function;
  std::filesystem::path box;                     ///< the program that loads a candidate
  std::vector<std::string> compile;              ///< compiler and flags that make a shared library, or a device's binary
  std::vector<std::filesystem::path> readable;   ///< all that the compiler needs
  std::string memory;                            ///< where buffers lie: "cuda"; empty: in the host's memory
  std::vector<std::filesystem::path> driver;     ///< of those, what a box of host code needs that works on a device's memory
  std::vector<std::string> devices;              ///< patterns of a driver's device files
  std::vector<std::string> environment;          ///< names of variables that compiler and box get as this process has them
  std::vector<std::filesystem::path> libraries;  ///< that a candidate may be linked with, as its box sees them
  spec::KernelTypes types;                       ///< of kernel.h

  bool launches() const { return interface == Interface::launch_block; }
  bool is_host_code_of_device() const { return interface == Interface::function && !memory.empty(); }
  bool is_program() const { return interface == Interface::program; }
};

/// What kernel_task() declares of a task.
struct DeclaredTask {
  std::string name, category;
  int difficulty = 1;
  std::vector<std::string> suites;
  spec::TaskFile task_yaml;
  std::filesystem::path cases;          ///< drawn inputs and oracle results, written by the fixture cases; of a program task its controls
  std::chrono::seconds time_limit{10};  ///< of one call of a candidate; twice that while it is timed
  std::uint64_t memory_limit = std::uint64_t{5} << 29;  ///< bytes of address space that a candidate may have beside its buffers

  /// Drawn timing shapes and the bounds there, written by the fixture timing.
  std::filesystem::path timing() const { return cases.parent_path() / "timing.bin"; }
  /// Where a framework may write: temporary files, and what it compiles for the task.
  std::filesystem::path framework() const { return cases.parent_path() / "framework"; }
};

/// A baseline other than the one that is built in: a program that evaluates tasks by a framework (harness/python/assay_framework.py).
struct Framework {
  std::string name;                             ///< "torch 2.1.0", for records
  std::string reads;                            ///< "torch": a task's line, or "model": its ONNX model
  std::vector<std::string> types;               ///< that it has, by ONNX's names
  std::vector<std::string> command;             ///< an interpreter and its program; what is to be evaluated follows
  std::vector<std::filesystem::path> readable;  ///< files and folders, beside the system's
  bool cuda = false;                            ///< built for NVIDIA GPUs
  bool compiles = false;                        ///< starts compilers, and keeps what they make
};

/// What is chosen for a run, and what is the same for all tasks.
struct Settings {
  std::filesystem::path compiler;      ///< the program that compiles candidates
  std::filesystem::path judge;         ///< the program of all other stages, and of their fixtures
  std::filesystem::path baseline;      ///< the program that speedups are measured against, and outputs compared with
  std::optional<Framework> framework;  ///< what speedups are measured against in its place, where it can evaluate a task
  std::filesystem::path escape;        ///< the program that tries the sandbox
  std::filesystem::path sandbox;       ///< what it found on this machine
  std::filesystem::path machine;       ///< measured peaks, written by the fixture
  std::string require_tier;            ///< a weaker sandbox is a HARNESS_ERROR; empty: any will do
  std::string effort = "quick";
  std::string shapes = "cpu";  ///< which of the task's timing shapes: cpu, gpu, or a suite's
  std::string cache = "warm";  ///< state of the data before a timed call: warm or cold
  std::string profile;         ///< another system's rules (profile.h); empty: this project's
};

/// One task on one backend.
struct Plan {
  std::vector<std::filesystem::path> context;  ///< folders with what a candidate may include
  std::filesystem::path stub;                  ///< an object that calls the function of kernel.h; empty where there is none
  bool verbatim = false;                       ///< of a program task: its commands decide alone, as its own system has it
  bool has_bench = true;                       ///< false of a program task without a stage bench
  Toolchain toolchain;
  DeclaredTask task;
  Settings settings;
  std::vector<std::filesystem::path> files;  ///< that it was read from

  /// The file of the suite whose shapes are chosen; empty where they are a task's own, or no such suite lies beside the task.
  std::filesystem::path suite_of_shapes() const;
};

/// A toolchain alone. Throws std::runtime_error naming the file and the key.
Toolchain load_toolchain(const std::filesystem::path& file);

/// Reads a plan and the files that it names. Throws std::runtime_error naming the file and the key.
Plan load_plan(const std::filesystem::path& file);
/// The same of text that is in memory already; `file` is what messages call it. Each of the members toolchain, task and settings is
/// an object, or the path of a file that holds it.
Plan parse_plan(std::string_view text, const std::filesystem::path& file);

}  // namespace assay::plan
