// SPDX-License-Identifier: Apache-2.0
#include "pace.h"

#include <curl/curl.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

namespace assay::generate {

Allowance::Allowance(double per_minute, double now)
    : rate_(per_minute / 60), burst_(std::max(1.0, per_minute / 6)), left_(burst_), last_(now) {}

void Allowance::refill(double now) {
  left_ = std::min(burst_, left_ + rate_ * std::max(0.0, now - last_));
  last_ = now;
}

double Allowance::free_at(double cost, double now) {
  if (rate_ <= 0) return now;
  refill(now);
  return now + std::max(0.0, std::min(cost, burst_) - left_) / rate_;
}

void Allowance::spend(double cost, double now) {
  if (rate_ <= 0) return;
  refill(now);
  left_ = std::min(burst_, left_ - cost);
}

double backoff(const Retries& retries, int attempt, double random) {
  const double doubled = retries.first * std::pow(2.0, std::clamp(attempt - 1, 0, 60));
  return std::min(retries.cap, doubled) * (0.5 + 0.5 * random);
}

std::optional<double> retry_after(std::string_view value, double unix_now) {
  const std::size_t begin = value.find_first_not_of(" \t");
  if (begin == value.npos) return std::nullopt;
  value = value.substr(begin, value.find_last_not_of(" \t\r\n") - begin + 1);
  double seconds = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), seconds);
  if (error == std::errc() && end == value.data() + value.size()) {
    if (!std::isfinite(seconds) || seconds < 0) return std::nullopt;
    return seconds;
  }
  const time_t date = curl_getdate(std::string(value).c_str(), nullptr);
  if (date < 0) return std::nullopt;
  return std::max(0.0, static_cast<double>(date) - unix_now);
}

}  // namespace assay::generate
