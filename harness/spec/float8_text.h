// SPDX-License-Identifier: Apache-2.0
// The 8-bit float types in a model's text: libonnx has them from 1.14 on, and Debian 12's is 1.12. Its parser reads complex types in their
// place, which no tensor here has.
#pragma once

#include <onnx/onnx_pb.h>

#include <string>
#include <vector>

#include "plain_text.h"

namespace assay::spec {

/// Where `text` names such a type. Throws SpecError where the opset has none yet, and at a complex type.
std::vector<Replacement> find_float8(const std::string& text, int opset, const Locator& locate);

/// Gives the tensors that libonnx has read as complex their own type.
void put_float8(onnx::GraphProto& graph);

}  // namespace assay::spec
