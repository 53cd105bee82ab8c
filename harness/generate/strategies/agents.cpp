// SPDX-License-Identifier: Apache-2.0
// Three roles in turns, in the manner of MoKA (MobileKernelBench's agents): a coder writes the kernel; where it fails, a debugger says why
// and what to change; where it is right, an accelerator says what holds it up and how to make it faster. Both see a memory of what was
// tried and what came of it. Their advice is JSON: what does not match its schema, or repeats a method, is sent back once. No role sees
// another's conversation.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "assay/generate/strategy.h"
#include "assay/record/printable.h"
#include "assay/spec/name.h"
#include "json_schema.h"

namespace assay::generate {
namespace {

using nlohmann::json;

constexpr std::size_t kRemembered = 200;  ///< bytes of what was tried, in the memory

enum class Role { coder, debugger, accelerator };

/// Who speaks in a turn.
struct Step {
  Role role = Role::coder;
  bool again = false;  ///< advice that was sent back
};

json text_schema() { return {{"type", "string"}, {"minLength", 1}, {"maxLength", 800}}; }

json object_schema(const std::vector<std::pair<std::string, json>>& members) {
  json schema = {{"type", "object"}, {"additionalProperties", false}};
  for (const auto& [name, member] : members) {
    schema["properties"][name] = member;
    schema["required"].push_back(name);
  }
  return schema;
}

const json& schema_of(Role role) {
  static const json debugger = object_schema(
      {{"cause", text_schema()}, {"changes", {{"type", "array"}, {"minItems", 1}, {"maxItems", 6}, {"items", text_schema()}}}});
  static const json accelerator = object_schema({{"bottleneck", text_schema()}, {"method", text_schema()}, {"plan", text_schema()}});
  return role == Role::debugger ? debugger : accelerator;
}

/// In a fence that it does not close.
std::string fenced(const std::string& text) {
  std::string fence = "```";
  while (text.find(fence) != std::string::npos) fence += '`';
  return fmt::format("{}\n{}{}{}\n", fence, text, text.ends_with('\n') ? "" : "\n", fence);
}

bool is_right(const Turn& turn) { return turn.judgement && turn.judgement->right; }
bool has_candidate(const Turn& turn) { return turn.judgement && turn.judgement->verdict != kNoCandidate; }

/// A conversation as far as it has come: whose turns these are, and whose is next.
class Course {
 public:
  Course(const StrategyChoice& choice, const std::vector<Turn>& turns) : choice_(choice), turns_(turns) {
    for (std::size_t turn = 0; turn < turns.size(); ++turn) {
      steps_.push_back(turn == 0 ? Step{} : after(turn - 1));
      faults_.emplace_back();
      advice_.emplace_back();
      if (steps_[turn].role != Role::coder) read_advice(turn);
    }
  }

  bool ends_with_a_kernel() const { return steps_.back().role == Role::coder; }

  /// nullopt: it is over. The last turn is judged where it is a kernel.
  std::optional<Step> next() const {
    if (turns_.empty()) return Step{};
    if (ends_with_a_kernel()) {
      const auto kernels = std::ranges::count(steps_, Role::coder, &Step::role);
      if (kernels >= choice_.turns || (choice_.feedback != record::Stage::bench && is_right(turns_.back()))) return std::nullopt;
    }
    return after(turns_.size() - 1);
  }

  /// Why the advice of a turn cannot be used.
  const std::vector<std::string>& faults(std::size_t turn) const { return faults_[turn]; }
  /// That of a turn which gave some that can be used.
  const std::optional<json>& advice_of(std::size_t turn) const { return advice_[turn]; }

  Role role_of(std::size_t turn) const { return steps_[turn].role; }

  /// The kernel that is worked on next: the last one, or where it is to become faster the best one.
  std::size_t kernel_for(Role role) const {
    if (role == Role::accelerator) return best_turn(turns_);
    std::size_t last = turns_.size() - 1;
    while (steps_[last].role != Role::coder) --last;
    return last;
  }

  std::string memory() const {
    std::string text, tried = "the first answer";
    int number = 0;
    for (std::size_t turn = 0; turn < turns_.size(); ++turn) {
      if (const auto& advice = advice_[turn]) {
        const std::string what = advice->contains("method") ? "faster by: " + (*advice)["method"].get<std::string>()
                                                            : "a repair, for: " + (*advice)["cause"].get<std::string>();
        tried = record::cut_to(record::printable(what), kRemembered);
      }
      if (steps_[turn].role != Role::coder || !turns_[turn].judgement) continue;
      const Judgement& judged = *turns_[turn].judgement;
      text += fmt::format("{}. {} -> {}{}\n", ++number, tried, judged.verdict,
                          judged.speedup ? fmt::format(", speedup at least {:.2g}", *judged.speedup) : "");
      tried = "another answer";
    }
    return text;
  }

 private:
  void read_advice(std::size_t turn) {
    json advice = object_in(turns_[turn].answer);
    std::vector<std::string>& faults = faults_[turn];
    if (advice.is_discarded()) faults = {"/: there is no JSON object in it"};
    else faults = schema_faults(advice, schema_of(steps_[turn].role));
    if (faults.empty() && steps_[turn].role == Role::accelerator && was_tried(advice["method"])) faults = {"/method: was tried before"};
    if (faults.empty()) advice_[turn] = std::move(advice);
  }

  bool was_tried(const std::string& method) const {
    return std::ranges::any_of(advice_, [&](const std::optional<json>& tried) {
      return tried && tried->contains("method") && spec::lower_case((*tried)["method"].get<std::string>()) == spec::lower_case(method);
    });
  }

