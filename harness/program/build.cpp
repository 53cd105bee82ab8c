// SPDX-License-Identifier: Apache-2.0
#include "assay/program/build.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "assay/problem/problem_folder.h"
#include "assay/program/object_file.h"
#include "assay/program/references.h"
#include "assay/record/printable.h"
#include "assay/spec/whole_file.h"
#include "python_problem.h"
#include "warden_text.h"
#include "workshop.h"

namespace assay::program {
namespace {

namespace fs = std::filesystem;
using compile::Scratch, compile::SourceFiles, compile::StoredCompilation;
using plan::Plan;
using problem::Problem, problem::TextFile;
using record::set_verdict, record::Verdict;
using Words = std::vector<std::string>;

/// Names that a solution may not ask for: they catch what the test's failure raises, change what pages may do, or start other programs, or
/// this one again.
constexpr std::array kForbidden = {
    "signal",   "sigaction",     "__sysv_signal", "sigset", "main",  "_start",           "__libc_start_main", "prctl",
    "mprotect", "pkey_mprotect", "ptrace",        "fork",   "vfork", "process_vm_readv", "process_vm_writev", "execve",
    "execv",    "posix_spawn",   "posix_spawnp",  "system", "popen"};
/// What loads code; the headers of CUDA's libraries do, for their tools.
constexpr std::array kLoaders = {"dlopen", "dlmopen", "dlsym", "dlvsym"};
/// NVTX's own variables, which its header defines in whoever includes it: a candidate that had the test's would mark the test's ranges.
constexpr std::array kOfNvtx = {"nvtx", "InitializeInjectionNvtx"};
constexpr std::array kSignalFunctions = {"signal", "sigaction", "__sysv_signal", "sigset"};

bool contains(const auto& list, std::string_view item) {
  return std::ranges::any_of(list, [&](const auto& each) { return each == item; });
}

std::set<std::string> names_of(const ObjectFile& object, auto chosen) {
  std::set<std::string> names;
  for (const Symbol& symbol : object.globals)
    if (chosen(symbol)) names.insert(symbol.name);
  return names;
}

bool is_defined(const Symbol& symbol) { return symbol.defined; }
bool is_missing(const Symbol& symbol) { return !symbol.defined; }
/// Variables of inline definitions, type information: the same in whoever defines it.
bool is_shared_data(const Symbol& symbol) {
  return symbol.defined && symbol.weak && symbol.object &&
         std::ranges::none_of(kOfNvtx, [&](const char* begin) { return symbol.name.starts_with(begin); });
}

/// The identifier that a person gave to a symbol: "scale" of "ns::scale(float*, int)".
std::string given_name(const std::string& symbol) {
  int status = 0;
  constexpr std::size_t kLongest = 4096;
  if (symbol.size() > kLongest) return symbol;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), std::free);
  std::string name = status == 0 && text != nullptr ? text.get() : symbol;
  name.resize(std::min(name.find_first_of("(<["), name.size()));
  return name.substr(name.rfind(':') + 1);
}

std::set<std::string> identifiers_of(const std::vector<TextFile>& files) {
  std::set<std::string> words;
  for (const TextFile& file : files)
    for (std::size_t i = 0; i < file.text.size();) {
      std::size_t end = i;
      while (end < file.text.size() && (std::isalnum(static_cast<unsigned char>(file.text[end])) != 0 || file.text[end] == '_')) ++end;
      if (end > i) words.insert(file.text.substr(i, end - i));
      i = std::max(end, i + 1);
    }
  return words;
}

/// The test's functions end where the warden can see it.
bool rename_ends(Workshop& shop, const std::string& name) {
  Words argv = {"objcopy"};
  for (const char* end : {"main", "exit", "_exit", "_Exit", "quick_exit", "abort", "__assert_fail"})
    argv.insert(argv.end(), {"--redefine-sym", fmt::format("{0}=assay_program_{0}", end)});
  argv.push_back(shop.object(name).string());
  return shop.run(std::move(argv));
}

/// A C string of any text.
std::string quoted(const std::string& text) {
  std::string literal = "\"";
  for (const unsigned char c : text) literal += fmt::format("\\{:03o}", c);
  return literal + "\"";
}

