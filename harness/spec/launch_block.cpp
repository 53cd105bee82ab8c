// SPDX-License-Identifier: Apache-2.0
// Reads the statements of a launch block: scratch and kernel. Names of arguments are looked up last, when all
// scratch is known.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <ranges>
#include <span>
#include <utility>

#include "launch_expression.h"
#include "launch_plan.h"
#include "launch_source.h"

namespace assay::spec {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 20;
constexpr std::size_t kMostLaunches = 32, kMostScratch = 64, kMostArguments = 32, kMostSizes = 3;

struct TypeName {
  std::string_view name;
  ElementType type;
};
constexpr TypeName kTypeNames[] = {{"float", ElementType::f32},     {"double", ElementType::f64}, {"half", ElementType::f16},
                                   {"bfloat16", ElementType::bf16}, {"char", ElementType::i8},    {"uchar", ElementType::u8},
                                   {"short", ElementType::i16},     {"ushort", ElementType::u16}, {"int", ElementType::i32},
                                   {"uint", ElementType::u32},      {"long", ElementType::i64},   {"ulong", ElementType::u64}};

/// By buffer: the task's inputs, then its outputs. An output that is written over an input has that one's name, and the input none.
std::vector<std::string> tensor_names(const Task& task) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < task.model.inputs.size(); ++i) names.push_back(task.is_overwritten(i) ? "" : task.model.inputs[i].name);
  for (std::size_t i = 0; i < task.model.outputs.size(); ++i) names.push_back(task.buffer_name(i));
  return names;
}

/// "known: tensors x y, scratch partial, dimensions N C".
std::string known_names(const std::vector<std::string>& tensors, const LaunchBlock& block) {
  constexpr std::size_t most = 16;
  std::vector<std::string> scratch;
  for (std::size_t i = 0; i < std::min(most, block.scratch.size()); ++i) scratch.push_back(quotation(block.scratch[i].name));
  if (block.scratch.size() > most) scratch.push_back("...");
  std::vector<std::string> kinds;
  const auto is_named = [](const std::string& name) { return !name.empty(); };
  for (const auto& [kind, names] : {std::pair{"tensors", &tensors}, {"scratch", &scratch}, {"dimensions", &block.dims}})
    if (!names->empty()) kinds.push_back(fmt::format("{} {}", kind, fmt::join(*names | std::views::filter(is_named), " ")));
  return fmt::format("known: {}", fmt::join(kinds, ", "));
}

class BlockReader {
 public:
  BlockReader(std::span<const LaunchToken> tokens, const Task& task) : tokens_(tokens), tensors_(tensor_names(task)) {
    block_.dims = task.dims;
  }

  LaunchBlock read() {
    while (tokens_.next().kind != LaunchToken::Kind::end) read_statement();
    if (block_.kernels.empty()) tokens_.fail("the launch block", "at least one 'kernel <name> global [...] (...)'");
    for (const NamedArgument& named : named_arguments_) look_up(named);
    return std::move(block_);
  }

 private:
  /// An argument that is a name, which is looked up when all names are known.
  struct NamedArgument {
    std::size_t launch, argument;
    LaunchToken name;
  };

  void read_statement() {
    if (tokens_.sees("scratch")) read_scratch();
    else if (tokens_.sees("kernel")) read_kernel();
    else tokens_.fail("the launch block", "a statement, 'scratch' or 'kernel'");
  }

  LaunchToken take_name(const std::string& who) {
    if (tokens_.next().kind != LaunchToken::Kind::word) tokens_.fail(who, "a name");
    return tokens_.take();
  }

  ElementType take_type(const std::string& who) {
    const auto type = std::ranges::find(kTypeNames, tokens_.next().text, &TypeName::name);
    if (type == std::end(kTypeNames)) tokens_.fail(who, "a type, 'float double half bfloat16 char uchar short ushort int uint long ulong'");
    tokens_.take();
    return type->type;
  }

