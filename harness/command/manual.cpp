// SPDX-License-Identifier: Apache-2.0
#include "manual.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

namespace assay::command {
namespace {

/// Those that --help shows, too.
std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });
}

std::vector<const CLI::Option*> options_of(const CLI::App& app) {
  return app.get_options([](const CLI::Option* option) { return !option->get_group().empty(); });
}

/// "--show", "-h"; none of a positional argument.
std::vector<std::string> flags_of(const CLI::Option& option) {
  std::vector<std::string> flags;
  for (const std::string& name : option.get_snames()) flags.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) flags.push_back("--" + name);
  return flags;
}

/// Text as roff prints it: a backslash and a hyphen are themselves, and no line is a request.
std::string roff(const std::string& text) {
  std::string out;
  bool begins_line = true;
  for (const char c : text) {
    if (begins_line && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') out += "\\e";
    else if (c == '-') out += "\\-";
    else out += c;
    begins_line = c == '\n';
  }
  return out;
}

/// "--out FILE" in bold and italics.
std::string heading_of(const CLI::Option& option) {
  const std::string type = option.get_expected_max() == 0 ? "" : option.get_type_name();
  if (option.get_positional()) return fmt::format(".I {}", roff(option.get_name(true)));
  const std::string flags = roff(fmt::format("{}", fmt::join(flags_of(option), ", ")));
  return type.empty() ? fmt::format(".B {}", flags) : fmt::format(".BI \"{} \" {}", flags, roff(type));
}

std::string paragraph_of(const CLI::Option& option) {
  std::string text = option.get_description();
  if (option.get_required() && !option.get_positional()) text += " (required)";
  if (!option.get_default_str().empty()) text += fmt::format(" (default: {})", option.get_default_str());
  return fmt::format(".TP\n{}\n{}\n", heading_of(option), roff(text));
}

std::string verbatim(const std::string& text) { return text.empty() ? "" : fmt::format(".PP\n.nf\n{}\n.fi\n", roff(text)); }

std::string section_of(const CLI::App& command) {
  std::string text = fmt::format(".SS assay {}\n{}.\n", roff(command.get_name()), roff(command.get_description()));
  for (const CLI::Option* option : options_of(command)) text += paragraph_of(*option);
  return text + verbatim(command.get_footer());
}

}  // namespace

std::string manual_page(const CLI::App& app, const std::string& version) {
  std::string text = fmt::format(
      ".\\\" Made by `assay describe man` of what the program says of itself.\n.TH ASSAY 1 \"\" \"KernelAssay {}\" \"User Commands\"\n"
      ".SH NAME\nassay \\- test and time compute kernels\n.SH SYNOPSIS\n.B assay\n.I command\n[options]\n.SH DESCRIPTION\n{}.\n"
      ".SH OPTIONS\n",
      roff(version), roff(app.get_description()));
  for (const CLI::Option* option : options_of(app)) text += paragraph_of(*option);
  text += ".SH COMMANDS\n";
  for (const CLI::App* command : commands_of(app)) text += section_of(*command);
  return text + fmt::format(".SH EXIT STATUS\n{}\n", roff(app.get_footer()));
}

std::string bash_completion(const CLI::App& app) {
  const auto words_of = [](const CLI::App& each) {
    std::vector<std::string> words;
    for (const CLI::Option* option : options_of(each))
      for (const std::string& flag : flags_of(*option)) words.push_back(flag);
    return words;
  };
  std::vector<std::string> first = words_of(app);
  std::string cases;
  for (const CLI::App* command : commands_of(app)) {
    first.push_back(command->get_name());
    cases += fmt::format("    {}) words='{}' ;;\n", command->get_name(), fmt::join(words_of(*command), " "));
  }
  return fmt::format(R"(# bash completion of assay. Made by `assay describe bash` of what the program says of itself.
_assay() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} words=
  COMPREPLY=()
  case ${{COMP_CWORD}}:${{COMP_WORDS[1]}} in
    1:*) words='{}'; mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current"); return ;;
  esac
  case ${{COMP_WORDS[1]}} in
{}  esac
  if [[ $current == -* ]]; then mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current"); fi
}}
complete -o default -F _assay assay
)",
                     fmt::join(first, " "), cases);
}

}  // namespace assay::command
