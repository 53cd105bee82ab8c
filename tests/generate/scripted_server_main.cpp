// SPDX-License-Identifier: Apache-2.0
// The scripted server as a program: prints its address, answers until its standard input ends, and then prints what it saw:
//   scripted_server [--tls] [--seconds=S] [WORD...]
#include <fmt/format.h>

#include <cstdio>
#include <iostream>
#include <set>
#include <string_view>

#include "scripted_server.h"

int main(int argc, char** argv) {
  assay::generate::ScriptedServer::Options options;
  std::vector<std::string> words;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--tls") options.tls = true;
    else if (argument.starts_with("--seconds=")) options.seconds = std::stod(std::string(argument.substr(10)));
    else words.emplace_back(argument);
  }
  assay::generate::ScriptedServer server(options);
  server.script(words);
  fmt::print("{}\n", server.base_url());
  std::fflush(stdout);
  while (std::cin.get() != EOF) continue;
  std::set<std::string> distinct;
  const auto seen = server.seen();
  for (const auto& request : seen) distinct.insert(request.body.dump());
  fmt::print("{} requests, {} of them distinct, at most {} at once\n", seen.size(), distinct.size(), server.most_at_once());
}