  LaunchExpression read_bracketed(const std::string& open, const std::string& close, const std::string& who) {
    tokens_.take(open, who);
    LaunchExpression expression = read_expression(tokens_, block_.dims, who);
    tokens_.take(close, who);
    return expression;
  }

  void read_scratch() {
    tokens_.take();
    const LaunchToken name = take_name("scratch");
    const std::string who = "scratch " + quotation(name.text);
    require_new(name, who);
    if (block_.scratch.size() == kMostScratch)
      throw LaunchError(name.at, fmt::format("{}: more than {} scratch buffers", who, kMostScratch));
    tokens_.take(":", who);
    const ElementType type = take_type(who);
    LaunchExpression count = read_bracketed("[", "]", who);
    block_.scratch.push_back({std::string(name.text), type, std::move(count), name.at, tokens_.take_if("zero")});
  }

  void require_new(const LaunchToken& name, const std::string& who) const {
    const auto require = [&](bool is_new, const char* what) {
      if (!is_new) throw LaunchError(name.at, fmt::format("{}: {} has that name. do: give it another one", who, what));
    };
    require(std::ranges::find(tensors_, name.text) == tensors_.end(), "a tensor of the task");
    require(std::ranges::find(block_.dims, name.text) == block_.dims.end(), "a dimension of the task");
    require(std::ranges::find(block_.scratch, name.text, &ScratchBuffer::name) == block_.scratch.end(), "another scratch buffer");
  }

  void read_kernel() {
    const SourcePosition at = tokens_.take().at;
    const LaunchToken name = take_name("kernel");
    const std::string who = "kernel " + quotation(name.text);
    if (block_.kernels.size() == kMostLaunches) throw LaunchError(at, fmt::format("{}: more than {} launches", who, kMostLaunches));
    KernelLaunch& launch = block_.kernels.emplace_back();
    launch.kernel = name.text;
    launch.at = at;
    if (tokens_.take_if("grid")) read_grid(launch, who);
    else read_range(launch, who);
    if (tokens_.take_if("shared")) launch.shared = read_bracketed("[", "]", who);
    read_arguments(launch, who);
  }

  void read_range(KernelLaunch& launch, const std::string& who) {
    tokens_.take("global", who);
    launch.global = read_sizes(who);
    const SourcePosition local = tokens_.next().at;
    if (!tokens_.take_if("local")) return;
    launch.local = read_sizes(who);
    if (launch.local.size() != launch.global.size())
      throw LaunchError(local, fmt::format("{}: global and local must have as many sizes as each other. got: {} and {}", who,
                                           launch.global.size(), launch.local.size()));
  }

  /// As CUDA has it: a size that is not there is 1.
  void read_grid(KernelLaunch& launch, const std::string& who) {
    launch.counts_groups = true;
    launch.global = read_sizes(who);
    tokens_.take("block", who);
    launch.local = read_sizes(who);
    if (tokens_.take_if("cluster")) launch.cluster = read_sizes(who);
    const std::size_t rank = std::max({launch.global.size(), launch.local.size(), launch.cluster.size()});
    const LaunchExpression one{launch.at, "1", {{LaunchStep::Kind::number, launch.at, 1}}};
    launch.global.resize(rank, one);
    launch.local.resize(rank, one);
    if (!launch.cluster.empty()) launch.cluster.resize(rank, one);
  }

  std::vector<LaunchExpression> read_sizes(const std::string& who) {
    std::vector<LaunchExpression> sizes;
    tokens_.take("[", who);
    do {
      if (sizes.size() == kMostSizes) throw LaunchError(tokens_.next().at, fmt::format("{}: more than {} sizes", who, kMostSizes));
      sizes.push_back(read_expression(tokens_, block_.dims, who));
    } while (tokens_.take_if(","));
    tokens_.take("]", who);
    return sizes;
  }

  void read_arguments(KernelLaunch& launch, const std::string& who) {
    tokens_.take("(", who);
    if (tokens_.take_if(")")) return;
    do {
      if (launch.arguments.size() == kMostArguments)
        throw LaunchError(tokens_.next().at, fmt::format("{}: more than {} arguments", who, kMostArguments));
      launch.arguments.push_back(read_argument(launch, who));
    } while (tokens_.take_if(","));
    tokens_.take(")", who);
  }

