// SPDX-License-Identifier: Apache-2.0
// A model evaluated once with its values kept, so that an altered one is evaluated only from the alteration on.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "assay/oracle/evaluate.h"

namespace assay::admission {

class RecordedRun {
 public:
  /// `model` must outlive this; `dims` are what its attributes may name.
  RecordedRun(const spec::Graph& model, const spec::Dims& dims, std::vector<oracle::Value<double>> inputs);

  const std::vector<oracle::Value<double>>& inputs() const { return inputs_; }
  std::vector<oracle::Value<double>> outputs() const { return run_.outputs(); }
  /// The shape of the model's value `name`.
  const spec::Shape& shape(const std::string& name) const { return shapes_.at(name); }

  /// The outputs of `altered` on `inputs`. What neither a changed input nor a changed node reaches is taken from the record.
  std::vector<oracle::Value<double>> outputs_of(const spec::Graph& altered, const std::vector<oracle::Value<double>>& inputs) const;

 private:
  const spec::Graph& model_;
  std::vector<oracle::Value<double>> inputs_;
  oracle::Cost cost_;
  oracle::Evaluation<double> run_;
  std::map<std::string, const spec::Node*> writers_;  ///< of each value: the node
  std::map<std::string, spec::Shape> shapes_;
};

}  // namespace assay::admission
