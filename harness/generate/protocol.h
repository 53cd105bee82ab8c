// SPDX-License-Identifier: Apache-2.0
// The bodies of OpenAI's protocol: what is sent, and what comes back, whole or as a stream of events. A server's answer is hostile: any
// member may be missing or of another type, and its bytes may be no JSON.
#pragma once

#include <string>
#include <string_view>

#include "assay/generate/endpoint.h"
#include "assay/generate/model.h"

namespace assay::generate {

/// "/chat/completions"
std::string_view path_of(Api api);

/// JSON. Text that is no UTF-8 gets replacement characters.
std::string request_body(const Endpoint& endpoint, const Sampling& sampling, const Request& request);

/// Takes a server's answer as it arrives.
class ReplyReader {
 public:
  ReplyReader(Api api, std::size_t most_bytes) : api_(api), most_bytes_(most_bytes) {}

  /// Of a status of 200. `events`: the body is a stream of server-sent events. False: it is larger than allowed.
  bool take(std::string_view piece, bool events);

  /// Fills in what was said. Returns what is wrong with the answer; empty where it is whole.
  std::string end(Reply& reply);

  bool too_large() const { return bytes_ > most_bytes_; }

 private:
  void take_event(std::string_view data);
  void take_chat(const nlohmann::json& body, const char* message);
  void take_responses(const nlohmann::json& response);
  void take_responses_event(const nlohmann::json& event);
  void take_usage(const nlohmann::json& usage);

  Api api_;
  std::size_t most_bytes_, bytes_ = 0, searched_ = 0;
  std::string pending_;  ///< of a stream: what has no line end yet; else the body
  std::string event_;
  bool events_ = false, finished_ = false, something_ = false;
  std::string fault_;
  Reply reply_;
};

/// What a server says of an error: the message in its JSON, or the beginning of another text, in one line that may be printed.
std::string error_text(std::string_view body);

/// The member "code" or "type" of an error in JSON; else empty.
std::string error_code(std::string_view body);

bool looks_like_html(std::string_view body);

}  // namespace assay::generate
