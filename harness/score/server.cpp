// SPDX-License-Identifier: Apache-2.0
// httplib reads requests and writes responses; all that is asked and answered is here. A connection carries one request: what is left of a
// body that was refused is never taken for the next one.
#include "assay/score/server.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <httplib.h>
#include <sys/random.h>
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <future>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>

#include "answer_book.h"
#include "assay/record/printable.h"
#include "assay/score/json_lines.h"
#include "assay/spec/digest.h"
#include "assay/spec/loopback.h"
#include "connection_threads.h"
#include "gym_shapes.h"
#include "metrics_text.h"
#include "openapi.h"

namespace assay::score {
namespace {

using httplib::Request, httplib::Response, httplib::ContentReader;
using nlohmann::json, nlohmann::ordered_json;

constexpr std::size_t kMostBatchBytes = std::size_t{64} << 20, kMostBatchLines = std::size_t{1} << 16;
constexpr std::size_t kMostDiscarded = std::size_t{256} << 20;  // of a body that is refused, so that its sender gets to read why
constexpr std::size_t kMostBodyBytes = std::size_t{256} << 20;  // of all requests together
constexpr std::size_t kLongestPath = 1000;
constexpr int kLongestWait = 300, kBacklog = 4096;
const char* const kJson = "application/json";
const char* const kLines = "application/x-ndjson";
const char* const kUnknown = nullptr;  // type of a body that no route takes

/// What is answered in place of what was asked for.
struct Refused {
  int status;
  std::string why;
};

void refuse(Response& response, int status, const std::string& why) {
  response.status = status;
  response.set_content(error_line("", why) + "\n", kJson);
  if (status == 401) response.set_header("WWW-Authenticate", "Bearer");
  if (status == 429 || status == 503) response.set_header("Retry-After", "1");
}

/// Equal in a time that tells nothing of where two texts differ.
bool same_secret(std::string_view a, std::string_view b) {
  const std::string of_a = spec::digest(a), of_b = spec::digest(b);
  unsigned difference = 0;
  for (std::size_t i = 0; i < of_a.size(); ++i) difference |= static_cast<unsigned char>(of_a[i] ^ of_b[i]);
  return difference == 0;
}

std::string fresh_id() {
  std::uint64_t bits[2] = {};
  if (getrandom(bits, sizeof bits, 0) != sizeof bits) throw std::runtime_error("no random bytes");
  return fmt::format("{:016x}{:016x}", bits[0], bits[1]);
}

/// "wait=30" among a request's preferences (RFC 7240), at most kLongestWait.
int seconds_to_wait(const Request& request) {
  const std::string prefer = request.get_header_value("Prefer");
  const std::size_t at = prefer.find("wait=");
  int seconds = 0;
  if (at != prefer.npos) std::from_chars(prefer.data() + at + 5, prefer.data() + prefer.size(), seconds);
  return std::clamp(seconds, 0, kLongestWait);
}

std::string content_of(const Sample& sample) {
  const std::string stages = sample.last ? std::string(record::name(*sample.last)) : "",
                    deadline = sample.deadline_seconds ? fmt::format("{}", *sample.deadline_seconds) : "";
  const std::string source = sample.source.digest();
  return spec::digest(std::vector<std::string_view>{sample.task, sample.backend, source, sample.reward, stages, deadline});
}

/// Answers of a batch on their way to its connection.
class Outbox {
 public:
  void put(std::string line) {
    const std::lock_guard lock(mutex_);
    lines_.push_back(std::move(line));
    changed_.notify_one();
  }
  void expect(std::size_t lines) {
    const std::lock_guard lock(mutex_);
    expected_ += lines;
  }
  /// The next lines, joined; empty where none came within a second. `all`: whether none is left.
  std::string take(bool& all) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::seconds(1), [&] { return !lines_.empty() || expected_ == 0; });
    std::string text;
    for (; !lines_.empty() && text.size() < (1 << 20); lines_.pop_front(), --expected_) text += lines_.front() + "\n";
    all = expected_ == 0;
    return text;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> lines_;
  std::size_t expected_ = 0;
};

class Queue : public httplib::TaskQueue {
 public:
  explicit Queue(std::size_t most) : threads_(most) {}
  void enqueue(std::function<void()> work) override { threads_.run(std::move(work)); }
  void shutdown() override { threads_.finish(); }