  /// A word of the grammar is a name where what follows it does not make it one of the grammar's forms.
  LaunchArgument read_argument(const KernelLaunch& launch, const std::string& who) {
    using Kind = LaunchArgument::Kind;
    const SourcePosition at = tokens_.next().at;
    LaunchArgument argument;
    argument.at = at;
    const bool call = tokens_.after_next().text == "(";
    if (call && (tokens_.sees("int") || tokens_.sees("long"))) {
      argument.kind = tokens_.take().text == "int" ? Kind::i32 : Kind::i64;
      argument.value = read_bracketed("(", ")", who);
    } else if (tokens_.sees("local") && tokens_.after_next().kind == LaunchToken::Kind::word) {
      tokens_.take();
      argument.kind = Kind::local;
      argument.type = take_type(who);
      argument.value = read_bracketed("[", "]", who);
    } else if (tokens_.next().kind == LaunchToken::Kind::word) {
      named_arguments_.push_back({block_.kernels.size() - 1, launch.arguments.size(), tokens_.take()});
    } else {
      tokens_.fail(who, "an argument: a name, 'int(...)', 'long(...)' or 'local <type>[...]'");
    }
    return argument;
  }

  /// First a tensor, then scratch, then a dimension.
  void look_up(const NamedArgument& named) {
    KernelLaunch& launch = block_.kernels[named.launch];
    LaunchArgument& argument = launch.arguments[named.argument];
    const std::string_view name = named.name.text;
    const auto tensor = std::ranges::find(tensors_, name);
    const auto scratch = std::ranges::find(block_.scratch, name, &ScratchBuffer::name);
    const auto dim = std::ranges::find(block_.dims, name);
    if (tensor != tensors_.end()) {
      argument.buffer = static_cast<std::size_t>(tensor - tensors_.begin());
    } else if (scratch != block_.scratch.end()) {
      argument.buffer = tensors_.size() + static_cast<std::size_t>(scratch - block_.scratch.begin());
    } else if (dim != block_.dims.end()) {
      argument.kind = LaunchArgument::Kind::i64;
      argument.value = {argument.at, *dim, {{LaunchStep::Kind::dimension, argument.at, dim - block_.dims.begin()}}};
    } else {
      throw LaunchError(argument.at, fmt::format("kernel {}: unknown name. got: {}. {}", quotation(launch.kernel), quotation(name),
                                                 known_names(tensors_, block_)));
    }
  }

  LaunchTokens tokens_;
  std::vector<std::string> tensors_;
  LaunchBlock block_;
  std::vector<NamedArgument> named_arguments_;
};

void require_defined(std::string_view source, const LaunchBlock& block) {
  const std::vector<std::string> absent = absent_names(source, kernel_names(block));
  for (const KernelLaunch& launch : block.kernels)
    if (std::ranges::find(absent, launch.kernel) != absent.end())
      throw LaunchError(launch.at,
                        fmt::format("kernel {}: the file does not define it. do: define a kernel of that name", quotation(launch.kernel)));
}

}  // namespace

LaunchBlock parse_launch_block(std::string_view source, const Task& task) {
  if (source.size() > kMostBytes)
    throw LaunchError({}, fmt::format("the file is too long. got: {} bytes. do: at most {}", source.size(), kMostBytes));
  const std::vector<LaunchToken> tokens = launch_tokens(source);
  LaunchBlock block = BlockReader(tokens, task).read();
  require_sound_constants(block);
  require_defined(source, block);
  return block;
}

std::vector<std::string> kernel_names(const LaunchBlock& block) {
  std::vector<std::string> names;
  for (const KernelLaunch& launch : block.kernels)
    if (std::ranges::find(names, launch.kernel) == names.end()) names.push_back(launch.kernel);
  return names;
}

}  // namespace assay::spec
