// SPDX-License-Identifier: Apache-2.0
// A library's flags as the arguments of a program: what GoogleTest and Google Benchmark want to parse.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace assay::stages {

class ProgramArguments {
 public:
  ProgramArguments(const std::string& name, std::vector<std::string> flags) : words_(std::move(flags)) {
    words_.insert(words_.begin(), name);
    for (std::string& word : words_) pointers_.push_back(word.data());
    pointers_.push_back(nullptr);  // parsers move it along when they take a flag out
    count = static_cast<int>(words_.size());
  }
  ProgramArguments(const ProgramArguments&) = delete;
  ProgramArguments& operator=(const ProgramArguments&) = delete;

  int count = 0;
  char** values() { return pointers_.data(); }

 private:
  std::vector<std::string> words_;
  std::vector<char*> pointers_;
};

}  // namespace assay::stages
