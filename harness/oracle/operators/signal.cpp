// SPDX-License-Identifier: Apache-2.0
// Signals: DFT, STFT, the windows (Hann, Hamming, Blackman), MelWeightMatrix.
// Complex tensors end in a dimension of 2 (real, imaginary); real signals may end in 1.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <unsupported/Eigen/FFT>

#include "product.h"
#include "shape_list.h"

namespace assay::oracle {
namespace {

/// One line of complex numbers. (std::complex is only specified for the built-in floating types.)
template <class T>
struct Line {
  std::vector<T> real, imaginary;
  explicit Line(std::int64_t length) : real(static_cast<std::size_t>(length)), imaginary(real.size()) {}
};

/// Twiddle factors of a transform of length n, [bins, n] twice: cos and -sin (inverse: +sin) of 2 pi k t / n.
/// The error of each is that of a number as large as 1: where a factor is 0 or a sum cancels, a fast transform
/// leaves the roundings of its intermediate results, which are as large as all it adds.
struct TwiddleMatrix {
  Tensor<Bounded> cosine, sine;

  TwiddleMatrix(std::int64_t n, std::int64_t bins, bool inverse) : cosine(Shape{bins, n}), sine(Shape{bins, n}) {
    for (std::int64_t k = 0; k < bins; ++k)
      for (std::int64_t t = 0; t < n; ++t) {
        const double angle = 2 * std::numbers::pi * static_cast<double>(k * t % n) / static_cast<double>(n);
        const double c = std::cos(angle), s = inverse ? std::sin(angle) : -std::sin(angle);
        cosine.data()[k * n + t] = Bounded(c, 1);
        sine.data()[k * n + t] = Bounded(s, 1);
      }
  }
};

/// Transforms of one length: run(n complex numbers in, `bins` complex numbers out), without the inverse's 1 /
/// n. Over double and float a fast transform; over Bounded the sums of the definition, whose scale covers
/// every algorithm.
template <class T>
class Transform {
 public:
  Transform(std::int64_t length, std::int64_t bins, bool inverse) : length_(length), bins_(bins), inverse_(inverse) {
    fft_.SetFlag(Eigen::FFT<T>::Unscaled);
  }
  void run(const Line<T>& in, T* out) {
    line_.resize(in.real.size());
    result_.resize(in.real.size());
    for (std::size_t t = 0; t < line_.size(); ++t) line_[t] = {in.real[t], in.imaginary[t]};
    if (length_ == 1) result_ = line_;  // Eigen's transform of one element does not end
    else if (inverse_) fft_.inv(result_.data(), line_.data(), length_);
    else fft_.fwd(result_.data(), line_.data(), length_);
    for (std::int64_t k = 0; k < bins_; ++k) {
      out[2 * k] = result_[static_cast<std::size_t>(k)].real();
      out[2 * k + 1] = result_[static_cast<std::size_t>(k)].imag();
    }
  }

 private:
  std::int64_t length_, bins_;
  bool inverse_;
  Eigen::FFT<T> fft_;
  std::vector<std::complex<T>> line_, result_;
};

template <>
class Transform<Bounded> {
 public:
  Transform(std::int64_t length, std::int64_t bins, bool inverse) : length_(length), bins_(bins), twiddles_(length, bins, inverse) {}
  void run(const Line<Bounded>& in, Bounded* out) {
    std::vector<Bounded> minus;
    for (const Bounded& x : in.imaginary) minus.push_back(-x);
    std::vector<Bounded> sum(static_cast<std::size_t>(bins_));
    const auto product = [&](const Tensor<Bounded>& matrix, const std::vector<Bounded>& x, bool add) {
      multiply(row_major(matrix.data(), bins_, length_), row_major(x.data(), length_, 1), sum.data(), add);
    };
    product(twiddles_.cosine, in.real, false);
    product(twiddles_.sine, minus, true);
    for (std::int64_t k = 0; k < bins_; ++k) out[2 * k] = sum[static_cast<std::size_t>(k)];
    product(twiddles_.cosine, in.imaginary, false);
    product(twiddles_.sine, in.real, true);
    for (std::int64_t k = 0; k < bins_; ++k) out[2 * k + 1] = sum[static_cast<std::size_t>(k)];
    if (overflows_on_its_way(in)) std::transform(out, out + 2 * bins_, out, [](Bounded x) { return unknown_sum(x.value); });
  }

