// SPDX-License-Identifier: Apache-2.0
#include "scripted_server.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <httplib.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <stdexcept>

#include "read_file.h"

namespace assay::generate {
namespace {

using nlohmann::json;

void sleep_for(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }
double steady_now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// For 127.0.0.1, signed by itself.
std::pair<X509*, EVP_PKEY*> make_certificate(const std::filesystem::path& file) {
  EVP_PKEY* key = EVP_RSA_gen(2048);
  X509* certificate = X509_new();
  X509_set_version(certificate, 2);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate), -3600);
  X509_gmtime_adj(X509_getm_notAfter(certificate), 3600);
  X509_set_pubkey(certificate, key);
  X509_NAME* name = X509_get_subject_name(certificate);
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>("assay test"), -1, -1, 0);
  X509_set_issuer_name(certificate, name);
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, "IP:127.0.0.1");
  X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
  X509_sign(certificate, key, EVP_sha256());
  std::FILE* out = std::fopen(file.c_str(), "w");
  if (out == nullptr || PEM_write_X509(out, certificate) != 1) throw std::runtime_error("no certificate");
  std::fclose(out);
  return {certificate, key};
}

/// "void relu(float* x);" in the prompt -> a kernel that does nothing.
std::string kernel_for(const json& request) {
  std::string prompt;
  for (const json& message : request.value("messages", request.value("input", json::array()))) prompt += message.value("content", "");
  const std::size_t end = prompt.rfind(");\n"), begin = end == prompt.npos ? end : prompt.rfind("void ", end);
  const std::string signature = begin == prompt.npos ? "void nothing(" : prompt.substr(begin, end - begin);
  return "Here it is.\n\n```cpp\n#include \"kernel.h\"\n\n" + signature + ") {}\n```\n";
}

/// How many answers of the model the conversation has.
std::size_t answers_in(const json& request) {
  const json said = request.value("messages", request.value("input", json::array()));
  return static_cast<std::size_t>(
      std::ranges::count_if(said, [](const json& message) { return message.value("role", "") == "assistant"; }));
}

}  // namespace

ScriptedServer::ScriptedServer(Options options) : options_(std::move(options)) {
  if (options_.tls) {
    std::string file = std::filesystem::temp_directory_path() / "assay_certificate_XXXXXX";
    close(mkstemp(file.data()));
    certificate_ = file;
    const auto [certificate, key] = make_certificate(certificate_);
    server_ = std::make_unique<httplib::SSLServer>(certificate, key);
    X509_free(certificate);
    EVP_PKEY_free(key);
  } else {
    server_ = std::make_unique<httplib::Server>();
  }
  const std::size_t threads = options_.threads;
  server_->new_task_queue = [threads] { return new httplib::ThreadPool(threads); };
  server_->set_keep_alive_max_count(100000);
  server_->set_tcp_nodelay(true);
  const auto handler = [this](const httplib::Request& request, httplib::Response& response) { handle(request, response); };
  server_->Post(".*", handler);
  server_->Get(".*", handler);
  int listening = -1;
  server_->set_socket_options([&listening](int fd) { listening = fd; });
  port_ = server_->bind_to_any_port("127.0.0.1");
  listen(listening, 256);  // the library's own queue of five drops connections, which then wait for minutes
  thread_ = std::thread([this] { server_->listen_after_bind(); });
  while (!server_->is_running()) sleep_for(0.001);
}

ScriptedServer::~ScriptedServer() {
  server_->stop();
  thread_.join();
  if (!certificate_.empty()) std::filesystem::remove(certificate_);
}

std::string ScriptedServer::base_url() const { return fmt::format("{}://127.0.0.1:{}/v1", options_.tls ? "https" : "http", port_); }

void ScriptedServer::script(std::vector<std::string> words) {
  const std::lock_guard lock(mutex_);
  script_.assign(words.begin(), words.end());
}

std::vector<ScriptedServer::Seen> ScriptedServer::seen() const {
  const std::lock_guard lock(mutex_);
  return seen_;
}

void ScriptedServer::handle(const httplib::Request& request, httplib::Response& response) {
  const int now = ++now_;
  for (int most = most_; now > most && !most_.compare_exchange_weak(most, now);) continue;
  std::string word = "ok", value;
  Seen seen{request.path, request.get_header_value("Authorization"), "", json::parse(request.body, nullptr, false), steady_now()};
  for (const auto& [name, text] : request.headers) seen.other_headers += name + ": " + text + "\n";
  const json body = seen.body;
  {
    const std::lock_guard lock(mutex_);
    if (!script_.empty()) {
      word = script_.front();
      script_.pop_front();
    }
    seen_.push_back(std::move(seen));
  }
  if (const std::size_t colon = word.find(':'); colon != word.npos) {
    value = word.substr(colon + 1);
    word.resize(colon);
  }
  sleep_for(options_.seconds);
  if (word == "slow") sleep_for(std::stod(value));
  if (word == "ok" || word == "slow") answer(text_for(body), body, request.path, 0, false, response);
  else if (word == "say") answer(read_file(value), body, request.path, 0, false, response);
  else if (word == "drip") answer(text_for(body), body, request.path, std::stod(value), false, response);
  else if (word == "cut") answer(text_for(body), body, request.path, 0, true, response);
  else misbehave(word, value, request, response);
  --now_;
}

