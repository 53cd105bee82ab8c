// SPDX-License-Identifier: Apache-2.0
#include "assay/generate/client.h"

#include <curl/curl.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <list>
#include <random>
#include <stdexcept>

#include "assay/record/printable.h"
#include "assay/spec/loopback.h"
#include "assay/spec/name.h"
#include "pace.h"
#include "protocol.h"

namespace assay::generate {
namespace {

constexpr std::size_t kMostErrorBytes = 1 << 16;
constexpr long kOk = 200;

double steady_now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }
double unix_now() { return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count(); }

struct UrlParts {
  std::string scheme, host;
};

UrlParts parts_of(const std::string& url) {
  const std::unique_ptr<CURLU, void (*)(CURLU*)> parsed(curl_url(), curl_url_cleanup);
  const auto refuse = [&](const char* why) {
    throw std::runtime_error(
        fmt::format("generate: base_url {}: {}. do: give https://<host>[:<port>][/<path>]", record::printable(url), why));
  };
  if (parsed == nullptr || curl_url_set(parsed.get(), CURLUPART_URL, url.c_str(), 0) != CURLUE_OK) refuse("is no URL");
  const auto part = [&](CURLUPart which) {
    char* text = nullptr;
    std::string result;
    if (curl_url_get(parsed.get(), which, &text, 0) == CURLUE_OK) result = text;
    curl_free(text);
    return result;
  };
  UrlParts parts{part(CURLUPART_SCHEME), part(CURLUPART_HOST)};
  if (parts.scheme != "https" && parts.scheme != "http") refuse("is neither https nor http");
  for (const CURLUPart which : {CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_QUERY, CURLUPART_FRAGMENT})
    if (!part(which).empty()) refuse("has a user, a query or a fragment");
  return parts;
}

std::string key_of(const Endpoint& endpoint, const UrlParts& url) {
  if (endpoint.key_variable.empty()) return "";
  const char* value = std::getenv(endpoint.key_variable.c_str());
  const std::string key = value == nullptr ? "" : value;
  const std::string name = record::printable(endpoint.key_variable);
  if (key.empty())
    throw std::runtime_error(
        fmt::format("generate: no key: the environment variable {} is not set. do: export it, or name another with key:", name));
  if (!std::ranges::all_of(key, [](unsigned char c) { return c > ' ' && c < 0x7F; }))
    throw std::runtime_error(
        fmt::format("generate: the key in {} has spaces, control characters or other than ASCII. do: export it anew", name));
  if (url.scheme == "http" && !spec::is_loopback(url.host))
    throw std::runtime_error(
        fmt::format("generate: the key in {} would go to {} unencrypted. do: give base_url with https, or key: none", name, url.host));
  return key;
}

}  // namespace

struct Waiting {
  Request request;
  int attempts = 0;
  double due = 0;
};

/// One attempt under way.
struct Transfer {
  Transfer(Waiting what, Api api, std::size_t most_bytes) : waiting(std::move(what)), reader(api, most_bytes) {}
  ~Transfer() { curl_easy_cleanup(easy); }
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  Waiting waiting;
  ReplyReader reader;
  CURL* easy = nullptr;
  std::string body, error_body;
  std::optional<double> retry_after;
  std::string location;
  double first = 0;
  double tokens = 0;  ///< as estimated before
  char message[CURL_ERROR_SIZE] = "";

  long status() const {
    long code = 0;
    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &code);
    return code;
  }
  std::string content_type() const {
    const char* type = nullptr;
    curl_easy_getinfo(easy, CURLINFO_CONTENT_TYPE, &type);
    return type == nullptr ? "" : type;
  }
};