 private:
  /// A fast transform may add any of the numbers before it multiplies; two halves that are packed as one are added once more.
  static bool overflows_on_its_way(const Line<Bounded>& in) {
    double total = 0;
    for (const std::vector<Bounded>* part : {&in.real, &in.imaginary})
      for (const Bounded& x : *part)
        if (std::isfinite(x.value)) total += std::abs(x.value);
    return overflows_in_some_order(2 * total);
  }

  std::int64_t length_, bins_;
  TwiddleMatrix twiddles_;
};

double transform_flops(std::int64_t length, double count) {
  const double n = static_cast<double>(length);
  return count * 5 * n * std::log2(std::max(n, 2.0));  // the customary count of a complex radix-2 transform
}

/// Axis, length and direction of one DFT node.
struct Spectrum {
  std::size_t axis;
  std::int64_t length, bins;
  bool inverse, onesided;
};

template <class C>
Spectrum read_spectrum(const C& call) {
  const Shape& shape = call.shape(0);
  call.require(shape.size() >= 2 && (shape.back() == 1 || shape.back() == 2),
               "input must be [..., 1] or [..., 2], got shape " + to_string(shape));
  Spectrum s{};
  std::int64_t axis = call.integer("axis", call.opset() < 20 ? 1 : -2);
  if (call.opset() >= 20 && call.has_input(2)) axis = call.integer_list(2).at(0);
  s.axis = call.axis(axis, shape.size());
  call.require(s.axis + 1 < shape.size(), "axis must not be that of the complex numbers");
  s.inverse = call.integer("inverse", 0) != 0;
  s.onesided = call.integer("onesided", 0) != 0;
  const bool from_half = s.inverse && s.onesided;
  s.length = from_half ? 2 * (shape[s.axis] - 1) : shape[s.axis];
  if (call.has_input(1)) s.length = call.integer_list(1).at(0);
  call.require(s.length > 0, fmt::format("dft_length must be positive, got {}", s.length));
  s.bins = s.onesided && !s.inverse ? s.length / 2 + 1 : s.length;
  return s;
}

/// The spectrum's missing half is the conjugate of the half given: X[n - k] = conj X[k].
template <class T>
void complete_half(Line<T>& line) {
  const std::size_t n = line.real.size();
  for (std::size_t k = n / 2 + 1; k < n; ++k) {
    line.real[k] = line.real[n - k];
    line.imaginary[k] = -line.imaginary[n - k];
  }
}

/// X[k] = sum over t of x[t] exp(-2 pi i k t / n) along `axis`, x cut or padded with 0 to n = dft_length;
/// inverse: +, and divided by n. onesided keeps k <= n / 2 (inverse: takes only those, and gives reals).
/// [..., 1 or 2] -> [..., 2]. ONNX DFT, opset 17 (axis an input since 20).
const bool dft = define({.name = "DFT", .since = 17}, [](auto& call) {
  using T = typename std::decay_t<decltype(call)>::Scalar;
  const Spectrum s = read_spectrum(call);
  const Tensor<T>& x = call.reals(0);
  const std::int64_t parts = x.shape().back(), extent = x.shape()[s.axis];
  const auto at = x.shape().begin() + static_cast<std::ptrdiff_t>(s.axis);
  const std::int64_t outer = element_count({x.shape().begin(), at}), inner = element_count({at + 1, x.shape().end() - 1});
  const bool real_out = s.inverse && s.onesided;
  Shape out = x.shape();
  out[s.axis] = s.bins;
  out.back() = real_out ? 1 : 2;
  Tensor<T>& y = call.template output_like<T>(0, out);
  call.flops(transform_flops(s.length, static_cast<double>(outer * inner)));
  Transform<T> transform(s.length, s.bins, s.inverse);
  Line<T> line(s.length);
  std::vector<T> result(static_cast<std::size_t>(2 * s.bins));
  for (std::int64_t r = 0; r < outer * inner; ++r) {
    const std::int64_t o = r / inner, i = r % inner;
    for (std::int64_t t = 0; t < s.length; ++t) {
      const T* from = x.data() + ((o * extent + t) * inner + i) * parts;
      line.real[static_cast<std::size_t>(t)] = t < extent ? from[0] : T(0);
      line.imaginary[static_cast<std::size_t>(t)] = t < extent && parts == 2 ? from[1] : T(0);
    }
    if (real_out) complete_half(line);
    transform.run(line, result.data());
    for (std::int64_t k = 0; k < s.bins; ++k)
      for (std::int64_t part = 0; part < out.back(); ++part) {
        const T value = result[static_cast<std::size_t>(2 * k + part)];
        y.data()[((o * s.bins + k) * inner + i) * out.back() + part] = s.inverse ? value / T(static_cast<double>(s.length)) : value;
      }
  }
});

/// DFT of windowed frames that start every frame_step samples. signal [B, n, 1 or 2], frame_step, window
/// [length], frame_length -> [B, frames, bins, 2]; onesided (default) keeps length / 2 + 1 bins. ONNX STFT,
/// opset 17.
const bool stft = define({.name = "STFT", .since = 17}, [](auto& call) {
  using T = typename std::decay_t<decltype(call)>::Scalar;
  const Tensor<T>& x = call.reals(0);
  const bool flat = x.rank() == 2;
  call.require(flat || (x.rank() == 3 && x.shape()[2] <= 2), "signal must be [B, n, 1 or 2], got shape " + to_string(x.shape()));
  const std::int64_t parts = flat ? 1 : x.shape()[2], samples = x.shape()[1], step = call.integer_list(1).at(0);
  call.require(call.has_input(2) || call.has_input(3), "needs a window or a frame_length");
  const std::int64_t length = call.has_input(3) ? call.integer_list(3).at(0) : call.shape(2).at(0);
  call.require(step > 0 && length > 0 && length <= samples, fmt::format("{} samples have no frame of {} every {}", samples, length, step));
  const Tensor<T>* window = call.has_input(2) ? &call.reals(2) : nullptr;
  call.require(window == nullptr || window->shape() == Shape{length}, "window must have frame_length elements");
  const bool onesided = call.integer("onesided", 1) != 0;
  const std::int64_t frames = (samples - length) / step + 1, bins = onesided ? length / 2 + 1 : length;
  Tensor<T>& y = call.template output_like<T>(0, {x.shape()[0], frames, bins, 2});
  call.flops(transform_flops(length, static_cast<double>(x.shape()[0] * frames)));
  Transform<T> transform(length, bins, false);
  Line<T> line(length);
  for (std::int64_t f = 0; f < x.shape()[0] * frames; ++f) {
    const T* from = x.data() + (f / frames * samples + f % frames * step) * parts;
    for (std::int64_t t = 0; t < length; ++t) {
      const auto n = static_cast<std::size_t>(t);
      const T re = from[t * parts], im = parts == 2 ? from[t * parts + 1] : T(0);
      line.real[n] = window == nullptr ? re : re * (*window)[n];
      line.imaginary[n] = window == nullptr ? im : im * (*window)[n];
    }
    transform.run(line, y.data() + f * bins * 2);
  }
});

template <class C>
ElementType output_datatype(const C& call) {
  const ElementTypeInfo* type = element_type_from_onnx(static_cast<int>(call.integer("output_datatype", 1)));
  call.require(type != nullptr && type->element_class == ElementClass::real, "output_datatype must be a real type");
  return type->type;
}

/// a0 - a1 cos(2 pi n / N) + a2 cos(4 pi n / N) for n < size; N = size where periodic (default), else size
/// - 1.
bool define_window(std::string name, double a0, double a1, double a2) {
  return define({.name = std::move(name), .since = 17}, [a0, a1, a2](auto& call) {
    using T = typename std::decay_t<decltype(call)>::Scalar;
    using std::cos;
    const std::int64_t size = call.integer_list(0).at(0);
    const double period = static_cast<double>(call.integer("periodic", 1) != 0 ? size : std::max<std::int64_t>(size - 1, 1));
    Tensor<T>& y = call.template output<T>(0, {size}, output_datatype(call));
    call.flops(8.0 * static_cast<double>(size));
    for (std::int64_t n = 0; n < size; ++n) {
      const T turn = T(2 * std::numbers::pi) * (T(static_cast<double>(n)) / T(period));
      T value = T(a0) - T(a1) * cos(turn);
      if (a2 != 0) value += T(a2) * cos(turn + turn);
      y.data()[n] = value;
    }
  });
}

/// ONNX HannWindow, HammingWindow, BlackmanWindow, opset 17.
const bool windows[] = {
    define_window("HannWindow", 0.5, 0.5, 0),
    define_window("HammingWindow", 25.0 / 46, 21.0 / 46, 0),
    define_window("BlackmanWindow", 0.42, 0.5, 0.08),
};

double mel_of(double hertz) { return 2595 * std::log10(1 + hertz / 700); }

/// Edges of the mel filters as spectrogram bins: equal steps on the mel scale, rounded down.
std::vector<std::int64_t> mel_edges(std::int64_t filters, std::int64_t dft_length, double sample_rate, double low, double high) {
  std::vector<std::int64_t> edges;
  const double step = (mel_of(high) - mel_of(low)) / static_cast<double>(filters + 2);
  for (std::int64_t i = 0; i < filters + 2; ++i) {
    const double hertz = 700 * (std::pow(10.0, (mel_of(low) + static_cast<double>(i) * step) / 2595) - 1);
    edges.push_back(static_cast<std::int64_t>(std::floor(static_cast<double>(dft_length + 1) * hertz / sample_rate)));
  }
  return edges;
}

/// Triangular filters from dft_length / 2 + 1 spectrogram bins to num_mel_bins: [bins, num_mel_bins]. Inputs
/// num_mel_bins, dft_length, sample_rate, lower_edge_hertz, upper_edge_hertz. ONNX MelWeightMatrix, opset 17.
const bool mel_weight_matrix = define({.name = "MelWeightMatrix", .since = 17}, [](auto& call) {
  using T = typename std::decay_t<decltype(call)>::Scalar;
  const std::int64_t filters = call.integer_list(0).at(0), dft_length = call.integer_list(1).at(0), rate = call.integer_list(2).at(0);
  call.require(filters > 0 && dft_length > 0 && rate > 0, "num_mel_bins, dft_length and sample_rate must be positive");
  const std::int64_t bins = dft_length / 2 + 1;
  const auto edges = mel_edges(filters, dft_length, static_cast<double>(rate), value_of(call.reals(3)[0]), value_of(call.reals(4)[0]));
  call.require(edges.front() >= 0 && edges.back() <= bins, "the filters' edges lie outside the spectrogram");
  Tensor<T>& y = call.template output<T>(0, {bins, filters}, output_datatype(call));
  std::fill(y.begin(), y.end(), T(0));
  const auto part = [](std::int64_t a, std::int64_t b) -> T { return T(static_cast<double>(a)) / T(static_cast<double>(b)); };
  for (std::int64_t f = 0; f < filters; ++f) {
    const auto i = static_cast<std::size_t>(f);
    const std::int64_t low = edges[i], centre = edges[i + 1], high = edges[i + 2];
    const auto at = [&](std::int64_t bin) -> T& { return y.data()[bin * filters + f]; };
    if (low == centre && centre < bins) at(centre) = T(1);
    for (std::int64_t bin = low; bin <= centre && bin < bins && low != centre; ++bin) at(bin) = part(bin - low, centre - low);
    for (std::int64_t bin = centre; bin < high && high != centre; ++bin) at(bin) = part(high - bin, high - centre);
  }
});

}  // namespace
}  // namespace assay::oracle
