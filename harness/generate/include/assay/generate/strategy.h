// SPDX-License-Identifier: Apache-2.0
// How a candidate comes about: what is said to the model, turn by turn. A strategy is a file in strategies/ that calls define_strategy().
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "assay/generate/model.h"

namespace assay::generate {

/// What was said, and what was answered.
struct Turn {
  std::vector<Message> messages;
  std::string answer;
};

class Strategy {
 public:
  virtual ~Strategy() = default;
  /// What to say after these turns; nullopt: the last answer is the candidate. `prompt` is the task's, with the system's message.
  virtual std::optional<std::vector<Message>> next(const std::vector<Message>& prompt, const std::vector<Turn>& turns) const = 0;
};

using MakeStrategy = std::unique_ptr<Strategy> (*)();

/// To be called at static initialisation. Always true.
bool define_strategy(const std::string& name, MakeStrategy make);

/// Throws std::runtime_error where there is none of that name.
std::unique_ptr<Strategy> make_strategy(const std::string& name);

}  // namespace assay::generate
