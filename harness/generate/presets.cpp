// SPDX-License-Identifier: Apache-2.0
#include "assay/generate/endpoint.h"

namespace assay::generate {
namespace {

struct Preset {
  const char *name, *base_url, *key_variable;
  const char *max_tokens_field = "max_tokens", *seed_field = "seed";
  bool stream_options = true;
};

constexpr Preset kPresets[] = {
    // Services.
    {"anthropic", "https://api.anthropic.com/v1", "ANTHROPIC_API_KEY"},
    {"dashscope", "https://dashscope-intl.aliyuncs.com/compatible-mode/v1", "DASHSCOPE_API_KEY"},
    {"deepseek", "https://api.deepseek.com/v1", "DEEPSEEK_API_KEY"},
    {"fireworks", "https://api.fireworks.ai/inference/v1", "FIREWORKS_API_KEY"},
    {"gemini", "https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY"},
    {"groq", "https://api.groq.com/openai/v1", "GROQ_API_KEY", "max_completion_tokens"},
    {"mistral", "https://api.mistral.ai/v1", "MISTRAL_API_KEY", "max_tokens", "random_seed", false},
    {"nvidia", "https://integrate.api.nvidia.com/v1", "NVIDIA_API_KEY"},
    {"openai", "https://api.openai.com/v1", "OPENAI_API_KEY", "max_completion_tokens"},
    {"openrouter", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"},
    {"together", "https://api.together.xyz/v1", "TOGETHER_API_KEY"},
    {"xai", "https://api.x.ai/v1", "XAI_API_KEY", "max_completion_tokens"},
    // Servers of one's own, at their usual ports.
    {"llama.cpp", "http://127.0.0.1:8080/v1", ""},
    {"lmstudio", "http://127.0.0.1:1234/v1", ""},
    {"ollama", "http://127.0.0.1:11434/v1", ""},
    {"sglang", "http://127.0.0.1:30000/v1", ""},
    {"vllm", "http://127.0.0.1:8000/v1", ""},
};

}  // namespace

const std::map<std::string, Endpoint>& presets() {
  static const std::map<std::string, Endpoint> known = [] {
    std::map<std::string, Endpoint> made;
    for (const Preset& preset : kPresets) {
      Endpoint& endpoint = made[preset.name];
      endpoint.provider = preset.name;
      endpoint.base_url = preset.base_url;
      endpoint.key_variable = preset.key_variable;
      endpoint.max_tokens_field = preset.max_tokens_field;
      endpoint.seed_field = preset.seed_field;
      endpoint.stream_options = preset.stream_options;
    }
    return made;
  }();
  return known;
}

}  // namespace assay::generate
