// SPDX-License-Identifier: Apache-2.0
// One walk over the syntax tree; each node is offered to the functions of the kinds, below in the order of
// enum Kind. libclang before 17 does not say which operator a node has: it is the text between the operands.
#include "find_mutations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>

#include "collector.h"
#include "expression_text.h"

namespace assay {
namespace {

/// Where in the tree a node lies.
struct Place {
  std::string function = "(file)";
  std::vector<CXCursor> parameters;  ///< of that function
  CXCursor parent = clang_getNullCursor();
};

bool is(CXCursor cursor, CXCursorKind kind) { return clang_getCursorKind(cursor) == kind; }

bool is_any(const std::string& name, std::initializer_list<const char*> names) { return std::ranges::find(names, name) != names.end(); }

class Finder {
 public:
  explicit Finder(const Source& source) : source_(source), collected_(source) {}

  std::vector<Mutation> all() {
    for (CXCursor child : children(source_.root()))
      if (source_.holds(child)) visit(child, Place{});
    return collected_.take();
  }

 private:
  void visit(CXCursor cursor, Place place) {
    const CXCursorKind kind = clang_getCursorKind(cursor);
    if (clang_isAttribute(kind) != 0 || is(cursor, CXCursor_FieldDecl)) return;
    if (!source_.holds(cursor) && clang_isExpression(kind) == 0) return;
    if (kind == CXCursor_FunctionDecl || kind == CXCursor_FunctionTemplate || kind == CXCursor_CXXMethod) enter(cursor, place);
    if (source_.holds(cursor)) offer(cursor, place);
    const bool array = kind == CXCursor_VarDecl && clang_getArrayElementType(clang_getCursorType(cursor)).kind != CXType_Invalid;
    place.parent = cursor;
    for (CXCursor child : children(cursor))
      if (!(array && clang_isExpression(clang_getCursorKind(child)) != 0 && before_name_ends(cursor, child))) visit(child, place);
  }

  void enter(CXCursor function, Place& place) {
    place.function = spelling(function);
    place.parameters.clear();
    for (CXCursor child : children(function))
      if (is(child, CXCursor_ParmDecl)) place.parameters.push_back(child);
  }

  void offer(CXCursor cursor, const Place& place) {
    drop(cursor, place);
    switch (clang_getCursorKind(cursor)) {
      case CXCursor_ForStmt: change_bounds(cursor, place); break;
      case CXCursor_BinaryOperator:
      case CXCursor_CompoundAssignOperator:
        change_comparison(cursor, place);
        change_operator(cursor, place);
        round_assigned(cursor, place);
        break;
      case CXCursor_UnaryOperator: drop_sign(cursor, place); break;
      case CXCursor_ArraySubscriptExpr: change_index(children(cursor).back(), place); break;
      case CXCursor_DeclRefExpr: change_variable(cursor, place); break;
      case CXCursor_IntegerLiteral:
      case CXCursor_FloatingLiteral:
      case CXCursor_CXXBoolLiteralExpr: change_constant(cursor, place); break;
      case CXCursor_VarDecl: change_type(cursor, place); break;
      case CXCursor_ConditionalOperator: swap_arms(cursor, place); break;
      case CXCursor_CallExpr: change_call(cursor, place); break;
      default: break;
    }
  }

  // comparison

  void change_comparison(CXCursor cursor, const Place& place) {
    static const std::map<std::string, std::string> other = {{"<", "<="}, {"<=", "<"},  {">", ">="},
                                                             {">=", ">"}, {"==", "!="}, {"!=", "=="}};
    const Range at = operator_range(cursor);
    if (const auto found = other.find(std::string(source_.text(at))); found != other.end()) add(Kind::comparison, place, at, found->second);
  }

  // bound: start, limit and step of a for loop

  void change_bounds(CXCursor loop, const Place& place) {
    const std::vector<CXCursor> parts = children(loop);
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
      const CXCursor part = unwrapped(parts[i]);
      if (is(part, CXCursor_DeclStmt)) change_start(part, place);
      else if (is(part, CXCursor_CompoundAssignOperator)) change_step(part, place);
      else if (is(part, CXCursor_BinaryOperator)) change_limit(part, place);
    }
  }

  void change_start(CXCursor declaration, const Place& place) {
    for (CXCursor variable : children(declaration)) {
      const std::vector<CXCursor> parts = children(variable);
      if (parts.empty() || !is_integer(clang_getCursorType(variable))) continue;
      const CXCursor start = parts.back();
      if (clang_isExpression(clang_getCursorKind(start)) != 0) add(Kind::bound, place, source_.range(start), one_more(source_.text(start)));
    }
  }

  void change_limit(CXCursor condition, const Place& place) {
    const Range at = operator_range(condition);
    const std::string op(source_.text(at));
    if (!is_any(op, {"<", "<=", ">", ">="})) return;
    add(Kind::bound, place, at, op.size() == 1 ? op + "=" : op.substr(0, 1));
    const CXCursor limit = children(condition).back();
    const bool rises = op.front() == '<';
    add(Kind::bound, place, source_.range(limit), rises ? operand(source_.text(limit)) + " - 1" : one_more(source_.text(limit)));
  }