/// assay_ranges.h of warden.c.
std::string ranges_text(const problem::TimingMode& mode) {
  std::string text;
  for (const auto& [name, globs] : {std::pair("assay_included", &mode.include), std::pair("assay_excluded", &mode.exclude)}) {
    text += fmt::format("static const char* const {}[] = {{", name);
    for (const std::string& glob : *globs) text += quoted(glob) + ", ";
    text += "0};\n";
  }
  return text;
}

/// Leaves <name>.o, test and warden in one. `starts_alone`: with a main() that returns at once.
bool join_warden(Workshop& shop, const Plan& plan, const Problem& problem, const ObjectFile& test, const BuiltTest& built,
                 const std::string& name, bool starts_alone) {
  shop.place({{"assay_warden.c", warden_text}, {"assay_ranges.h", ranges_text(problem.timing)}});
  Words argv = {plan.toolchain.compile.front(), "-x", "c", "-std=gnu17", "-O2", "-fPIC", "-fno-stack-protector", "-w"};
  if (built.main_in_a_library) argv.emplace_back("-DASSAY_MAIN_IN_A_LIBRARY");
  if (problem.timing.is_region()) argv.emplace_back("-DASSAY_RANGES");
  if (starts_alone) argv.emplace_back("-DASSAY_STARTS_ALONE");
  for (const Symbol& symbol : test.globals)
    if (!symbol.defined && contains(kSignalFunctions, symbol.name)) {
      argv.emplace_back("-DASSAY_TEST_HANDLES_SIGNALS");
      break;
    }
  argv.insert(argv.end(), {"-c", "assay_warden.c", "-o", shop.object("warden").string()});
  return shop.run(std::move(argv)) &&
         shop.run({"ld", "-r", "-o", shop.object(name).string(), shop.object("test").string(), shop.object("warden").string()});
}

/// A step of the test's build that fails is the problem's fault, or this machine's.
void require(bool good, const Workshop& shop, const std::string& what) {
  if (!good) throw NotSeparable(fmt::format("{} fails: {}", what, shop.timed_out() ? "out of time" : shop.last_error()));
}

BuiltTest make_test(const Plan& plan, const Problem& problem, const Scratch& scratch) {
  if (is_python(problem)) return make_python_test(plan, problem, scratch);
  const Commands commands = commands_of(problem);
  BuiltTest built;
  Workshop shop(plan, scratch.path());
  shop.place(problem.context);
  shop.place(problem.test);
  require(shop.compile(commands.build, commands.build.test_sources, "test"), shop, "compiling its test");
  const ObjectFile test = read_object(shop.object("test"));
  built.main_in_a_library = !names_of(test, is_defined).contains("main");
  require(rename_ends(shop, "test"), shop, "renaming the test's ends");

  shop.place(problem.solution);
  require(shop.compile(commands.build, commands.build.candidate_sources, "reference"), shop, "compiling its reference solution");
  const ObjectFile reference = read_object(shop.object("reference"));
  const std::set<std::string> missing = names_of(test, is_missing), offered = names_of(reference, is_defined);
  std::ranges::set_intersection(missing, offered, std::back_inserter(built.api));
  if (built.api.empty()) throw NotSeparable("its test takes no function from the reference solution");
  const std::set<std::string> shared = names_of(test, is_shared_data);
  built.shared.assign(shared.begin(), shared.end());

  const std::set<std::string> said = identifiers_of(problem.context);
  std::set<std::string> kept = names_of(test, [&](const Symbol& symbol) {
    return symbol.defined && (!symbol.weak || symbol.object) && said.contains(given_name(symbol.name));
  });
  kept.insert(shared.begin(), shared.end());
  kept.insert(built.main_in_a_library ? "__wrap_main" : "main");
  for (const std::string name : {"judge", "start"}) {
    const bool starts_alone = name == "start";
    if (starts_alone && !problem.benchmark_command) continue;
    require(join_warden(shop, plan, problem, test, built, name, starts_alone), shop, "joining test and warden");
    require(shop.keep_global(name, kept), shop, "closing the test's names");
    fs::rename(shop.object(name), test_folder(plan) / (name + ".o"));
  }
  return built;
}