  /// Who follows a turn of steps_, where the course goes on.
  Step after(std::size_t turn) const {
    const Step step = steps_[turn];
    if (step.role != Role::coder) return !step.again && !faults_[turn].empty() ? Step{step.role, true} : Step{};
    if (is_right(turns_[turn])) return {Role::accelerator, false};
    if (!has_candidate(turns_[turn])) return {};
    return {repair_failed(turn) ? Role::accelerator : Role::debugger, false};
  }

  /// Whether a second kernel in a row is wrong, though an earlier one was right: that one is gone on with.
  bool repair_failed(std::size_t turn) const {
    bool any_right = false, last_wrong = false;
    for (std::size_t before = 0; before < turn; ++before) {
      if (steps_[before].role != Role::coder) continue;
      any_right |= is_right(turns_[before]);
      last_wrong = !is_right(turns_[before]);
    }
    return any_right && last_wrong;
  }

  const StrategyChoice& choice_;
  const std::vector<Turn>& turns_;
  // Of each turn:
  std::vector<Step> steps_;
  std::vector<std::vector<std::string>> faults_;
  std::vector<std::optional<json>> advice_;
};

class Agents : public Strategy {
 public:
  explicit Agents(const StrategyChoice& choice) : choice_(choice) {}

  std::optional<std::vector<Message>> next(const std::vector<Message>& prompt, const std::vector<Turn>& turns) const override {
    const Course course(choice_, turns);
    const std::optional<Step> step = course.next();
    if (!step) return std::nullopt;
    if (turns.empty()) return prompt;
    std::vector<Message> messages = prompt;
    std::string& said = messages.back().content;
    if (step->role == Role::coder) {
      said = ask_coder(said, course, turns);
      return messages;
    }
    said = ask_for_advice(said, course, turns, step->role);
    if (step->again) {
      const std::string& answer = turns.back().answer;
      messages.push_back({"assistant", answer.find_first_not_of(" \t\r\n") == std::string::npos ? "(no answer)" : answer});
      messages.push_back({"user", fmt::format("That cannot be used:\n{}\nAnswer again, with the JSON object alone.",
                                              fmt::join(course.faults(turns.size() - 1), "\n"))});
    }
    return messages;
  }

  std::optional<record::Stage> judges() const override { return choice_.feedback; }
  bool is_judged(const std::vector<Turn>& turns) const override { return Course(choice_, turns).ends_with_a_kernel(); }
  int most_turns() const override { return 3 * choice_.turns - 2; }  // each kernel but the last is followed by advice, which is sent back

 private:
  /// As the coder may answer: a block for each file, which names it where there are several.
  static std::string shown_kernel(const Turn& turn) {
    std::string text;
    for (const auto& [name, code] : turn.source.files()) text += fenced((name.empty() ? "" : fmt::format("// file: {}\n", name)) + code);
    return text.empty() ? fenced(turn.answer) : text;
  }

  static std::string kernel_and_findings(const Turn& turn) {
    return fmt::format("# The kernel so far\n\n{}\n# What was found\n\n{}\n", shown_kernel(turn), turn.judgement->feedback);
  }

  static std::string ask_for_advice(const std::string& task, const Course& course, const std::vector<Turn>& turns, Role role) {
    const bool debugs = role == Role::debugger;
    const char* duty =
        debugs
            ? "You find faults in compute kernels. Below are the task that a colleague was given, the kernel that came of it, and what was "
              "found when it was judged. Say what the cause is, and what has to be changed. The colleague writes the kernel."
            : "You make compute kernels faster. Below are the task that a colleague was given, the best kernel that came of it, and what "
              "was "
              "found when it was judged. Say what holds it up most, and one method that takes it away; one that was not tried before. The "
              "colleague writes the kernel.";
    return fmt::format(
        "{}\n\n# The task\n\n{}\n{}# What was tried\n\n{}\n# Your answer\n\nOne JSON object, which this schema describes, and nothing "
        "else:\n\n{}",
        duty, fenced(task), kernel_and_findings(turns[course.kernel_for(role)]), course.memory(), schema_of(role).dump());
  }

  static std::string ask_coder(const std::string& task, const Course& course, const std::vector<Turn>& turns) {
    const std::size_t last = turns.size() - 1;
    if (course.role_of(last) == Role::coder)  // there was nothing to give advice on
      return fmt::format("{}\n\nYour last answer could not be judged. {}", task, turns[last].judgement->feedback);
    const Role role = course.role_of(last);
    const std::optional<json>& advice = course.advice_of(last);
    std::string what = role == Role::debugger ? "Correct the kernel." : "Make the kernel faster, and keep it right.";
    if (advice && role == Role::debugger) {
      what += fmt::format(" A colleague has looked at it.\n\nThe cause: {}\n", (*advice)["cause"].get<std::string>());
      for (const json& change : (*advice)["changes"]) what += fmt::format("- {}\n", change.get<std::string>());
    } else if (advice) {
      what += fmt::format(" A colleague has looked at it.\n\nWhat holds it up: {}\nThe method: {}\nThe plan: {}\n",
                          (*advice)["bottleneck"].get<std::string>(), (*advice)["method"].get<std::string>(),
                          (*advice)["plan"].get<std::string>());
    }
    return fmt::format("{}\n\n{}# What to do\n\n{}\n\nAnswer with one code block that contains the whole file.", task,
                       kernel_and_findings(turns[course.kernel_for(role)]), what);
  }

  StrategyChoice choice_;
};

const bool agents_defined =
    define_strategy("agents", [](const StrategyChoice& choice) { return std::unique_ptr<Strategy>(std::make_unique<Agents>(choice)); });

}  // namespace
}  // namespace assay::generate