 private:
  ConnectionThreads threads_;
};

/// While it lives, bytes of a body are held.
class Held {
 public:
  explicit Held(std::atomic<std::size_t>& all) : all_(all) {}
  ~Held() { all_ -= mine_; }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  bool take(std::size_t bytes) {
    mine_ += bytes;
    return (all_ += bytes) <= kMostBodyBytes;
  }

 private:
  std::atomic<std::size_t>& all_;
  std::size_t mine_ = 0;
};

}  // namespace

struct Server::State {
  State(Scorer& judge, ServerOptions given) : scorer(judge), options(std::move(given)), book(options.kept_bytes) {
    if (options.token.empty() && !spec::is_loopback(options.host))
      throw std::runtime_error(
          fmt::format("serve: {} can be reached from elsewhere, and no token is set. do: set one in the environment "
                      "variable that --token-env names, or serve 127.0.0.1",
                      options.host));
    const std::size_t most = options.most_connections;
    http.new_task_queue = [most] { return new Queue(most); };
    http.set_keep_alive_max_count(1);
    http.set_payload_max_length(kMostBatchBytes);
    http.set_read_timeout(30);
    http.set_write_timeout(30);
    http.set_tcp_nodelay(true);
    int listening = -1;
    http.set_socket_options([&listening](int fd) {
      const int yes = 1;
      setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
      listening = fd;
    });
    add_routes();
    bound = options.port == 0 ? http.bind_to_any_port(options.host) : http.bind_to_port(options.host, options.port) ? options.port : -1;
    if (bound <= 0)
      throw std::runtime_error(fmt::format("serve: cannot listen on {}:{}: {}. do: choose another --port or --host", options.host,
                                           options.port, std::strerror(errno)));
    listen(listening, kBacklog);  // the library's own queue of five drops connections
    http.set_socket_options([](int) {});
  }

  // --- routes ---

  using Body = std::function<void(std::string_view)>;  ///< takes a piece of the body; throws Refused

  void add_routes() {
    http.set_pre_routing_handler([this](const Request& request, Response& response) {
      // A regular expression of the library's reads the path, on the stack.
      if (request.method == "POST" && request.path.size() < kLongestPath) return httplib::Server::HandlerResponse::Unhandled;
      guarded(response, [&] { get(request, response); });
      return httplib::Server::HandlerResponse::Handled;
    });
    for (const auto& [path, post] : posts)
      http.Post(path, [this, post_ = post](const Request& request, Response& response, const ContentReader& reader) {
        guarded(response, [&] { (this->*post_)(request, response, reader); });
      });
    http.Post(".*", [this](const Request& request, Response& response, const ContentReader& reader) {
      guarded(response, [&] { read_body(request, response, reader, kUnknown, 0, [](std::string_view) {}); });
    });
    http.set_exception_handler([](const Request&, Response& response, std::exception_ptr) { refuse(response, 500, "serve: failed"); });
    http.set_error_handler([](const Request&, Response& response) {
      if (response.body.empty())
        refuse(response, response.status, response.status == 413 ? too_large() : "serve: is no HTTP request that is known here");
    });
    http.set_logger([this](const Request&, const Response& response) {
      const std::lock_guard lock(mutex);
      ++responses[response.status];
    });
  }

  static std::string too_large() { return fmt::format("serve: the body has more than {} bytes", kMostBatchBytes); }

  /// Whatever goes wrong is a response.
  template <class Work>
  void guarded(Response& response, Work work) {
    try {
      work();
    } catch (const Refused& refused) {
      refuse(response, refused.status, refused.why);
    } catch (const SampleError& error) {
      refuse(response, 400, error.what());
    } catch (const QueueFull& error) {
      refuse(response, draining ? 503 : 429, error.what());
    } catch (const std::exception& error) {
      refuse(response, 500, fmt::format("serve: {}", error.what()));
    }
  }

