// SPDX-License-Identifier: Apache-2.0
// Whoever answers prompts: a server (client.h), or a run that was recorded (replay.h).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace assay::generate {

struct Message {
  std::string role;  ///< "system", "user", "assistant"
  std::string content;
};

struct Request {
  std::string id;  ///< unique in its run: "relu.cpp.003"
  std::vector<Message> messages;
  std::optional<std::int64_t> seed;  ///< of its sampling; equal seeds may give equal answers
};

struct Usage {
  std::int64_t prompt = 0, cached = 0;         ///< tokens; `cached` is a part of `prompt`
  std::int64_t completion = 0, reasoning = 0;  ///< `reasoning` is a part of `completion`
  std::optional<double> cost;                  ///< as the server says, or by the prices of the configuration
};

struct Reply {
  std::string id;
  std::string text, reasoning;
  std::string finish;  ///< "stop", "length", ...; as the server says
  std::string model;   ///< that answered, as the server says
  Usage usage;
  double seconds = 0, first_seconds = 0;  ///< of the last attempt: to its end, and to its first byte
  int attempts = 0;
  std::string error;      ///< empty: it is an answer
  bool hopeless = false;  ///< the same would happen to every other request: a wrong key, a wrong address
};

class Model {
 public:
  virtual ~Model() = default;

  /// The next request; nullopt: there is none now.
  using Next = std::function<std::optional<Request>()>;
  /// Called as each request ends, in any order. False: stop now, and forget what is under way.
  using Done = std::function<bool(Reply)>;
  /// Called several times a second. True: there may be another request, though nothing is under way.
  using Round = std::function<bool()>;

  virtual void ask(const Next& next, const Done& done, const Round& round) = 0;
};

}  // namespace assay::generate
