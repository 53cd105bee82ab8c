// SPDX-License-Identifier: Apache-2.0
#include "assay/box/device_program.h"

#include <link.h>
#include <signal.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <new>

namespace assay::box {
namespace {

namespace fs = std::filesystem;

int build(DeviceProgram& program, const std::vector<std::string>& arguments) {
  if (arguments.size() < 3 || arguments[arguments.size() - 2] != "-o") {
    std::fprintf(stderr, "usage: %s build [<compiler option>...] <source> -o <binary>\n", program_invocation_short_name);
    return 2;
  }
  try {
    return program.build({arguments.begin(), arguments.end() - 3}, arguments[arguments.size() - 3], arguments.back()) ? 0 : 1;
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "error: the compiler needs more memory than it may have\n");
    return 1;
  }
}

/// A device that is missing, or a driver that crashes, is no candidate's failure: nothing of one has been read yet.
void open(DeviceProgram& program, const std::vector<std::string>& arguments, std::size_t fewest) {
  if (arguments.size() < fewest || arguments[0] != "--device" || arguments[2] != "--cache")
    throw std::runtime_error("usage: box|host|measure --device <selector> --cache <folder> [<binary> <kernel>...]");
  program.open(arguments[1], arguments[3]);
}

using Load = std::function<std::unique_ptr<DeviceKernels>()>;

[[noreturn]] void serve(Worker& worker, DeviceProgram& program, const Load& load) {
  const auto kernels = load();
  worker.report_faults();    // a driver has handlers of its own
  signal(SIGXFSZ, SIG_IGN);  // LLVM has taken it: what a kernel prints beyond the limit is lost, and no more than that
  worker.confine(FileProbes::allowed);
  program.after_confinement();
  try {
    worker.serve([&](const KernelCall& call) { return kernels->run(call); }, kernels.get());
  } catch (const UnmappedAccess& access) {
    worker.fail_call(access.what(), wire::Fault::unmapped);
  } catch (const std::exception& error) {
    worker.fail_call(error.what());
  }
}

int serve(DeviceProgram& program, const std::vector<std::string>& arguments, std::size_t fewest, const Load& load) {
  Worker worker([&] { open(program, arguments, fewest); });
  unsetenv("LD_PRELOAD");  // of this process, and not of the programs that a driver's compiler starts
  worker.report_faults();
  try {
    serve(worker, program, load);
  } catch (const std::exception& error) {
    worker.fail_to_load(error.what());
  }
}

int print(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  return 0;
}

}  // namespace

int run(DeviceProgram& program, int argc, char** argv) {
  const std::string command = argc > 1 ? argv[1] : "";
  const std::vector<std::string> arguments(argv + (argc > 1 ? 2 : 1), argv + argc);
  try {
    if (command == "build") return build(program, arguments);
    if (command == "box")
      return serve(program, arguments, 6, [&] { return program.load(arguments[4], {arguments.begin() + 5, arguments.end()}); });
    if (command == "host")
      return serve(program, arguments, 4, [&] { return program.load_function(arguments.size() > 4 ? arguments[4] : ""); });
    if (command == "devices") return print(program.devices());
    if (command == "describe") {
      const std::string device = program.target();
      return device.empty() ? 2 : print(device);
    }
    if (command == "measure") {
      open(program, arguments, 4);
      return print(program.measure());
    }
    std::fprintf(stderr, "usage: %s build|box|host|measure|devices ...\n", program_invocation_short_name);
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", program_invocation_short_name, error.what());
    return 3;
  }
}

std::vector<std::string> loaded_libraries() {
  std::vector<std::string> files;
  const auto add = [](dl_phdr_info* library, std::size_t, void* list) {
    if (library->dlpi_name != nullptr && *library->dlpi_name == '/')
      static_cast<std::vector<std::string>*>(list)->emplace_back(library->dlpi_name);
    return 0;
  };
  dl_iterate_phdr(add, &files);
  return files;
}

std::string read_file(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + file.string());
  return {std::istreambuf_iterator<char>(in), {}};
}

bool write_file(const fs::path& file, std::string_view text) {
  errno = 0;
  std::ofstream out(file, std::ios::binary);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  if (out.flush()) return true;
  if (errno != EFBIG) throw std::runtime_error("cannot write " + file.string() + ": " + std::strerror(errno));
  std::fprintf(stderr, "error: %s has %zu bytes, more than a file may have\n", file.filename().c_str(), text.size());
  return false;
}

}  // namespace assay::box