namespace {

std::size_t take_body(const char* data, std::size_t, std::size_t size, void* self) {
  auto& transfer = *static_cast<Transfer*>(self);
  if (transfer.first == 0) transfer.first = steady_now();
  const std::string_view piece(data, size);
  if (transfer.status() != kOk) {
    transfer.error_body += piece.substr(0, kMostErrorBytes - std::min(kMostErrorBytes, transfer.error_body.size()));
    return transfer.error_body.size() < kMostErrorBytes ? size : 0;
  }
  return transfer.reader.take(piece, transfer.content_type().starts_with("text/event-stream")) ? size : 0;
}

std::size_t take_header(const char* data, std::size_t, std::size_t size, void* self) {
  auto& transfer = *static_cast<Transfer*>(self);
  const std::string_view line(data, size);
  const std::size_t colon = line.find(':');
  if (colon == line.npos) return size;
  std::string name = spec::lower_case(line.substr(0, colon));
  std::string_view value = line.substr(colon + 1);
  value = value.substr(std::min(value.find_first_not_of(" \t"), value.size()));
  value = value.substr(0, value.find_last_not_of(" \t\r\n") + 1);
  if (name == "retry-after") transfer.retry_after = retry_after(value, unix_now());
  if (name == "location") transfer.location = record::printable(record::cut_to(value, 200));
  return size;
}

/// What became of an attempt.
struct Outcome {
  std::string error;  ///< empty: it is an answer
  bool again = false, hopeless = false;
};

Outcome of_transport(CURLcode code, const Transfer& transfer) {
  if (transfer.reader.too_large()) return {"the answer is larger than most_bytes"};
  const std::string what = fmt::format("{}", transfer.message[0] != '\0' ? transfer.message : curl_easy_strerror(code));
  switch (code) {
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
      return {fmt::format("the server's certificate is not trusted ({}). do: name its authority's file with ca:", what), false, true};
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_URL_MALFORMAT:
    case CURLE_SSL_CIPHER:
    case CURLE_OUT_OF_MEMORY: return {what, false, true};
    default: return {what, true};  // the connection: refused, broken, too slow
  }
}

Outcome of_status(long status, const Transfer& transfer) {
  const std::string& body = transfer.error_body;
  const std::string said = fmt::format("status {}: {}", status, body.empty() ? "no more" : error_text(body));
  const std::string code = error_code(body);
  // A quota that is used up answers as a limit does, and does not pass.
  if (status == 429 && (code == "insufficient_quota" || code == "billing_hard_limit_reached")) return {said, false, true};
  if (status == 408 || status == 409 || status == 429 || status >= 500) return {said, true};
  if (status >= 300 && status < 400)
    return {fmt::format(
                "status {}: a redirection to {}, which is not followed: the key goes to the configured host alone. do: correct base_url",
                status, transfer.location),
            false, true};
  return {said, false, status == 401 || status == 404 || status == 405 || looks_like_html(body)};
}

void replace_all(std::string& text, const std::string& what, const char* with) {
  if (what.empty()) return;
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at)) text.replace(at, what.size(), with);
}

}  // namespace

struct Client::Session {
  Endpoint endpoint;
  Sampling sampling;
  std::string key, url;
  bool loopback = false, any_answer = false;
  CURLM* multi = nullptr;
  curl_slist* headers = nullptr;
  std::list<Transfer> active;
  std::list<Waiting> waiting;
  Allowance requests{0, 0}, tokens{0, 0};
  double hold_until = 0;
  std::minstd_rand random{std::random_device()()};

  ~Session() {
    forget();
    curl_slist_free_all(headers);
    curl_multi_cleanup(multi);
  }

  void forget() {
    for (Transfer& transfer : active) curl_multi_remove_handle(multi, transfer.easy);
    active.clear();
    waiting.clear();
  }

  void add_header(const std::string& line) { headers = curl_slist_append(headers, line.c_str()); }

  /// Four bytes are a token, more or less; the usage corrects it.
  double estimate(const Request& request) const {
    std::size_t bytes = 0;
    for (const Message& message : request.messages) bytes += message.content.size();
    return static_cast<double>(bytes) / 4 + static_cast<double>(sampling.max_tokens.value_or(0));
  }

  /// When the next request may start, of those that are due.
  double free_at(const Request& request, double now) {
    return std::max({requests.free_at(1, now), tokens.free_at(estimate(request), now), hold_until});
  }