/// The rest of what is linked: the candidate's names that the test takes stay, the test (judge.o, start.o) comes first.
bool link(Workshop& shop, const Plan& plan, const BuildCommand& command, const BuiltTest& test, const fs::path& program,
          const char* judge = "judge.o") {
  std::set<std::string> kept(test.api.begin(), test.api.end());
  kept.insert(test.shared.begin(), test.shared.end());
  if (!shop.keep_global("candidate", kept, test.shared)) return false;
  Words argv = {command.compiler};
  const bool nvcc = command.is_nvcc();
  for (std::size_t i = 0; i < command.link_flags.size(); ++i) {
    if (command.link_flags[i] == "-x") ++i;  // objects are no sources
    else argv.push_back(command.link_flags[i]);
  }
  argv.insert(argv.end(), {(test_folder(plan) / judge).string(), shop.object("candidate").string()});
  argv.insert(argv.end(), command.libraries.begin(), command.libraries.end());
  Words linker = {"-z", "relro", "-z", "now", "-z", "noexecstack"};
  if (test.main_in_a_library) linker.emplace_back("--wrap=main");
  for (const std::string& word : linker) argv.insert(argv.end(), {"-Xlinker", word});
  if (nvcc) argv.emplace_back("-Wno-deprecated-gpu-targets");
  argv.insert(argv.end(), {"-o", program.string()});
  return shop.run(std::move(argv), test_folder(plan) / judge);  // which no compiler of the candidate sees
}

/// Why the object may not be linked; empty where it may.
std::string forbidden_in(const ObjectFile& object, bool cuda) {
  if (!object.faults.empty()) return object.faults.front();
  for (const Symbol& symbol : object.globals)
    if (!symbol.defined && (contains(kForbidden, symbol.name) || (!cuda && contains(kLoaders, symbol.name))))
      return fmt::format("calls {}, which no solution needs", symbol.name);
  return "";
}

/// Links the candidate's object, and sets the verdict.
fs::path finish(Workshop& shop, const Plan& plan, const BuildCommand& command, const BuiltTest& test, const Scratch& scratch,
                StoredCompilation& made) {
  ObjectFile object;
  try {
    object = read_object(shop.object("candidate"));
  } catch (const ObjectError& error) {
    return shop.fail(made, Verdict::policy, fmt::format("its object {}", error.what()));
  }
  if (const std::string reason = forbidden_in(object, command.is_nvcc()); !reason.empty()) return shop.fail(made, Verdict::policy, reason);
  const std::set<std::string> defined = names_of(object, is_defined);
  for (const std::string& name : test.api)
    if (!defined.contains(name))
      return shop.fail(made, Verdict::compile_error, fmt::format("defines no {}", record::printable(given_name(name))));
  const fs::path program = scratch.path() / "program";
  if (!link(shop, plan, command, test, program)) return shop.fail(made, Verdict::compile_error, shop.last_error());
  shop.note(made);
  set_verdict(made.record, Verdict::pass);
  return program;
}

}  // namespace

fs::path test_folder(const Plan& plan) { return plan.task.cases.parent_path() / "program"; }