  /// A browser's page on this machine may send requests, too: it cannot choose its Host header, nor send JSON unasked.
  void require_access(const Request& request) const {
    if (!options.token.empty()) {
      const std::string given = request.get_header_value("Authorization"), scheme = "Bearer ";
      if (!given.starts_with(scheme) || !same_secret(given.substr(scheme.size()), options.token))
        throw Refused{401, "serve: needs the header 'Authorization: Bearer <token>' with the server's token"};
      return;
    }
    std::string host = request.get_header_value("Host");
    if (const std::size_t colon = host.rfind(':'); colon != host.npos && host.find(']', colon) == host.npos) host.resize(colon);
    if (!spec::is_loopback(host))
      throw Refused{403, "serve: the Host header names another machine, and no token is set. do: ask 127.0.0.1, or set a token"};
  }

  void get(const Request& request, Response& response) {
    const std::string& path = request.path;
    if (request.method == "GET" && path == "/health") return health(response);
    require_access(request);
    const std::string score = "/score/", tasks = "/tasks/", prompt = "/prompt";
    if (request.method != "GET") {
    } else if (path == "/tasks") {
      return list_tasks(response);
    } else if (path == "/metrics") {
      return metrics(response);
    } else if (path == "/openapi.yaml") {
      return response.set_content(openapi_text, "application/yaml");
    } else if (path.starts_with(score)) {
      return answer(request, path.substr(score.size()), response);
    } else if (path.starts_with(tasks) && path.ends_with(prompt) && path.size() > tasks.size() + prompt.size()) {
      return give_prompt(request, path.substr(tasks.size(), path.size() - tasks.size() - prompt.size()), response);
    }
    throw_unknown(request);
  }

  [[noreturn]] void throw_unknown(const Request& request) const {
    const std::string& path = request.path;
    throw Refused{404, fmt::format("serve: no route {} {}. known: {}", record::cut_to(record::printable(request.method), 20),
                                   record::cut_to(record::printable(path), 100), fmt::join(known_routes(), ", "))};
  }

  std::vector<std::string> known_routes() const {
    std::vector<std::string> known = {"GET /health",    "GET /metrics", "GET /openapi.yaml", "GET /tasks", "GET /tasks/{task}/prompt",
                                      "GET /score/{id}"};
    for (const auto& [path, post] : posts) known.push_back("POST " + path);
    return known;
  }

  // --- what may be asked at once ---

  void health(Response& response) const {
    response.status = draining ? 503 : 200;
    response.set_content(ordered_json{{"status", draining ? "draining" : "ok"}, {"version", options.version}}.dump() + "\n", kJson);
  }

  void list_tasks(Response& response) const {
    ordered_json list = ordered_json::array();
    for (const TaskInfo& task : scorer.tasks())
      list.push_back({{"name", task.name},
                      {"category", task.category},
                      {"difficulty", task.difficulty},
                      {"suites", task.suites},
                      {"backends", task.backends}});
    response.set_content(ordered_json{{"tasks", list}}.dump() + "\n", kJson);
  }

  void metrics(Response& response) {
    std::map<int, std::uint64_t> so_far;
    {
      const std::lock_guard lock(mutex);
      so_far = responses;
    }
    response.set_content(metrics_text(scorer.statistics(), so_far), "text/plain; version=0.0.4");
  }

  void give_prompt(const Request& request, const std::string& task, Response& response) const {
    Sample sample;
    sample.task = task;
    sample.backend = request.has_param("backend") ? request.get_param_value("backend") : "cpp";
    sample.reward = "correct";
    try {
      scorer.require_known(sample);
    } catch (const SampleError& error) {
      throw Refused{404, error.what()};
    }
    response.set_content(options.prompt(sample.task, sample.backend), "text/markdown; charset=utf-8");
  }

  void answer(const Request& request, const std::string& id, Response& response) {
    const auto said = std::make_shared<std::promise<std::string>>();
    std::future<std::string> line = said->get_future();
    if (!book.listen(id, [said](const std::string& text) { said->set_value(text); }))
      throw Refused{404,
                    fmt::format("serve: no sample has the id '{}', or its answer is forgotten", record::cut_to(record::printable(id), 80))};
    if (line.wait_for(std::chrono::seconds(seconds_to_wait(request))) == std::future_status::ready) return give_line(line.get(), response);
    response.status = 202;
    response.set_content(ordered_json{{"id", id}, {"status", "under way"}}.dump() + "\n", kJson);
  }

  // --- samples ---

