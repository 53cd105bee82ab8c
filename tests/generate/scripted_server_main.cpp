// SPDX-License-Identifier: Apache-2.0
// The scripted server as a program: prints its address, answers until its standard input ends, and then prints what it saw:
//   scripted_server [--tls] [--seconds=S] [--turn=FILE...] [--seen=FILE] [WORD...]
// --turn: the text of the answers of a conversation, in order. --seen: a file for the bodies of the requests, one in a line.
#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>
#include <string_view>

#include "scripted_server.h"

namespace {

std::string text_of(std::string_view file) {
  std::ostringstream text;
  text << std::ifstream(std::string(file)).rdbuf();
  return text.str();
}

}  // namespace

int main(int argc, char** argv) {
  assay::generate::ScriptedServer::Options options;
  std::vector<std::string> words;
  std::string bodies;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--tls") options.tls = true;
    else if (argument.starts_with("--seconds=")) options.seconds = std::stod(std::string(argument.substr(10)));
    else if (argument.starts_with("--turn=")) options.turns.push_back(text_of(argument.substr(7)));
    else if (argument.starts_with("--seen=")) bodies = argument.substr(7);
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
  if (!bodies.empty()) {
    std::ofstream out(bodies);
    for (const auto& request : seen) out << request.body.dump() << "\n";
  }
  fmt::print("{} requests, {} of them distinct, at most {} at once\n", seen.size(), distinct.size(), server.most_at_once());
}
