// SPDX-License-Identifier: Apache-2.0
#include "python_problem.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <ranges>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "assay/program/commands.h"
#include "assay/record/printable.h"
#include "assay/spec/descriptor.h"
#include "assay/spec/whole_file.h"
#include "test_box.h"
#include "workshop.h"

namespace assay::program {
namespace {

namespace fs = std::filesystem;
using compile::Scratch, compile::StoredCompilation;
using nlohmann::ordered_json;
using plan::Plan;
using problem::Problem, problem::TextFile;
using record::set_verdict, record::Verdict;
using Words = std::vector<std::string>;

constexpr int kChannel = 3;
constexpr int kGone = 89, kChanged = 90;               // assay_problem.py has them, too
constexpr const char* kLearnt = "assay_changes.json";  // and this one

/// The interpreter with assay_problem.py, and what follows.
Words python(const Plan& plan, const Words& words) {
  Words argv = plan.toolchain.compile;
  argv.insert(argv.end(), words.begin(), words.end());
  return argv;
}

bool is_python_file(const std::string& path) { return path.ends_with(".py"); }

/// {"kernels.add": "kernels/add.py"}, of the reference.
ordered_json modules_of(const Problem& problem) {
  ordered_json modules = ordered_json::object();
  for (const TextFile& file : problem.solution) {
    if (!is_python_file(file.path)) continue;
    std::string name = file.path.substr(0, file.path.size() - 3);
    if (name.ends_with("/__init__")) name.resize(name.rfind('/'));
    std::ranges::replace(name, '/', '.');
    modules[name] = file.path;
  }
  return modules;
}

/// The last line of what a tool printed: JSON, behind what Python may warn of.
ordered_json answer_of(const Workshop& shop) {
  const std::string_view said = shop.said();
  const std::size_t end = said.find_last_not_of('\n');
  return ordered_json::parse(said.substr(said.rfind('\n', end) + 1), nullptr, false);
}

fs::path keep(const Scratch& scratch, const ordered_json& what) {
  const fs::path program = scratch.path() / "program";
  spec::write_whole_file("compile", program, what.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n");
  return program;
}

/// The solution's process, which is stopped where this ends.
class SolutionBox {
 public:
  explicit SolutionBox(const sandbox::ConfinedCommand& command) : pid_(sandbox::start(command)) {}
  SolutionBox(const SolutionBox&) = delete;
  SolutionBox& operator=(const SolutionBox&) = delete;
  ~SolutionBox() { sandbox::stop(pid_); }

  /// How it ended, or that it has not. A process that nobody asks any more ends by itself, and prints what it holds: it has half a second.
  std::pair<Verdict, std::string> end() const {
    siginfo_t how{};
    for (int tries = 0; tries < 50 && how.si_pid == 0; ++tries) {
      if (tries > 0) usleep(10'000);
      waitid(P_PID, static_cast<id_t>(pid_), &how, WEXITED | WNOHANG | WNOWAIT);
    }
    if (how.si_pid == 0) return {Verdict::crash, "the solution closed its connection to the test"};
    if (how.si_code == CLD_EXITED) return {Verdict::crash, fmt::format("the solution ended with status {}", how.si_status)};
    if (how.si_status == SIGXCPU) return {Verdict::timeout, "the solution used too much processor time"};
    return {Verdict::crash, fmt::format("the solution died of signal {}", strsignal(how.si_status))};
  }

 private:
  pid_t pid_;
};

sandbox::ConfinedCommand box(const Plan& plan, const Call& call, const fs::path& work, const Words& words, const spec::Descriptor& socket,
                             const sandbox::Log& log) {
  sandbox::ConfinedCommand command = command_in(plan, call, work);
  command.argv = python(plan, words);
  command.descriptors = {{socket.get(), kChannel}};
  command.output = log.fd();
  command.may_start_processes = command.loads_drivers;  // compilers of device code
  command.ends_never = true;                            // an interpreter and its libraries ask for much that they do without
  const auto& readable = plan.toolchain.readable;
  const auto toolkit = std::ranges::find_if(readable, [](const fs::path& path) { return fs::exists(path / "bin" / "tileiras"); });
  if (command.loads_drivers && toolkit != readable.end()) command.environment.push_back("CUDA_HOME=" + toolkit->string());
  command.limits.open_files = 256;
  return command;
}

Ended judge(const sandbox::Finished& finished, const std::pair<Verdict, std::string>& end_of_solution, const Call& call,
            const std::string& printed, const std::string& printed_by_solution) {
  Ended ended;
  const auto give = [&](Verdict verdict, std::string detail) {
    ended.verdict = verdict;
    ended.detail = std::move(detail);
    return ended;
  };
  ended.output = printed;
  if (!printed_by_solution.empty()) ended.output += "\n[printed by the solution]\n" + printed_by_solution;
  if (finished.timed_out) return give(Verdict::timeout, fmt::format("the {} took longer than {:g} s", call.name, call.limit.count()));
  if (WIFSIGNALED(finished.status)) {
    const int signal = WTERMSIG(finished.status);
    if (signal == SIGXCPU) return give(Verdict::timeout, fmt::format("the {} used too much processor time", call.name));
    return give(Verdict::crash, fmt::format("the {} died of signal {}: {}", call.name, strsignal(signal), last_line(printed)));
  }
  const int status = WEXITSTATUS(finished.status);
  if (status == 0) return give(Verdict::pass, "");
  if (status == kGone) return give(end_of_solution.first, fmt::format("{}: {}", end_of_solution.second, last_line(printed_by_solution)));
  if (status == kChanged) return give(Verdict::input_modified, last_line(printed));
  return give(Verdict::wrong_result, fmt::format("the {} ended with status {}: {}", call.name, status, last_line(printed)));
}

}  // namespace

bool share_a_process(const Plan& plan) { return plan.verbatim || fs::path(plan.toolchain.compile.back()).extension() != ".py"; }

bool is_python(const Problem& problem) { return problem.type == "cuda_python"; }

Words python_test_words(const Problem& problem) {
  auto words = split_words(problem.test_command);
  if (!words) throw NotSeparable("its test command is no single command: it needs a shell");
  std::erase(*words, "PYTHONPATH=.");
  const bool calls_pytest = !words->empty() && words->front() == "pytest";
  if (calls_pytest) words->insert(words->begin(), {"python3", "-m"});
  if (words->empty() || !(words->front() == "python" || words->front() == "python3"))
    throw NotSeparable(fmt::format("its test command does not just call python: {}", problem.test_command));
  words->erase(words->begin());
  while (!words->empty() && (words->front() == "-u" || words->front() == "-B")) words->erase(words->begin());
  const bool calls_module = words->size() > 1 && words->front() == "-m";
  if (!calls_module &&
      (words->empty() || std::ranges::none_of(problem.test, [&](const TextFile& file) { return file.path == words->front(); })))
    throw NotSeparable(fmt::format("its test command names no file of the test. got: {}. files below test/: {}", problem.test_command,
                                   fmt::join(problem.test | std::views::transform(&TextFile::path), " ")));
  return *words;
}

BuiltTest make_python_test(const Plan& plan, const Problem& problem, const Scratch& scratch) {
  python_test_words(problem);
  Workshop shop(plan, scratch.path());
  shop.place(problem.test);
  Words words = {"interface", modules_of(problem).dump()};
  for (const TextFile& file : problem.test)
    if (is_python_file(file.path)) words.push_back(file.path);
  const bool good = shop.run(python(plan, words));
  const ordered_json taken = answer_of(shop);
  if (!good || !taken.is_object()) throw NotSeparable(fmt::format("reading its test fails: {}", shop.last_error()));
  BuiltTest built;
  for (const auto& [module, names] : taken.items())
    for (const auto& name : names) built.api.push_back(module + "." + name.get<std::string>());
  if (built.api.empty()) throw NotSeparable("its test takes nothing from the reference solution");
  return built;
}

fs::path build_python(const Plan& plan, const Problem& problem, const std::vector<TextFile>& files, const BuiltTest& test,
                      const Scratch& scratch, StoredCompilation& made) {
  ordered_json names = ordered_json::object();
  for (const std::string& each : test.api) {
    const std::size_t dot = each.rfind('.');
    names[each.substr(0, dot)].push_back(each.substr(dot + 1));
  }
  ordered_json own = ordered_json::array(), kept = ordered_json::array();
  for (const TextFile& file : files) {
    own.push_back(file.path);
    kept.push_back({{"path", file.path}, {"text", file.text}});
  }
  const auto demanded = [&](auto field) { return problem.references ? ((*problem.references).*field).value_or(Words{}) : Words{}; };
  const ordered_json what = {{"modules", modules_of(problem)},
                             {"names", names},
                             {"own", own},
                             {"all", demanded(&problem::SourceReferences::all)},
                             {"any", demanded(&problem::SourceReferences::any)}};
  Workshop shop(plan, scratch.path());
  shop.place(problem.context);
  shop.place(files);
  const bool good = shop.run(python(plan, {"check", what.dump(-1, ' ', true, ordered_json::error_handler_t::replace)}));
  const ordered_json found = answer_of(shop);
  const auto refuse = [&](Verdict verdict, const std::string& why) {
    fs::path nothing = shop.fail(made, verdict, record::printable(why));
    made.diagnostics = why + "\n";
    return nothing;
  };
  if (!good || !found.is_object()) return refuse(Verdict::compile_error, "Python cannot read it: " + shop.last_error());
  if (found.contains("error")) return refuse(Verdict::compile_error, found["error"]);
  if (found.contains("fault")) return refuse(Verdict::policy, found["fault"].get<std::string>() + ", which the problem demands");
  shop.note(made);
  made.diagnostics.clear();
  set_verdict(made.record, Verdict::pass);
  return keep(scratch, {{"files", kept}});
}

fs::path build_python_idle(const std::string& result, const Scratch& scratch, StoredCompilation& made) {
  set_verdict(made.record, Verdict::pass);
  return keep(scratch, {{"files", ordered_json::array()}, {"gives", result}});
}

Ended run_python(const Plan& plan, const Problem& problem, const fs::path& program, const Call& call, const fs::path& work) {
  std::ifstream in(program, std::ios::binary);
  const ordered_json kept = ordered_json::parse(in);
  const fs::path of_test = work / "test", of_solution = work / "solution";
  fs::create_directories(of_test);
  fs::create_directories(of_solution);
  for (const auto* files : {&problem.context, &problem.test}) write_files(*files, of_test, true);
  std::vector<TextFile> solution;
  for (const auto& file : kept["files"]) solution.push_back({file["path"], file["text"]});
  for (const auto* files : {&problem.context, &std::as_const(solution)}) write_files(*files, of_solution, true);

  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw std::runtime_error(fmt::format("no connection of test and solution: {}", std::strerror(errno)));
  spec::Descriptor ours(ends[0]), theirs(ends[1]);
  const std::string socket = std::to_string(kChannel);
  const sandbox::Log log, log_of_solution;
  Words serve = {"solve", socket};
  if (kept.contains("gives")) serve.push_back(kept["gives"]);
  const auto begin = std::chrono::steady_clock::now();
  const SolutionBox box_of_solution(box(plan, call, of_solution, serve, theirs, log_of_solution));
  theirs = spec::Descriptor();  // so that its end is seen
  Words test = {"test", socket, modules_of(problem).dump(), call.changes ? ordered_json(*call.changes).dump() : "null"};
  test.insert(test.end(), call.arguments.begin(), call.arguments.end());
  const sandbox::ConfinedCommand command = box(plan, call, of_test, test, ours, log);
  const sandbox::Finished finished = sandbox::run(command, limit_of(call));
  ours = spec::Descriptor();
  const std::pair<Verdict, std::string> end = box_of_solution.end();
  Ended ended = judge(finished, end, call, beginning_and_end(log), beginning_and_end(log_of_solution));
  ended.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  ended.tier = sandbox::tier_of(command.layers);
  if (std::ifstream learnt(of_test / kLearnt); learnt) ended.changes = ordered_json::parse(learnt);
  return ended;
}

}  // namespace assay::program