void build_test(const Plan& plan) {
  const fs::path folder = test_folder(plan);
  fs::create_directories(folder);
  const Scratch scratch(plan::Candidate{"", 0, {}, folder / "test", nullptr});
  BuiltTest built;
  if (!plan.verbatim) {
    const Problem problem = problem::read_problem(plan.task.task_yaml.file);
    try {
      built = make_test(plan, problem, scratch);
    } catch (const NotSeparable& why) {
      built.why_not = record::printable(why.what());
    } catch (const ObjectError& why) {
      built.why_not = fmt::format("an object of the test {}", why.what());
    }
  }
  const nlohmann::ordered_json json = {{"version", 1},
                                       {"why_not", built.why_not},
                                       {"api", built.api},
                                       {"shared", built.shared},
                                       {"main_in_a_library", built.main_in_a_library}};
  spec::write_whole_file("program", folder / "test.json", json.dump(2, ' ', true, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

BuiltTest load_built_test(const Plan& plan) {
  const fs::path file = test_folder(plan) / "test.json";
  std::ifstream in(file);
  const auto json = nlohmann::json::parse(in, nullptr, false);
  if (json.is_discarded()) throw std::runtime_error(fmt::format("{} is not there. do: build first", file.string()));
  BuiltTest built{json.at("why_not"), json.at("api"), json.at("shared"), json.at("main_in_a_library")};
  if (!built.why_not.empty()) throw std::runtime_error(fmt::format("{} cannot be judged: {}", plan.task.name, built.why_not));
  return built;
}

SourceFiles sources_of(const std::vector<TextFile>& files) {
  SourceFiles sources;
  for (const TextFile& file : files) sources.files.push_back({file.path, file.text});
  return sources;
}

std::vector<TextFile> placed_files(const Problem& problem, const SourceFiles& sources) {
  std::vector<TextFile> files;
  for (const compile::SourceFile& file : sources.files) files.push_back({file.name.generic_string(), file.text});
  if (files.size() != 1 || std::ranges::any_of(problem.solution, [&](const TextFile& file) { return file.path == files.front().path; }))
    return files;
  const std::string suffix = fs::path(files.front().path).extension();
  for (const TextFile& file : problem.solution)
    if (fs::path(file.path).extension() == suffix) {
      files.front().path = file.path;
      break;
    }
  return files;
}

fs::path build_candidate(const Plan& plan, const SourceFiles& sources, const Scratch& scratch, StoredCompilation& made) {
  if (plan.verbatim) {
    set_verdict(made.record, Verdict::pass, "");
    spec::write_whole_file("program", scratch.path() / "program", "built by its own command in the stage test\n");
    return scratch.path() / "program";
  }
  const BuiltTest test = load_built_test(plan);
  const Problem problem = problem::read_problem(plan.task.task_yaml.file);
  const std::vector<TextFile> files = placed_files(problem, sources);
  if (is_python(problem)) return build_python(plan, problem, files, test, scratch, made);
  const Commands commands = commands_of(problem);
  Workshop shop(plan, scratch.path());
  shop.place(problem.context);
  shop.place(files);
  if (!shop.compile(commands.build, commands.build.candidate_sources, "candidate"))
    return shop.fail(made, Verdict::compile_error, shop.last_error());
  if (problem.references) {
    const Words as_written = commands.build.is_nvcc() ? Words{"-Xcompiler", "-fdirectives-only"} : Words{"-fdirectives-only"};
    std::vector<Preprocessed> made_of;
    for (const std::string& source : commands.build.candidate_sources)
      made_of.push_back(
          {shop.preprocessed(commands.build, source, {}), [&, source] { return shop.preprocessed(commands.build, source, as_written); }});
    if (const std::string missing = missing_reference(*problem.references, made_of, files); !missing.empty())
      return shop.fail(made, Verdict::policy, fmt::format("{}, which the problem demands", record::printable(missing)));
  }
  return finish(shop, plan, commands.build, test, scratch, made);
}

fs::path build_start(const Plan& plan, const Scratch& scratch) {
  Workshop shop(plan, scratch.path());
  const Commands commands = commands_of(problem::read_problem(plan.task.task_yaml.file));
  const fs::path program = scratch.path() / "start";
  if (!link(shop, plan, commands.build, load_built_test(plan), program, "start.o"))
    throw std::runtime_error(fmt::format("{}: its program with an empty main cannot be linked: {}", plan.task.name, shop.last_error()));
  return program;
}

fs::path build_idle(const Plan& plan, const BuiltTest& test, const Scratch& scratch, StoredCompilation& made) {
  const Problem problem = problem::read_problem(plan.task.task_yaml.file);
  if (is_python(problem)) return build_python_idle("0", scratch, made);
  const Commands commands = commands_of(problem);
  Workshop shop(plan, scratch.path());
#if defined(__x86_64__)
  constexpr const char* kBody = "xorl %eax, %eax\n\txorl %edx, %edx\n\tpxor %xmm0, %xmm0\n\tret";
#else
  constexpr const char* kBody = "mov x0, #0\n\tmov x1, #0\n\tmovi v0.2d, #0\n\tret";
#endif
  std::string text = "\t.section .note.GNU-stack,\"\",%progbits\n";
  for (const std::string& name : test.api) {
    const bool data = name.starts_with("_ZTV") || name.starts_with("_ZTI") || name.starts_with("_ZTS");
    text += fmt::format("\t.globl \"{0}\"\n\t.section {1}\n\t.p2align 4\n\"{0}\":\n\t{2}\n", name, data ? ".data" : ".text",
                        data ? ".zero 4096" : kBody);
  }
  shop.place({{"idle.s", text}});
  if (!shop.run({plan.toolchain.compile.front(), "-c", "idle.s", "-o", shop.object("candidate").string()}))
    return shop.fail(made, Verdict::compile_error, shop.last_error());
  return finish(shop, plan, commands.build, test, scratch, made);
}

}  // namespace assay::program
