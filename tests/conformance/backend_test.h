// SPDX-License-Identifier: Apache-2.0
// One ONNX backend test: a folder with model.onnx and test_data_set_<k>/input_<i>.pb, output_<i>.pb.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace assay {

class BackendTest {
 public:
  /// std::runtime_error where model.onnx cannot be read.
  explicit BackendTest(std::filesystem::path folder);
  ~BackendTest();
  BackendTest(BackendTest&&) noexcept;

  const std::string& name() const { return name_; }
  /// Operators of the model's nodes, those of bodies included, in order, each once.
  const std::vector<std::string>& operators() const { return operators_; }
  /// What its values are, each once: element types as ONNX's text syntax writes them (float, float8e4m3fn,
  /// string), sequence, optional, map, sparse.
  const std::vector<std::string>& types() const { return types_; }
  /// Nothing where every output of every data set is as expected; otherwise the cause. `coarse`, where given,
  /// replaces the usual tolerance: |got - expected| <= coarse * max(1, |expected|).
  std::optional<std::string> failure(std::optional<double> coarse) const;

 private:
  struct Model;
  std::filesystem::path folder_;
  std::string name_;
  std::vector<std::string> operators_, types_;
  std::unique_ptr<Model> model_;
};

}  // namespace assay
