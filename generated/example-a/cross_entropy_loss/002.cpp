#include "kernel.h"

#include <array>
#include <cmath>
#include <utility>

// loss = mean_n( max_n + log(sum_c exp(x[n,c] - max_n)) - x[n,target_n] )
//
// The logarithm is a table that the compiler fills in, so there is no run-time set-up and no
// call to libm in the loop over the rows. std::log is not constexpr, hence the table of log is
// obtained by inverting a fine table of exp over one octave. The octave is split into segments,
// each one a template variable of its own, which keeps every constant expression small.
namespace {

constexpr int kSegments = 256;  // of the mantissa's range [1, 2)
constexpr int kEntries = 128;   // per segment
constexpr int kSamples = 4096;  // of exp over [0, ln 2]
constexpr double kLn2 = 0.693147180559945309417232121458;

constexpr double series_exp(double x) {
  double term = 1.0, sum = 1.0;
  for (int k = 1; k < 20; ++k) {
    term *= x / k;
    sum += term;
  }
  return sum;
}

constexpr std::array<double, kSamples + 1> make_exp() {
  std::array<double, kSamples + 1> samples{};
  for (int i = 0; i <= kSamples; ++i) samples[i] = series_exp(kLn2 * i / kSamples);
  samples[kSamples] = 2.0;
  return samples;
}

constexpr std::array<double, kSamples + 1> kExp = make_exp();

// log(1 + (Segment + i / kEntries) / kSegments) for i = 0 .. kEntries
template <int Segment>
constexpr std::array<double, kEntries + 1> invert_exp() {
  std::array<double, kEntries + 1> table{};
  for (int i = 0; i <= kEntries; ++i) {
    const double y = 1.0 + (Segment + static_cast<double>(i) / kEntries) / kSegments;
    int j = 0;
    while (j < kSamples - 1 && kExp[j + 1] < y) ++j;
    // One Newton step from the sample below: log(y) = log(e) + log1p(d), d = (y - e) / e.
    const double d = (y - kExp[j]) / kExp[j];
    table[i] = kLn2 * j / kSamples + d - d * d / 2 + d * d * d / 3;
  }
  return table;
}

template <int Segment>
constexpr std::array<double, kEntries + 1> log_table = invert_exp<Segment>();

template <int... Segment>
constexpr std::array<const double*, sizeof...(Segment)> segments(std::integer_sequence<int, Segment...>) {
  return {log_table<Segment>.data()...};
}

constexpr auto kLog = segments(std::make_integer_sequence<int, kSegments>{});

inline double table_log(double value) {
  int exponent;
  const double mantissa = 2.0 * std::frexp(value, &exponent);  // [1, 2)
  const double position = (mantissa - 1.0) * kSegments;
  const int segment = static_cast<int>(position);
  const double within = (position - segment) * kEntries;
  const int i = static_cast<int>(within);
  const double* table = kLog[segment];
  return (exponent - 1) * kLn2 + table[i] + (table[i + 1] - table[i]) * (within - i);
}

}  // namespace

extern "C" void cross_entropy_loss(const float* x, const int64_t* target, float* y, int64_t N, int64_t C) {
  double loss = 0.0;
#pragma omp parallel for schedule(static) reduction(+ : loss)
  for (int64_t n = 0; n < N; ++n) {
    const float* row = x + n * C;
    float top = row[0];
    for (int64_t c = 1; c < C; ++c) top = row[c] > top ? row[c] : top;
    double sum = 0.0;
    for (int64_t c = 0; c < C; ++c) sum += std::exp(row[c] - top);
    loss += table_log(sum) + (static_cast<double>(top) - row[target[n]]);
  }
  *y = static_cast<float>(loss / static_cast<double>(N));
}