  /// The body, in pieces; all of it is read whatever comes of it, so that a client that sends first and reads then gets its response.
  void read_body(const Request& request, Response& response, const ContentReader& reader, const char* type, std::size_t most,
                 const Body& take) {
    std::optional<Refused> refused;
    std::size_t size = 0;
    Held held(body_bytes);
    const auto check = [&](auto work) {
      if (refused) return;
      try {
        work();
      } catch (const Refused& why) {
        refused = why;
      }
    };
    check([&] {
      require_access(request);
      if (type == kUnknown) throw_unknown(request);
      const std::string given = request.get_header_value("Content-Type");
      if (given.substr(0, given.find(';')) != type)
        throw Refused{415, fmt::format("serve: the body must be {}, by its Content-Type", type)};
      if (draining) throw Refused{503, "serve: is ending, and takes no more samples"};
    });
    const bool whole = reader([&](const char* data, std::size_t bytes) {
      size += bytes;
      check([&] {
        if (size > most) throw Refused{413, fmt::format("serve: the body has more than {} bytes", most)};
        if (!held.take(bytes)) throw Refused{429, "serve: other requests' bodies take all the room"};
        take({data, bytes});
      });
      return size <= kMostDiscarded;  // a body in chunks says nowhere how long it is
    });
    if (refused) throw *refused;
    if (!whole && response.status == 413) throw Refused{413, too_large()};
    if (!whole) throw Refused{400, "serve: the body ends before its end"};
  }

  std::string read_json(const Request& request, Response& response, const ContentReader& reader, std::size_t most) {
    std::string body;
    read_body(request, response, reader, kJson, most, [&](std::string_view piece) { body += piece; });
    return body;
  }

  /// Has `sample` judged, unless the same one is under way or was answered. Throws Refused, SampleError or QueueFull.
  void accept(std::vector<Sample> samples) {
    std::vector<Sample> fresh;
    std::vector<std::string> ids;
    try {
      for (Sample& sample : samples) {
        const AnswerBook::Begun begun = book.begin(sample.id, content_of(sample), !sample.reuse);
        if (begun == AnswerBook::Begun::conflict)
          throw Refused{409, fmt::format("serve: another sample with the id '{}' is under way", sample.id)};
        if (begun == AnswerBook::Begun::known) continue;
        ids.push_back(sample.id);
        fresh.push_back(std::move(sample));
      }
      scorer.submit(std::move(fresh), [this](const Answer& ended) {
        const bool is_final = ended.reward.has_value() && ended.verdict() != record::Verdict::harness_error;
        book.finish(ended.id, to_line(ended), is_final);
      });
    } catch (...) {
      for (const std::string& id : ids) book.cancel(id);
      throw;
    }
  }

  static void give_line(const std::string& line, Response& response) {
    if (line.empty()) throw Refused{429, "serve: the same sample was refused. do: try again"};
    response.set_content(line + "\n", kJson);
  }

  /// Judges the sample and gives its answer's line.
  std::string judged(Sample sample) {
    const std::string id = sample.id;
    std::vector<Sample> one;
    one.push_back(std::move(sample));
    accept(std::move(one));
    const auto said = std::make_shared<std::promise<std::string>>();
    std::future<std::string> line = said->get_future();
    if (!book.listen(id, [said](const std::string& text) { said->set_value(text); }))
      throw Refused{500, "serve: the answer is forgotten already"};
    return line.get();
  }

  void score_one(const Request& request, Response& response, const ContentReader& reader) {
    Sample sample = parse_sample(read_json(request, response, reader, kMostSampleBytes));
    if (sample.id.empty()) sample.id = fresh_id();
    scorer.require_known(sample);
    if (request.get_header_value("Prefer").find("respond-async") == std::string::npos)
      return give_line(judged(std::move(sample)), response);
    const std::string id = sample.id;
    std::vector<Sample> one;
    one.push_back(std::move(sample));
    accept(std::move(one));
    response.status = 202;
    response.set_header("Location", "/score/" + id);
    response.set_content(ordered_json{{"id", id}, {"status", "under way"}}.dump() + "\n", kJson);
  }

