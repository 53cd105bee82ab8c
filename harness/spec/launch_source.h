// SPDX-License-Identifier: Apache-2.0
// A candidate's source as the launch block's parser sees it: where the block is, its tokens, the code's
// identifiers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "assay/spec/launch.h"

namespace assay::spec {

/// `text`, which is somebody else's, as messages quote it: 'at most 40 characters', nothing but printable
/// ASCII.
std::string quotation(std::string_view text);

struct LaunchToken {
  enum class Kind : std::uint8_t { word, number, symbol, end };
  Kind kind = Kind::end;
  std::string_view text;
  SourcePosition at;
};

/// The tokens of the block at the top of `source`, after the word launch; the last one is the end. Throws
/// LaunchError.
std::vector<LaunchToken> launch_tokens(std::string_view source);

/// The tokens of an expression that stands alone; the last one is the end. Throws LaunchError.
std::vector<LaunchToken> expression_tokens(std::string_view text);

/// Those of `names` that `source` does not have as identifiers outside of comments. None where a macro or
/// another file may define them: that is for the device's compiler to say.
std::vector<std::string> absent_names(std::string_view source, const std::vector<std::string>& names);

}  // namespace assay::spec