  void start(Waiting what, double now) {
    Transfer& transfer = active.emplace_back(std::move(what), endpoint.api, endpoint.most_bytes);
    ++transfer.waiting.attempts;
    transfer.tokens = estimate(transfer.waiting.request);
    requests.spend(1, now);
    tokens.spend(transfer.tokens, now);
    transfer.body = request_body(endpoint, sampling, transfer.waiting.request);
    transfer.easy = curl_easy_init();
    if (transfer.easy == nullptr) throw std::runtime_error("generate: libcurl has no memory");
    set_options(transfer);
    curl_multi_add_handle(multi, transfer.easy);
  }

  void set_options(Transfer& transfer) {
    CURL* easy = transfer.easy;
    const auto milliseconds = [](double seconds) { return static_cast<long>(std::clamp(seconds * 1000, 1.0, 1e9)); };
    curl_easy_setopt(easy, CURLOPT_URL, url.c_str());
    curl_easy_setopt(easy, CURLOPT_PRIVATE, &transfer);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, transfer.message);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(easy, CURLOPT_HEADEROPT, static_cast<long>(CURLHEADER_SEPARATE));  // a proxy does not get the key
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(transfer.body.size()));
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, transfer.body.c_str());
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, &transfer);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, take_header);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, &transfer);
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "https,http");
    curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_2TLS));
    curl_easy_setopt(easy, CURLOPT_PIPEWAIT, 1L);
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, milliseconds(endpoint.timeouts.connect));
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, milliseconds(endpoint.timeouts.total));
    curl_easy_setopt(easy, CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl_easy_setopt(easy, CURLOPT_LOW_SPEED_TIME, std::max(1L, static_cast<long>(endpoint.timeouts.stall)));
    if (!endpoint.proxy.empty()) curl_easy_setopt(easy, CURLOPT_PROXY, endpoint.proxy.c_str());
    else if (loopback) curl_easy_setopt(easy, CURLOPT_PROXY, "");  // whatever the environment says
    if (!endpoint.ca_file.empty()) curl_easy_setopt(easy, CURLOPT_CAINFO, endpoint.ca_file.c_str());
  }

  /// The outcome of a transfer that has ended.
  Outcome outcome(CURLcode code, Transfer& transfer, Reply& reply) {
    const long status = transfer.status();
    if (status != 0 && status != kOk) return of_status(status, transfer);
    if (code != CURLE_OK) return of_transport(code, transfer);
    const std::string fault = transfer.reader.end(reply);
    if (fault.empty()) return {};
    const bool html = fault.find("HTML") != fault.npos || transfer.content_type().starts_with("text/html");
    if (html) return {"the server answered with an HTML page. do: check that base_url is the API's, with its /v1", false, true};
    return {"the server's answer cannot be used: " + fault, true};
  }

  /// Hands over what has ended, or has it wait for another try. False: stop.
  bool end(Transfer& transfer, CURLcode code, const Done& done) {
    const double now = steady_now();
    Reply reply;
    Outcome ended = outcome(code, transfer, reply);
    reply.id = transfer.waiting.request.id;
    reply.attempts = transfer.waiting.attempts;
    double total = 0, first = 0;
    curl_easy_getinfo(transfer.easy, CURLINFO_TOTAL_TIME, &total);
    curl_easy_getinfo(transfer.easy, CURLINFO_STARTTRANSFER_TIME, &first);
    reply.seconds = total;
    reply.first_seconds = first;
    if (const auto used = static_cast<double>(reply.usage.prompt + reply.usage.completion); used > 0)
      tokens.spend(used - transfer.tokens, now);
    if (ended.again && transfer.waiting.attempts <= endpoint.retries.most) {
      const double pause = backoff(endpoint.retries, transfer.waiting.attempts, std::uniform_real_distribution<>()(random));
      const double asked = transfer.retry_after.value_or(0);
      if (asked <= endpoint.retries.longest_wait) {
        transfer.waiting.due = now + std::max(pause, asked);
        if (transfer.retry_after) hold_until = std::max(hold_until, now + asked);
        waiting.push_back(std::move(transfer.waiting));
        return true;
      }
      ended.error += fmt::format("; it asks to wait {:.0f} s, longer than retries.longest_wait", asked);
    }
    if (!ended.error.empty() && ended.again) ended.error += fmt::format(" ({} attempts)", transfer.waiting.attempts);
    any_answer |= ended.error.empty();
    reply.error = record::printable(ended.error);
    reply.hopeless = ended.hopeless && !any_answer;
    for (std::string* text : {&reply.error, &reply.text, &reply.reasoning, &reply.finish, &reply.model}) replace_all(*text, key, "[key]");
    return done(std::move(reply));
  }
};

