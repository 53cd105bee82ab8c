// SPDX-License-Identifier: Apache-2.0
// assay-context: the build's step for each task. Writes kernel.h, which candidates include, and the stub that calls them.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "assay/plan/plan.h"
#include "assay/record/printable.h"
#include "assay/spec/launch.h"
#include "assay/spec/task.h"
#include "assay/spec/whole_file.h"

namespace {

using namespace assay;

/// A file is written only where it changes, so that a build does nothing twice.
void write_if_different(const std::filesystem::path& file, const std::string& text) {
  std::ifstream in(file, std::ios::binary);
  const std::string old{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (in.is_open() && old == text) return;
  std::filesystem::create_directories(file.parent_path());
  spec::write_whole_file("context", file, text);
}

void write_context(const spec::Task& task, const plan::Toolchain& toolchain, const std::filesystem::path& folder) {
  write_if_different(folder / "kernel.h",
                     toolchain.launches() ? spec::launch_header(task, toolchain.types) : spec::kernel_header(task, toolchain.types));
  write_if_different(folder / "stub.cpp", spec::kernel_stub(task, toolchain.types));
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"assay-context: writes a task's kernel.h, which candidates include, and the stub that calls them"};
  std::string task, out, toolchain;
  app.add_option("--task", task, "task.yaml, or <family>.yaml#<name>")->required();
  app.add_option("--out", out, "folder to write to")->required();
  app.add_option("--toolchain", toolchain, "a backend's, as CMake wrote it: its own types (default: those of C)");
  try {
    app.parse(argc, argv);
    write_context(spec::load_task(task), toolchain.empty() ? plan::Toolchain() : plan::load_toolchain(toolchain), out);
    return 0;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "assay-context: %s\n", record::printable_lines(error.what()).c_str());
    return 2;
  }
}
