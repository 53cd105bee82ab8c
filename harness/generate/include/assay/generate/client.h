// SPDX-License-Identifier: Apache-2.0
// A client of a server with OpenAI's protocol: many requests at a time, limits, and another try after what passes.
#pragma once

#include <memory>

#include "assay/generate/endpoint.h"
#include "assay/generate/model.h"

namespace assay::generate {

class Client : public Model {
 public:
  /// Reads the key from the endpoint's environment variable. Throws std::runtime_error: no key, an address that cannot be used, a key
  /// that would cross a network unencrypted.
  Client(Endpoint endpoint, Sampling sampling);
  ~Client() override;

  void ask(const Next& next, const Done& done, const Round& round) override;

 private:
  struct Session;
  std::unique_ptr<Session> session_;
};

}  // namespace assay::generate
