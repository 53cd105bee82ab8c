// SPDX-License-Identifier: Apache-2.0
// usage: assay_cuda_embed <nvrtc> <source> <output>
// Compiles device code of our own for each architecture that the toolkit's NVRTC knows, and writes built_kernels() of own_kernels.h,
// a table of the cubins: a box has no compiler.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "assay/box/device_program.h"
#include "nvrtc.h"

namespace {

std::string literal(const std::string& bytes) {
  std::string text;
  char octal[5];
  for (const char byte : bytes) {
    std::snprintf(octal, sizeof octal, "\\%03o", static_cast<unsigned>(static_cast<unsigned char>(byte)));
    text += octal;
  }
  return text;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 4) {
    std::fprintf(stderr, "usage: assay_cuda_embed <nvrtc> <source> <output>\n");
    return 2;
  }
  assay::cuda::load_nvrtc(argv[1]);
  const std::string source = assay::box::read_file(argv[2]);
  std::ofstream out(argv[3]);
  out << "#include \"" << std::filesystem::path(argv[2]).replace_extension(".h").string()
      << "\"\n\nnamespace assay::cuda {\n\nstd::span<const BuiltKernels> built_kernels() {\n"
         "  static const BuiltKernels all[] = {\n";
  for (const int architecture : assay::cuda::known_architectures()) {
    const std::string name = "sm_" + std::to_string(architecture);
    const assay::cuda::Compiled compiled = assay::cuda::compile(source, "own_kernels.cu", name, {"-std=c++17"});
    if (!compiled.good) {
      std::fprintf(stderr, "assay_cuda_embed: %s for %s: %s\n", argv[2], name.c_str(), compiled.log.c_str());
      return 1;
    }
    out << "{" << architecture << ", std::string_view(\"" << literal(compiled.cubin) << "\", " << compiled.cubin.size() << ")},\n";
  }
  out << "};\n  return all;\n}\n\n}  // namespace assay::cuda\n";
  return out.flush() ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "assay_cuda_embed: %s\n", error.what());
  return 1;
}