  void score_batch(const Request& request, Response& response, const ContentReader& reader) {
    std::vector<Sample> samples;
    std::set<std::string> ids;
    const auto outbox = std::make_shared<Outbox>();
    const std::string batch = fresh_id();
    std::size_t count = 0;
    const auto on_line = [&](std::string_view line, std::size_t number, bool too_long) {
      // Each is answered, with more bytes than it may have.
      if (++count > kMostBatchLines) throw Refused{413, fmt::format("serve: a batch has at most {} lines", kMostBatchLines)};
      const std::string unnamed = fmt::format("line-{}", number);
      std::string id = batch + "." + unnamed;
      try {
        Sample sample = sample_of_line(line, number, too_long);
        if (sample.id == unnamed) sample.id = id;  // another batch has such lines, too
        id = sample.id;
        scorer.require_known(sample);
        if (!ids.insert(id).second) throw SampleError(fmt::format("line {}: sample: another line has the id '{}'", number, id));
        samples.push_back(std::move(sample));
      } catch (const SampleError& error) {
        outbox->expect(1);
        outbox->put(error_line(id, error.what()));
      }
    };
    LineReader lines(kMostSampleBytes);
    read_body(request, response, reader, kLines, kMostBatchBytes, [&](std::string_view piece) { lines.take(piece, on_line); });
    lines.finish(on_line);
    accept(std::move(samples));
    outbox->expect(ids.size());
    for (const std::string& id : ids)
      if (!book.listen(id, [outbox](const std::string& line) { outbox->put(line); }))
        outbox->put(error_line(id, "serve: the answer is forgotten already"));
    response.set_chunked_content_provider(kLines, [outbox](std::size_t, httplib::DataSink& sink) {
      bool all = false;
      const std::string text = outbox->take(all);
      if (!text.empty() && !sink.write(text.data(), text.size())) return false;  // who went away finds his answers by their ids
      if (all) sink.done();
      return true;
    });
  }

  // --- as other systems ask ---

  json judged_json(Sample sample) {
    if (sample.id.empty()) sample.id = fresh_id();
    scorer.require_known(sample);
    const std::string line = judged(std::move(sample));
    if (line.empty()) throw Refused{429, "serve: the same sample was refused. do: try again"};
    return json::parse(line);
  }

  void verify(const Request& request, Response& response, const ContentReader& reader) {
    json asked = parse_gym_request(read_json(request, response, reader, kMostGymBytes));
    const json answer = judged_json(sample_of_verify(asked, options.extract));
    // There a reward is a number: one that is not there is no response.
    if (answer.at("masked").get<bool>()) throw Refused{503, "verify: masked: " + answer.value("masked_because", "")};
    response.set_content(verify_response(std::move(asked), answer).dump(-1, ' ', true, json::error_handler_t::replace) + "\n", kJson);
  }

  void evaluate(const Request& request, Response& response, const ContentReader& reader) {
    const json asked = parse_gym_request(read_json(request, response, reader, kMostGymBytes));
    response.set_content(evaluate_response(judged_json(sample_of_evaluate(asked))).dump(-1, ' ', true) + "\n", kJson);
  }

  // --- the end ---

  void serve() {
    std::thread listener([this] { http.listen_after_bind(); });
    {
      std::unique_lock lock(mutex);
      changed.wait(lock, [&] { return draining.load(); });
    }
    scorer.wait_until_idle();
    std::this_thread::sleep_for(std::chrono::milliseconds(100));  // what came before is on its way
    http.stop();
    listener.join();
  }

  void drain() {
    const std::lock_guard lock(mutex);
    draining = true;
    changed.notify_all();
  }

  using Post = void (State::*)(const Request&, Response&, const ContentReader&);

  Scorer& scorer;
  const ServerOptions options;
  AnswerBook book;
  const std::map<std::string, Post> posts = {
      {"/score", &State::score_one}, {"/score/batch", &State::score_batch}, {"/verify", &State::verify}, {"/evaluate", &State::evaluate}};
  httplib::Server http;
  int bound = -1;
  std::atomic<bool> draining = false;
  std::atomic<std::size_t> body_bytes = 0;

  std::mutex mutex;  ///< of what follows
  std::condition_variable changed;
  std::map<int, std::uint64_t> responses;
};

Server::Server(Scorer& scorer, ServerOptions options) : state_(std::make_unique<State>(scorer, std::move(options))) {}
Server::~Server() { state_->scorer.stop(); }  // who is answered later is gone
int Server::port() const { return state_->bound; }
void Server::serve() { state_->serve(); }
void Server::drain() { state_->drain(); }

}  // namespace assay::score
