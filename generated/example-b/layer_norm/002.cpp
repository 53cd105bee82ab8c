#include <torch/extension.h>
#include "kernel.h"

// Layer normalization implemented with the PyTorch C++ API.
extern "C" void layer_norm(const float* x, const float* scale, const float* bias, float* y,
                           int64_t N, int64_t C, int64_t H, int64_t W) {
    auto options = torch::TensorOptions().dtype(torch::kFloat32);
    auto input = torch::from_blob(const_cast<float*>(x), {N, C, H, W}, options);
    auto weight = torch::from_blob(const_cast<float*>(scale), {C, H, W}, options);
    auto b = torch::from_blob(const_cast<float*>(bias), {C, H, W}, options);

    auto out = torch::layer_norm(input, {C, H, W}, weight, b, 1e-5);
    std::memcpy(y, out.contiguous().data_ptr<float>(), sizeof(float) * N * C * H * W);
}
