// SPDX-License-Identifier: Apache-2.0
// `assay describe`: for the build, which installs what it prints.
#include <fmt/format.h>

#include <memory>

#include "assay/spec/whole_file.h"
#include "commands.h"
#include "manual.h"

namespace assay::command {

static void add_describe_command(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand("describe", "print the man page, or the completion script of a shell");
  auto what = std::make_shared<std::string>(), out = std::make_shared<std::string>();
  command->add_option("what", *what, "man or bash")->required()->check(CLI::IsMember({"man", "bash"}));
  command->add_option("--out", *out, "file to write (default: standard output)")->type_name("FILE");
  command->callback([what, out, &app] {
    const std::string text = *what == "man" ? manual_page(app, ASSAY_VERSION) : bash_completion(app);
    if (out->empty()) fmt::print("{}", text);
    else spec::write_whole_file("describe", *out, text);
  });
}
static const bool describe_defined = define_command("describe", add_describe_command, Caller::build);

}  // namespace assay::command