  void change_step(CXCursor step, const Place& place) {
    const CXCursor amount = children(step).back();
    if (is_integer(clang_getCursorType(amount))) add(Kind::bound, place, source_.range(amount), one_more(source_.text(amount)));
  }

  // index: the neighbouring element, or another parameter of the same type

  void change_index(CXCursor index, const Place& place) {
    const Range at = source_.range(index);
    add(Kind::index, place, at, one_more(source_.text(at)));
  }

  /// A parameter, or a local constant, becomes another parameter.
  void change_variable(CXCursor reference, const Place& place) {
    const CXCursor variable = clang_getCursorReferenced(reference);
    const CXType type = clang_getCursorType(variable);
    const bool constant = is(variable, CXCursor_VarDecl) && clang_isConstQualifiedType(type) != 0 && place.function != "(file)";
    if (!is(variable, CXCursor_ParmDecl) && !constant) return;
    for (CXCursor parameter : place.parameters)
      if (clang_equalCursors(parameter, variable) == 0 && plain_type(clang_getCursorType(parameter)) == plain_type(type))
        add(Kind::index, place, source_.range(reference), spelling(parameter));
  }

  // constant

  void change_constant(CXCursor literal, const Place& place) {
    const Range at = source_.range(literal);
    const std::string text(source_.text(at));
    if (text == "true" || text == "false") return add(Kind::constant, place, at, text == "true" ? "false" : "true");
    if (is(literal, CXCursor_IntegerLiteral)) return add(Kind::constant, place, at, one_more(text));
    const double value = std::strtod(text.c_str(), nullptr);
    const char* suffix = text.back() == 'f' ? "f" : "";
    if (value == 0) return add(Kind::constant, place, at, fmt::format("1.0{}", suffix));
    if (value < 1e-3) return add(Kind::constant, place, at, fmt::format("(10.0{} * {})", suffix, text));
    add(Kind::constant, place, at, fmt::format("(1.01{} * {})", suffix, text));
    add(Kind::constant, place, at, fmt::format("(2.0{} * {})", suffix, text));
  }

  // dropped statement: an assignment or a call that stands alone

  void drop(CXCursor cursor, const Place& place) {
    const CXCursorKind parent = clang_getCursorKind(place.parent);
    const bool last = is_any_of(parent, {CXCursor_ForStmt, CXCursor_IfStmt, CXCursor_CXXForRangeStmt}) &&
                      clang_equalCursors(children(place.parent).back(), cursor) != 0;
    if (parent != CXCursor_CompoundStmt && !last) return;
    const CXCursor statement = unwrapped(cursor);
    const bool assigns = is(statement, CXCursor_BinaryOperator) && source_.text(operator_range(statement)) == "=";
    if (assigns || is(statement, CXCursor_CompoundAssignOperator) || is(statement, CXCursor_CallExpr))
      add(Kind::dropped, place, source_.range(cursor), "");
  }

  // operation

  void change_operator(CXCursor cursor, const Place& place) {
    static const std::map<std::string, std::string> other = {{"+", "-"},   {"-", "+"},   {"*", "+"},   {"/", "*"},   {"%", "/"},
                                                             {"&&", "||"}, {"||", "&&"}, {"&", "|"},   {"|", "&"},   {"<<", ">>"},
                                                             {">>", "<<"}, {"+=", "-="}, {"-=", "+="}, {"*=", "+="}, {"/=", "*="}};
    // A pointer that moves the other way leaves its buffer: any judge notices.
    if (clang_getCanonicalType(clang_getCursorType(cursor)).kind == CXType_Pointer) return;
    const Range at = operator_range(cursor);
    if (const auto found = other.find(std::string(source_.text(at))); found != other.end()) add(Kind::operation, place, at, found->second);
  }

  void drop_sign(CXCursor cursor, const Place& place) {
    const Range whole = source_.range(cursor);
    const std::string_view text = source_.text(whole);
    if ((text.front() == '-' && !text.starts_with("--")) || text.front() == '!')
      add(Kind::operation, place, {whole.begin, whole.begin + 1}, "");
  }

  void change_function(CXCursor call, const Place& place) {
    static const std::map<std::string, std::string> other = {{"min", "max"}, {"max", "min"}, {"floor", "ceil"}, {"sqrt", "abs"}};
    const auto found = other.find(spelling(call));
    if (found == other.end()) return;
    const Range whole = source_.range(call);
    const std::size_t at = source_.text(whole).find(found->first);
    if (at != std::string_view::npos)
      add(Kind::operation, place, {whole.begin + at, whole.begin + at + found->first.size()}, found->second);
  }

  // type: less precision or range