void ScriptedServer::misbehave(const std::string& word, const std::string& value, const httplib::Request& request,
                               httplib::Response& response) {
  const auto json_body = [&](std::string text) { response.set_content(std::move(text), "application/json"); };
  if (word == "drop")
    response.set_content_provider(1000, "application/json", [](std::size_t, std::size_t, httplib::DataSink&) { return false; });
  else if (word == "broken") json_body(R"({"choices": [{"message": {"content": "void)");
  else if (word == "wrong-type") json_body(R"({"choices": {"message": 7}, "usage": "many", "error": null})");
  else if (word == "deep") json_body("{\"error\":" + std::string(2'000'000, '[') + std::string(2'000'000, ']') + "}");
  else if (word == "huge") json_body("{\"choices\": \"" + std::string(64 << 20, 'x') + "\"}");
  else if (word == "html") response.set_content("<!DOCTYPE html><html><body>Sign in</body></html>", "text/html");
  else if (word == "empty") json_body("");
  else if (word == "no-utf8") json_body("{\"choices\": [{\"message\": {\"content\": \"\xff\xfe\"}}]}");
  else if (word == "no-end") response.set_content("data: {\"choices\": [{\"delta\": {\"content\": \"half\"}}]}\n\n", "text/event-stream");
  else if (word == "redirect") response.set_redirect(value, 307);
  else if (word == "echo") {
    response.status = 401;
    json_body(json({{"error", {{"message", "Incorrect API key: " + request.get_header_value("Authorization") + "\x1b[2J"}}}}).dump());
  } else if (word == "quota") {
    response.status = 429;
    json_body(R"({"error": {"message": "You exceeded your current quota", "code": "insufficient_quota"}})");
  } else {
    response.status = std::stoi(word);
    if (!value.empty()) response.set_header("Retry-After", value);
    json_body(R"({"error": {"message": "as scripted"}})");
  }
}

std::string ScriptedServer::text_for(const json& request) const {
  if (!options_.turns.empty()) return options_.turns[std::min(answers_in(request), options_.turns.size() - 1)];
  return options_.text.empty() ? kernel_for(request) : options_.text;
}

void ScriptedServer::answer(const std::string& text, const json& request, const std::string& path, double pause, bool cut,
                            httplib::Response& response) {
  const bool chat = path.ends_with("/chat/completions");
  const json usage = chat ? json{{"prompt_tokens", 100},
                                 {"completion_tokens", 20},
                                 {"prompt_tokens_details", {{"cached_tokens", 60}}},
                                 {"completion_tokens_details", {{"reasoning_tokens", 5}}}}
                          : json{{"input_tokens", 100},
                                 {"output_tokens", 20},
                                 {"input_tokens_details", {{"cached_tokens", 60}}},
                                 {"output_tokens_details", {{"reasoning_tokens", 5}}}};
  const json whole = {{"model", "scripted-1"},
                      {"status", "completed"},
                      {"usage", usage},
                      {"output", {{{"type", "message"}, {"content", {{{"type", "output_text"}, {"text", text}}}}}}}};
  if (!request.value("stream", false)) {
    const json completion = {{"model", "scripted-1"},
                             {"usage", usage},
                             {"choices", {{{"message", {{"role", "assistant"}, {"content", text}}}, {"finish_reason", "stop"}}}}};
    const std::string body = (chat ? completion : whole).dump();
    response.set_content(cut ? body.substr(0, body.size() / 2) : body, "application/json");
    return;
  }
  std::vector<std::string> events;
  for (std::size_t at = 0; at < text.size(); at += 24) {
    const std::string piece = text.substr(at, 24);
    const json event = chat ? json{{"model", "scripted-1"}, {"choices", {{{"delta", {{"content", piece}}}, {"finish_reason", nullptr}}}}}
                            : json{{"type", "response.output_text.delta"}, {"delta", piece}};
    events.push_back("data: " + event.dump() + "\n\n");
  }
  if (cut) {
    events.resize(events.size() / 2);
  } else if (chat) {
    events.push_back(": a comment\r\ndata: " + json{{"choices", {{{"delta", json::object()}, {"finish_reason", "stop"}}}}}.dump() +
                     "\r\n\r\n");
    events.push_back("data: " + json{{"choices", json::array()}, {"usage", usage}}.dump() + "\n\ndata: [DONE]\n\n");
  } else {
    events.push_back("event: response.completed\ndata: " + json{{"type", "response.completed"}, {"response", whole}}.dump() + "\n\n");
  }
  response.set_chunked_content_provider("text/event-stream", [events, pause, cut](std::size_t, httplib::DataSink& sink) {
    for (const std::string& event : events) {
      if (!sink.write(event.data(), event.size())) return false;
      if (pause > 0) sleep_for(pause);
    }
    if (cut) return false;
    sink.done();
    return true;
  });
}

}  // namespace assay::generate
