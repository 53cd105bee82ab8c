// SPDX-License-Identifier: Apache-2.0
// What judging an OpenCL candidate costs: processor time of the stages compile and test over that of building the same source
// with clBuildProgram and launching the same kernels on the same inputs in one process, unconfined and unchecked.
// usage: opencl_cost <assay> <source> <plan.json>...
//   <source>  a folder of <category>/<task>.cl
// The tasks' cases must have been drawn (assay-judge cases). Prints a row for each task, then the ratio of the sums; exit 1 where
// that exceeds 1.7. Five runs gave 1.45 to 1.51 with PoCL on two EPYC cores.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "assay/cases/expected.h"
#include "assay/plan/plan.h"
#include "assay/spec/launch.h"
#include "temporary_folder.h"

namespace {

using namespace assay;
namespace fs = std::filesystem;

void require(cl_int status, const char* what) {
  if (status == CL_SUCCESS) return;
  fmt::print(stderr, "opencl_cost: {}: {}\n", what, status);
  _exit(1);
}

/// Of all children that have ended.
double children_seconds() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& t) { return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec); };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

template <class Work>
double cost_of_child(Work work) {
  const double before = children_seconds();
  const pid_t child = fork();
  if (child == 0) {
    work();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (status != 0) throw std::runtime_error("a child failed");
  return children_seconds() - before;
}

class Bare {
 public:
  explicit Bare(const std::string& source) {
    cl_platform_id platform;
    require(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
    require(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device_, nullptr), "clGetDeviceIDs");
    cl_int status;
    context_ = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &status);
    require(status, "clCreateContext");
    queue_ = clCreateCommandQueue(context_, device_, 0, &status);
    require(status, "clCreateCommandQueue");
    const char* text = source.data();
    const std::size_t bytes = source.size();
    program_ = clCreateProgramWithSource(context_, 1, &text, &bytes, &status);
    require(status, "clCreateProgramWithSource");
    require(clBuildProgram(program_, 1, &device_, "-cl-std=CL1.2", nullptr, nullptr), "clBuildProgram");
  }

  void run(const spec::LaunchBlock& block, cases::PreparedCase& entry) {
    const spec::ConcretePlan plan = spec::evaluate(block, entry.dims);
    std::vector<cl_mem> buffers;
    for (cases::Bytes& input : entry.inputs) buffers.push_back(make(input.size(), input.data()));
    for (const cases::ExpectedTensor& output : entry.outputs) buffers.push_back(make(output.bytes(), nullptr));
    for (const std::uint64_t bytes : plan.scratch_bytes) buffers.push_back(make(bytes, nullptr));
    for (const spec::ConcreteLaunch& launch : plan.launches) enqueue(launch, buffers);
    require(clFinish(queue_), "clFinish");
    for (cl_mem buffer : buffers) clReleaseMemObject(buffer);
  }

 private:
  cl_mem make(std::size_t bytes, void* data) {
    cl_int status;
    cl_mem memory = clCreateBuffer(context_, CL_MEM_READ_WRITE | (data != nullptr ? CL_MEM_COPY_HOST_PTR : 0),
                                   std::max<std::size_t>(1, bytes), bytes != 0 ? data : nullptr, &status);
    require(status, "clCreateBuffer");
    return memory;
  }

  void enqueue(const spec::ConcreteLaunch& launch, const std::vector<cl_mem>& buffers) {
    cl_int status;
    cl_kernel kernel = clCreateKernel(program_, launch.kernel.c_str(), &status);
    require(status, "clCreateKernel");
    for (cl_uint i = 0; i < launch.arguments.size(); ++i) {
      const spec::ConcreteArgument& argument = launch.arguments[i];
      const auto narrow = static_cast<cl_int>(argument.value);
      using Kind = spec::ConcreteArgument::Kind;
      if (argument.kind == Kind::buffer) status = clSetKernelArg(kernel, i, sizeof(cl_mem), &buffers.at(argument.buffer));
      if (argument.kind == Kind::i32) status = clSetKernelArg(kernel, i, sizeof narrow, &narrow);
      if (argument.kind == Kind::i64) status = clSetKernelArg(kernel, i, sizeof argument.value, &argument.value);
      if (argument.kind == Kind::local) status = clSetKernelArg(kernel, i, argument.bytes, nullptr);
      require(status, "clSetKernelArg");
    }
    const bool free = launch.local[0] == 0;
    require(clEnqueueNDRangeKernel(queue_, kernel, static_cast<cl_uint>(launch.rank), nullptr, launch.global.data(),
                                   free ? nullptr : launch.local.data(), 0, nullptr, nullptr),
            "clEnqueueNDRangeKernel");
    clReleaseKernel(kernel);
  }

  cl_device_id device_ = nullptr;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
  cl_program program_ = nullptr;
};

struct Costs {
  double bare, judged;
};

Costs measure(const std::string& assay, const fs::path& plan_file, const fs::path& source, const fs::path& folder) {
  const plan::Plan plan = plan::load_plan(plan_file);
  std::ifstream in(source, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const double bare = cost_of_child([&] {
    setenv("POCL_CACHE_DIR", (folder / "bare").c_str(), 1);
    Bare program(text);
    const spec::LaunchBlock block = spec::parse_launch_block(text, spec::load_checked_task(plan.task.task_yaml));
    cases::CaseFile cases = cases::load_cases(plan.task.cases);
    for (cases::PreparedCase& entry : cases.cases) program.run(block, entry);
  });
  const std::string common = fmt::format("--plan {} --run cost --sample 000 --prefix {}", plan_file.string(), (folder / "judged").string());
  const double judged = cost_of_child([&] {
    const std::string compile = fmt::format("{}-compile {} --source {}", assay, common, fs::absolute(source).string());
    const std::string test = fmt::format("{}-judge test {} > {}/test.txt", assay, common, folder.string());
    _exit(system(compile.c_str()) != 0 || system(test.c_str()) != 0);
  });
  return {bare, judged};
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 4) {
    fmt::print(stderr, "usage: opencl_cost <assay> <folder of sources> <plan.json>...\n");
    return 2;
  }
  Costs total{0, 0};
  fmt::print("{:<48} {:>8} {:>8} {:>6}\n", "task", "bare s", "judged s", "ratio");
  for (int i = 3; i < argc; ++i) {
    const plan::Plan plan = plan::load_plan(argv[i]);
    const TemporaryFolder folder;
    fs::create_directory(folder / "bare");
    const Costs costs = measure(argv[1], argv[i], fs::path(argv[2]) / plan.task.category / (plan.task.name + ".cl"), folder.path());
    fmt::print("{:<48} {:8.2f} {:8.2f} {:6.2f}\n", plan.task.name, costs.bare, costs.judged, costs.judged / costs.bare);
    total.bare += costs.bare;
    total.judged += costs.judged;
  }
  fmt::print("{:<48} {:8.2f} {:8.2f} {:6.2f}\n", "all", total.bare, total.judged, total.judged / total.bare);
  constexpr double kMost = 1.7;
  const bool good = total.judged <= kMost * total.bare;
  fmt::print("opencl_cost: {:.2f}, the limit {:.2f}: {}\n", total.judged / total.bare, kMost, good ? "good" : "MISSED");
  return good ? 0 : 1;
} catch (const std::exception& error) {
  fmt::print(stderr, "opencl_cost: {}\n", error.what());
  return 1;
}
