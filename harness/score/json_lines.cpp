// SPDX-License-Identifier: Apache-2.0
#include "assay/score/json_lines.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <stdexcept>

namespace assay::score {
namespace {

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t wrote = write(fd, bytes.data(), bytes.size());
    if (wrote < 0 && errno != EINTR) return false;
    bytes.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(0, wrote)));
  }
  return true;
}

/// Answers of several threads to one descriptor, each whole.
class Out {
 public:
  explicit Out(int fd) : fd_(fd) {}

  void put(const std::string& line) {
    const std::lock_guard lock(mutex_);
    if (!end_.cut_off && !write_all(fd_, line + "\n")) end_.cut_off = true;
  }
  void refuse(const std::string& id, const std::string& why) {
    put(error_line(id, why));
    const std::lock_guard lock(mutex_);
    ++end_.refused;
  }
  void answer(const Answer& answer) {
    put(to_line(answer));
    const std::lock_guard lock(mutex_);
    ++end_.judged;
    end_.masked += answer.reward ? 0 : 1;
    --under_way_;
    changed_.notify_all();
  }
  void begin(std::size_t most) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return under_way_ < most; });
    ++under_way_;
  }
  void cancel() {
    const std::lock_guard lock(mutex_);
    --under_way_;
  }
  StreamEnd end() {
    const std::lock_guard lock(mutex_);
    return end_;
  }

 private:
  int fd_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t under_way_ = 0;
  StreamEnd end_;
};

void score_line(Scorer& scorer, Out& out, std::size_t most, std::string_view line, std::size_t number, bool too_long) {
  std::string id = fmt::format("line-{}", number);
  try {
    Sample sample = sample_of_line(line, number, too_long);
    id = sample.id;
    scorer.require_known(sample);
    out.begin(most);
    try {
      std::vector<Sample> samples;
      samples.push_back(std::move(sample));
      scorer.submit(std::move(samples), [&out](const Answer& answer) { out.answer(answer); });
    } catch (...) {
      out.cancel();
      throw;
    }
  } catch (const std::runtime_error& error) {
    out.refuse(id, error.what());
  }
}

}  // namespace

void LineReader::take(std::string_view bytes, const OnLine& on_line) {
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    const std::string_view piece = bytes.substr(0, end);
    if (too_long_ || line_.size() + piece.size() > most_) {
      too_long_ = true;
      line_.clear();
      line_.shrink_to_fit();
    } else {
      line_ += piece;
    }
    if (end == bytes.npos) return;
    end_line(on_line);
    bytes.remove_prefix(end + 1);
  }
}

void LineReader::finish(const OnLine& on_line) { end_line(on_line); }

void LineReader::end_line(const OnLine& on_line) {
  const bool blank = line_.find_first_not_of(" \t\r") == line_.npos;
  if (too_long_ || !blank) on_line(line_, number_, too_long_);
  line_.clear();
  too_long_ = false;
  ++number_;
}

Sample sample_of_line(std::string_view line, std::size_t number, bool too_long) {
  if (too_long) throw SampleError(fmt::format("line {}: sample: has more than {} bytes", number, kMostSampleBytes));
  try {
    Sample sample = parse_sample(line);
    if (sample.id.empty()) sample.id = fmt::format("line-{}", number);
    return sample;
  } catch (const SampleError& error) {
    throw SampleError(fmt::format("line {}: {}", number, error.what()));
  }
}

StreamEnd score_stream(Scorer& scorer, int in, int out_fd, std::size_t most_under_way, const std::function<bool()>& stop) {
  Out out(out_fd);
  LineReader reader(kMostSampleBytes);
  const auto on_line = [&](std::string_view line, std::size_t number, bool too_long) {
    if (!stop() && !out.end().cut_off) score_line(scorer, out, most_under_way, line, number, too_long);
  };
  std::string buffer(1 << 16, '\0');
  while (!stop() && !out.end().cut_off) {
    pollfd event{in, POLLIN, 0};
    if (poll(&event, 1, 200) <= 0) continue;  // now and then the signs to stop are looked at
    const ssize_t got = read(in, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw std::runtime_error(fmt::format("score: the samples cannot be read: {}", std::strerror(errno)));
    if (got == 0) break;
    reader.take({buffer.data(), static_cast<std::size_t>(got)}, on_line);
  }
  reader.finish(on_line);
  if (stop() || out.end().cut_off) scorer.stop();
  scorer.wait_until_idle();
  return out.end();
}

}  // namespace assay::score