Client::Client(Endpoint endpoint, Sampling sampling) : session_(std::make_unique<Session>()) {
  static const CURLcode once = curl_global_init(CURL_GLOBAL_DEFAULT);
  if (once != CURLE_OK) throw std::runtime_error(fmt::format("generate: libcurl cannot start: {}", curl_easy_strerror(once)));
  Session& session = *session_;
  const UrlParts url = parts_of(endpoint.base_url);
  session.key = key_of(endpoint, url);
  session.loopback = spec::is_loopback(url.host);
  session.url = endpoint.base_url;
  while (session.url.ends_with('/')) session.url.pop_back();
  session.url += path_of(endpoint.api);
  session.multi = curl_multi_init();
  if (session.multi == nullptr) throw std::runtime_error("generate: libcurl has no memory");
  session.add_header("Content-Type: application/json");
  session.add_header(endpoint.stream ? "Accept: text/event-stream, application/json" : "Accept: application/json");
  session.add_header("Expect:");
  if (!session.key.empty())
    session.add_header(endpoint.key_header == "Authorization" ? "Authorization: Bearer " + session.key
                                                              : endpoint.key_header + ": " + session.key);
  const double now = steady_now();
  session.requests = Allowance(endpoint.limits.requests_per_minute, now);
  session.tokens = Allowance(endpoint.limits.tokens_per_minute, now);
  session.endpoint = std::move(endpoint);
  session.sampling = std::move(sampling);
}

Client::~Client() = default;

void Client::ask(const Next& next, const Done& done, const Round& round) {
  Session& session = *session_;
  const auto most = static_cast<std::size_t>(std::max(1, session.endpoint.limits.concurrency));
  bool exhausted = false;
  const auto start_what_may = [&]() -> double {
    while (session.active.size() < most) {
      const double now = steady_now();
      // What waits for another try holds its place: a server that fails does not get ever more requests.
      if (!exhausted && session.active.size() + session.waiting.size() < most) {
        if (std::optional<Request> fresh = next()) session.waiting.push_back({std::move(*fresh), 0, now});
        else exhausted = true;
      }
      const auto first = std::ranges::min_element(session.waiting, {}, &Waiting::due);
      if (first == session.waiting.end()) return now + 1;
      const double at = std::max(first->due, session.free_at(first->request, now));
      if (at > now && (exhausted || session.active.size() + session.waiting.size() >= most || session.free_at(first->request, now) > now))
        return at;
      if (at > now) continue;
      Waiting what = std::move(*first);
      session.waiting.erase(first);
      session.start(std::move(what), now);
    }
    return steady_now() + 1;
  };
  while (true) {
    const double due = start_what_may();
    int running = 0, left = 0;
    curl_multi_perform(session.multi, &running);
    bool stop = false, ended = false;
    while (const CURLMsg* message = curl_multi_info_read(session.multi, &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      const CURLcode code = message->data.result;
      char* self = nullptr;
      curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &self);
      auto& transfer = *reinterpret_cast<Transfer*>(self);
      curl_multi_remove_handle(session.multi, transfer.easy);
      ended = true;
      stop |= !session.end(transfer, code, done);
      session.active.remove_if([&](const Transfer& other) { return &other == &transfer; });
    }
    const bool more = round();
    if (stop) return session.forget();
    if (exhausted && !more && session.active.empty() && session.waiting.empty()) return;
    exhausted = exhausted && !more && !ended;  // an answer or a verdict may bring another turn
    if (ended) continue;
    const double wait = std::clamp(due - steady_now(), 0.0, more ? 0.05 : 0.25);
    curl_multi_poll(session.multi, nullptr, 0, static_cast<int>(wait * 1000) + (wait > 0 ? 1 : 0), nullptr);
  }
}

}  // namespace assay::generate
