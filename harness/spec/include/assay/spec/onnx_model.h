// SPDX-License-Identifier: Apache-2.0
// A task's model for programs that read ONNX.
#pragma once

#include <string>

#include "assay/spec/graph.h"

namespace assay::spec {

/// The model as a serialized onnx::ModelProto (ONNX IR specification), all extents and attributes as numbers. `dims` has every
/// dimension, also those that only outputs have. The inputs and outputs of bodies have names alone, as their operators say what they are.
std::string onnx_model(const Graph& model, const Dims& dims);

}  // namespace assay::spec
