// SPDX-License-Identifier: Apache-2.0
// A model whose body is harness/oracle.cpp: its text is the signature alone.
#pragma once

#include <string>

#include "assay/spec/graph.h"

namespace assay::spec {

/// Whether the model's text ends after the signature.
bool is_signature(const std::string& model);

/// The signature with a body that the parser takes: one node, of the operator assay.TaskOracle, from all inputs to all outputs, whose
/// attribute `extents` is the outputs' extents, one output's after another's. Text that is no signature is returned as it is: the parser
/// says what is wrong with it.
std::string with_oracle_body(const std::string& signature);

/// Tells the node of such a model what it evaluates: the signature, and the shared library that oracle.cpp has become.
void connect_oracle(Graph& model, const std::string& library);

}  // namespace assay::spec
