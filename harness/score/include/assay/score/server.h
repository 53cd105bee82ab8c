// SPDX-License-Identifier: Apache-2.0
// A Scorer behind HTTP/1.1. openapi.yaml beside the room's sources describes the routes.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "assay/score/scorer.h"

namespace assay::score {

struct ServerOptions {
  std::string host = "127.0.0.1";
  int port = 0;                         ///< 0: any that is free
  std::string token;                    ///< demanded of every request but /health; empty: none is, which is for the loopback alone
  std::size_t most_connections = 1024;  ///< more wait outside
  std::size_t kept_bytes = std::size_t{64} << 20;  ///< of answers that may be asked for again
  /// The prompt of a task that the scorer knows; throws std::runtime_error.
  std::function<std::string(const std::string& task, const std::string& backend)> prompt;
  /// The source of a candidate in what a model said; throws SampleError where there is none.
  std::function<spec::SourceText(const std::string& task, const std::string& backend, const std::string& text)> extract;
  std::string version;
};

class Server {
 public:
  /// Throws std::runtime_error where it cannot listen, or a host other than the loopback has no token.
  Server(Scorer& scorer, ServerOptions options);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  int port() const;
  /// Answers requests until drain() was called and all that was accepted has been answered.
  void serve();
  /// Accepts no more samples. May be called from any thread.
  void drain();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace assay::score
