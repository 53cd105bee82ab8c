// SPDX-License-Identifier: Apache-2.0
// A server that speaks OpenAI's protocol, and what is asked of its model.
#pragma once

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace assay::generate {

enum class Api { chat, responses };  ///< POST /chat/completions, POST /responses

struct Retries {
  int most = 8;                ///< attempts beyond the first
  double first = 1, cap = 60;  ///< seconds: doubled from the first on, up to the cap
  double longest_wait = 600;   ///< that a server may ask for
};

struct Limits {
  int concurrency = 8;
  double requests_per_minute = 0, tokens_per_minute = 0;  ///< 0: none
};

struct Timeouts {
  double connect = 30;  ///< seconds
  double stall = 300;   ///< without a byte
  double total = 1800;  ///< of one attempt
};

struct Prices {
  std::optional<double> input, cached, output;  ///< of a million tokens
};

struct Endpoint {
  std::string provider;  ///< of the preset; empty: none
  std::string base_url;  ///< "https://api.openai.com/v1"
  Api api = Api::chat;
  std::string key_variable;                                          ///< environment variable with the key; empty: no key is sent
  std::string key_header = "Authorization";                          ///< "Authorization: Bearer <key>"; another name: "<name>: <key>"
  std::string max_tokens_field = "max_tokens", seed_field = "seed";  ///< as chat completions call them here
  bool stream = true;
  bool stream_options = true;  ///< the server takes stream_options, which asks for the usage
  std::string proxy, ca_file;  ///< empty: as libcurl finds them
  Limits limits;
  Timeouts timeouts;
  Retries retries;
  std::size_t most_bytes = 16 << 20;  ///< of a server's answer
};

struct Sampling {
  std::string model;
  std::optional<double> temperature, top_p;
  std::optional<std::int64_t> max_tokens;
  std::vector<std::string> stop;
  std::string effort;                               ///< of reasoning: "low", ...
  nlohmann::json extra = nlohmann::json::object();  ///< more keys of the request, as they are
};

/// Known servers by name: address, name of the key's variable, peculiarities.
const std::map<std::string, Endpoint>& presets();

}  // namespace assay::generate