  void change_type(CXCursor variable, const Place& place) {
    CXType type = clang_getCursorType(variable);
    while (clang_getArrayElementType(type).kind != CXType_Invalid) type = clang_getArrayElementType(type);
    const std::string narrow = narrower(type);
    if (narrow.empty()) return;
    const Range whole = source_.range(variable);
    for (const std::string_view wide : {"float", "double", "int64_t", "int32_t", "int"}) {
      const std::string_view text = source_.text(whole);
      const std::size_t at = text.find(fmt::format("{} ", wide));
      if (at == 0 || (at != text.npos && text.substr(0, at).find_first_of("=({[") == text.npos && text[at - 1] == ' '))
        return add(Kind::type, place, {whole.begin + at, whole.begin + at + wide.size()}, narrow);
    }
  }

  /// The value of an assignment passes through bfloat16 (from float, cut off) or float16 (from double).
  void round_assigned(CXCursor cursor, const Place& place) {
    const std::string op(source_.text(operator_range(cursor)));
    if (!is_any(op, {"=", "+=", "-=", "*="})) return;
    const std::vector<CXCursor> sides = children(cursor);
    const std::string type = plain_type(clang_getCursorType(sides.front()));
    const std::string_view value = source_.text(sides.back());
    if (type == "float")
      add(Kind::type, place, source_.range(sides.back()),
          fmt::format("__builtin_bit_cast(float, __builtin_bit_cast(unsigned, static_cast<float>({})) & 0xffff0000u)", value));
    if (type == "double") add(Kind::type, place, source_.range(sides.back()), fmt::format("static_cast<_Float16>({})", value));
  }

  // arguments: two of the same type change places

  void change_call(CXCursor call, const Place& place) {
    if (spelling(call) == "operator[]") return change_index(clang_Cursor_getArgument(call, 1), place);
    if (spelling(call).starts_with("operator")) return;
    change_function(call, place);
    if (is_any(spelling(call), {"min", "max"})) return;  // symmetric
    const int count = clang_Cursor_getNumArguments(call);
    for (int i = 0; i < count; ++i)
      for (int j = i + 1; j < count; ++j)
        swap(clang_Cursor_getArgument(call, static_cast<unsigned>(i)), clang_Cursor_getArgument(call, static_cast<unsigned>(j)), place);
  }

  void swap_arms(CXCursor conditional, const Place& place) {
    const std::vector<CXCursor> parts = children(conditional);
    if (parts.size() == 3) swap(parts[1], parts[2], place);
  }

  void swap(CXCursor first, CXCursor second, const Place& place) {
    const Range a = source_.range(first), b = source_.range(second);
    if (a.end > b.begin || a.begin == a.end || b.begin == b.end) return;  // a default argument has no text
    if (plain_type(clang_getCursorType(first)) != plain_type(clang_getCursorType(second))) return;
    add(Kind::arguments, place, {a.begin, b.end}, fmt::format("{}{}{}", source_.text(b), source_.text({a.end, b.begin}), source_.text(a)));
  }

  // what the kinds share

  Range operator_range(CXCursor cursor) const {
    const std::vector<CXCursor> sides = children(cursor);
    if (sides.size() != 2) return {0, 0};
    Range at{source_.range(sides[0]).end, source_.range(sides[1]).begin};
    if (at.begin > at.end) return {0, 0};
    const auto space = [&](std::size_t i) { return std::isspace(static_cast<unsigned char>(source_.text()[i])) != 0; };
    while (at.begin < at.end && space(at.begin)) ++at.begin;
    while (at.begin < at.end && space(at.end - 1)) --at.end;
    return at;
  }

  static bool is_any_of(CXCursorKind kind, std::initializer_list<CXCursorKind> kinds) {
    return std::ranges::find(kinds, kind) != kinds.end();
  }

  static bool is_integer(CXType type) { return narrower(type) == "int8_t"; }

  /// Empty for what is neither a number nor wider than eight bits.
  static std::string narrower(CXType type) {
    switch (clang_getCanonicalType(type).kind) {
      case CXType_Float:
      case CXType_Double: return "_Float16";
      case CXType_Int:
      case CXType_Long:
      case CXType_LongLong: return "int8_t";
      default: return "";
    }
  }

  /// The extents of an array stand before its initialiser: a larger array is no fault.
  bool before_name_ends(CXCursor variable, CXCursor child) const {
    const Range whole = source_.range(variable);
    const std::size_t begin = source_.range(child).begin;
    return source_.text({whole.begin, std::max(whole.begin, begin)}).find_first_of("={") == std::string_view::npos;
  }

  void add(Kind kind, const Place& place, Range at, const std::string& replacement) {
    collected_.add(kind, place.function, at, replacement);
  }

  const Source& source_;
  Collector collected_;
};

}  // namespace

std::vector<Mutation> find_mutations(const Source& source) { return Finder(source).all(); }

std::string apply(const Source& source, const Mutation& mutation) {
  std::string text = source.text();
  return text.replace(mutation.offset, mutation.length, mutation.replacement);
}

}  // namespace assay
