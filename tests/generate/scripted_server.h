// SPDX-License-Identifier: Apache-2.0
// A server of OpenAI's protocol on a port of the loopback that the kernel chooses. It misbehaves as it is told, one word for each request.
#pragma once

#include <atomic>
#include <deque>
#include <filesystem>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

namespace httplib {
class Server;
struct Request;
struct Response;
}  // namespace httplib

namespace assay::generate {

/// What happens to one request. "ok" answers; "slow:<seconds>" waits before that, "drip:<seconds>" between the pieces of a stream;
/// "say:<file>" answers with the file's text.
/// "<status>" is an error, "<status>:<value>" has Retry-After: <value>. "cut" and "drop" break the connection within the answer and before
/// it. "broken", "wrong-type", "deep", "huge", "html", "empty", "no-utf8", "no-end" are bodies with a status of 200, "echo" an error that
/// repeats the request's headers, "redirect:<url>" a redirection.
class ScriptedServer {
 public:
  struct Options {
    bool tls = false;                  ///< with a certificate that nobody knows
    double seconds = 0;                ///< that each answer takes
    std::string text{};                ///< of each answer; empty: a kernel that the prompt's function is
    std::vector<std::string> turns{};  ///< of the answers of a conversation, the last one of all that follow; none: `text`
    std::size_t threads = 96;
  };

  ScriptedServer() : ScriptedServer(Options()) {}
  explicit ScriptedServer(Options options);
  ~ScriptedServer();

  std::string base_url() const;
  /// The certificate's file, with which the server is trusted.
  const std::filesystem::path& certificate() const { return certificate_; }

  /// For the requests to come, one each, in the order that they arrive in; "ok" after the last.
  void script(std::vector<std::string> words);

  struct Seen {
    std::string path, authorization, other_headers;
    nlohmann::json body;
    double at = 0;
  };
  std::vector<Seen> seen() const;
  int most_at_once() const { return most_; }

 private:
  void handle(const httplib::Request& request, httplib::Response& response);
  void misbehave(const std::string& word, const std::string& value, const httplib::Request& request, httplib::Response& response);
  void answer(const std::string& text, const nlohmann::json& request, const std::string& path, double pause, bool cut,
              httplib::Response& response);
  std::string text_for(const nlohmann::json& request) const;

  Options options_;
  std::unique_ptr<httplib::Server> server_;
  std::filesystem::path certificate_;
  std::thread thread_;
  int port_ = 0;
  mutable std::mutex mutex_;
  std::deque<std::string> script_;
  std::vector<Seen> seen_;
  std::atomic<int> now_ = 0, most_ = 0;
};

}  // namespace assay::generate
