// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>

#include "assay/program/commands.h"
#include "assay/program/controls.h"
#include "assay/program/object_file.h"
#include "assay/program/references.h"
#include "temporary_folder.h"

namespace assay::program {
namespace {

using problem::Problem, problem::SourceReferences, problem::TextFile;
using testing::ElementsAre, testing::HasSubstr, testing::IsEmpty;

Problem problem_of(const std::string& build, const std::string& test = "./test.out") {
  Problem problem;
  problem.type = "cuda_cpp";
  problem.context = {{"include/a.h", ""}, {"extra.cpp", ""}};
  problem.test = {{"test/one.cpp", ""}, {"test/two.cpp", ""}, {"test/data.txt", ""}};
  problem.solution = {{"solution.cpp", ""}};
  problem.build_command = build;
  problem.test_command = test;
  return problem;
}

std::string why_not(const Problem& problem) {
  try {
    commands_of(problem);
  } catch (const NotSeparable& why) {
    return why.what();
  }
  return "";
}

TEST(Commands, AreSplitAsAShellWould) {
  EXPECT_THAT(*split_words(" g++  -o 'a b' \"c d\" e\\ f"), ElementsAre("g++", "-o", "a b", "c d", "e f"));
  EXPECT_THAT(*split_words("a ''"), ElementsAre("a", ""));
  EXPECT_THAT(*split_words("a\n"), ElementsAre("a"));
  for (const char* shell : {"a && b", "a; b", "a | b", "a > b", "a $X", "\"$X\"", "a `b`", "a 'b", "a\nb", "X={1,2}"})
    EXPECT_FALSE(split_words(shell)) << shell;
}

TEST(Commands, AreTakenApart) {
  const Commands commands = commands_of(problem_of(
      "nvcc -I include -std=c++17 -Xcompiler -fopenmp -o test.out solution.cpp test/*.cpp extra.cpp -lcublas -L lib", "./test.out --x 1"));
  EXPECT_EQ(commands.build.compiler, "nvcc");
  EXPECT_THAT(commands.build.compile_flags, ElementsAre("-I", "include", "-std=c++17", "-Xcompiler", "-fopenmp"));
  EXPECT_THAT(commands.build.candidate_sources, ElementsAre("solution.cpp"));
  EXPECT_THAT(commands.build.test_sources, ElementsAre("test/one.cpp", "test/two.cpp", "extra.cpp"));
  EXPECT_THAT(commands.build.libraries, ElementsAre("-lcublas", "-L", "lib"));
  EXPECT_THAT(commands.test, ElementsAre("--x", "1"));
  EXPECT_FALSE(commands.has_benchmark);
}

TEST(Commands, OfAnotherKindAreNamed) {
  EXPECT_THAT(why_not(problem_of("make")), HasSubstr("calls make, which is no compiler"));
  EXPECT_THAT(why_not(problem_of("g++ a.cpp && g++ b.cpp")), HasSubstr("needs a shell"));
  EXPECT_THAT(why_not(problem_of("g++ -o test.out test/*.cpp")), HasSubstr("compiles no file of the solution"));
  EXPECT_THAT(why_not(problem_of("g++ -o test.out solution.cpp")), HasSubstr("compiles no file of the test"));
  EXPECT_THAT(why_not(problem_of("g++ -o test.out solution.cpp test/none*.cpp")),
              HasSubstr("names test/none*.cpp, which no file of it is"));
  EXPECT_THAT(why_not(problem_of("nvcc -rdc=true -o test.out solution.cpp test/*.cpp")), HasSubstr("has -rdc=true"));
  EXPECT_THAT(why_not(problem_of("g++ -o test.out solution.cpp test/*.cpp", "python3 x.py")), HasSubstr("does not just call ./test.out"));
  EXPECT_THAT(why_not(problem_of("g++ -o test.out solution.cpp test/*.cpp word")), HasSubstr("neither an option nor a source"));
  Problem problem = problem_of("g++ -o test.out solution.cpp test/*.cpp");
  EXPECT_EQ(why_not(problem), "");
  problem.solution.clear();
  EXPECT_THAT(why_not(problem), HasSubstr("no reference solution"));
}

std::string object_of(const std::string& source, const std::string& flags = "") {
  const TemporaryFolder folder;
  std::ofstream(folder / "a.cpp") << source;
  const std::string command = std::string(CXX) + " -c " + flags + " -o " + (folder / "a.o").string() + " " + (folder / "a.cpp").string();
  if (std::system(command.c_str()) != 0) return "";
  std::ifstream in(folder / "a.o", std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

TEST(ObjectFile, HasItsGlobalSymbols) {
  const ObjectFile object =
      parse_object(object_of("int f(); static int g; int h() { return f() + g; } inline int data = 1; int* p() { return &data; }"));
  const auto find = [&](const std::string& name) {
    for (const Symbol& symbol : object.globals)
      if (symbol.name == name) return symbol;
    return Symbol{"none"};
  };
  EXPECT_FALSE(find("_Z1fv").defined);
  EXPECT_TRUE(find("_Z1hv").defined && !find("_Z1hv").weak && !find("_Z1hv").object);
  EXPECT_TRUE(find("data").weak && find("data").object);
  EXPECT_EQ(find("g").name, "none");
  EXPECT_THAT(object.faults, IsEmpty());
}

TEST(ObjectFile, OfACheatHasAFault) {
  EXPECT_THAT(parse_object(object_of("void f() {} __attribute__((section(\".preinit_array\"), used)) void (*p)() = f;")).faults,
              Not(IsEmpty()));
  EXPECT_THAT(parse_object(object_of("extern \"C\" { static void* r() { return 0; } void f() __attribute__((ifunc(\"r\"))); }")).faults,
              Not(IsEmpty()));
  EXPECT_THAT(parse_object(object_of("__asm__(\".section .both,\\\"awx\\\"; .byte 0\");")).faults, Not(IsEmpty()));
  EXPECT_THAT(parse_object(object_of("__asm__(\".section .init; nop\");")).faults, Not(IsEmpty()));
  EXPECT_THAT(parse_object(object_of("int a;", "-flto")).faults, Not(IsEmpty()));
}

TEST(ObjectFile, IsReadInBounds) {
  const std::string whole = object_of("int f(); int h() { return f(); }");
  for (std::size_t size = 0; size < whole.size(); size += 7) try {
      parse_object(whole.substr(0, size));
    } catch (const ObjectError&) {
    }
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string broken = whole;
    broken[at] = static_cast<char>(~broken[at]);
    try {
      parse_object(broken);
    } catch (const ObjectError&) {
    }
  }
  EXPECT_THROW(parse_object("no object"), ObjectError);
}

SourceReferences all_of(std::vector<std::string> names) { return {{}, std::move(names)}; }

std::string output_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string text;
  for (int c; (c = std::fgetc(pipe.get())) != EOF;) text += static_cast<char>(c);
  return text;
}

/// What is missing of `demanded` in solution.cpp, which includes api.h, by this machine's compiler.
std::string missing_in(const std::string& source, const SourceReferences& demanded) {
  const TemporaryFolder folder;
  std::ofstream(folder / "solution.cpp", std::ios::binary) << source;
  std::ofstream(folder / "api.h") << "#define header_macro(x) x\n#define header_constant 1\nint cudaMallocHost(int);\nint cudaFree(int);\n";
  const auto preprocess = [&](const std::string& more) {
    return output_of("cd \"" + folder.path().string() + "\" && " CXX " -std=c++20 -E " + more + " solution.cpp 2>/dev/null");
  };
  return missing_reference(demanded, {{preprocess(""), [&] { return preprocess("-fdirectives-only"); }}}, {{"solution.cpp", ""}});
}

TEST(References, StandInCodeThatIsCompiled) {
  for (const char* source : {
           "int f() { return cudaMalloc(4); }",
           "int f() { return ::cudaMalloc (4); }",
           "auto f = &cudaMalloc;",
           "int f() { return cudaMall\\\noc(4); }",
           "#if 1\nint f() { return cudaMalloc(4); }\n#endif",
           "#if 0\nint a;\n#elif 1\nint f() { return cudaMalloc(4); }\n#else\nint b;\n#endif",
           "#ifndef UNDEFINED\n#if 2 > 1\nint f() { return cudaMalloc(4); }\n#endif\n#endif",
           "%:if 1\nint f() <% return cudaMalloc(4); %>\n%:endif",
           "#define CALL(x) x(4)\nint f() { return CALL(cudaMalloc); }",
           "#define CALL cudaMalloc(4)\nint f() { return CALL; }",
           "#define JOIN(a, b) a##b\nint f() { return JOIN(cuda, Malloc)(4); }",
           "/* a \" in a comment */ int f() { return cudaMalloc(4); } // \"",
           "const char* s = R\"x( \" )x\"; int f() { return cudaMalloc(4); }",
           "char c = '\"'; int f() { return cudaMalloc(4); }",
           "int n = 1'000; int f() { return cudaMalloc(4); }",
           "#line 7 \"solution.cpp\"\nint f() { return cudaMalloc(4); }",
           "#include \"api.h\"\nint f() { return cudaMalloc(4); }",
       })
    EXPECT_EQ(missing_in(source, all_of({"cudaMalloc"})), "") << source;
}

TEST(References, StandNowhereElse) {
  for (const char* source : {
           "int a;",
           "// cudaMalloc",
           "// a \\\ncudaMalloc(4)",
           "/* cudaMalloc\n cudaMalloc(4); */",
           "const char* s = \"cudaMalloc\";",
           "const char* s = u8\"cudaMalloc\";",
           "const char* s = \"a \\\ncudaMalloc\";",
           "const char* s = R\"(cudaMalloc)\";",
           "const char* s = R\"x()\" cudaMalloc )x\";",
           "const char* s = LR\"(\ncudaMalloc(4)\n)\";",
           "int c = 'cudaMalloc';",
           "int cudaMallocAsync, my_cudaMalloc, cudaMalloc_, cudaMalloc2;",
           "#if 0\ncudaMalloc(4);\n#endif",
           "#ifdef UNDEFINED\ncudaMalloc(4);\n#endif",
           "#ifndef __cplusplus\ncudaMalloc(4);\n#endif",
           "#if 0\n#if 1\ncudaMalloc(4);\n#endif\n#else\nint a;\n#endif",
           "#if 1\nint a;\n#elif 1\ncudaMalloc(4);\n#else\ncudaMalloc(4);\n#endif",
           "#if 0\n#elif defined(UNDEFINED) || 0\ncudaMalloc(4);\n#endif",
           "#if 0 // \\\n1\ncudaMalloc(4);\n#endif",
           "%:if 0\ncudaMalloc(4);\n%:endif",
           "#define X cudaMalloc",
           "#define X(a) \\\n  cudaMalloc(a)\nint a;",
           "#define X \"cudaMalloc\"\nconst char* s = X;",
           "#define TEXT(x) #x\nconst char* s = TEXT(cudaMalloc);",
           "#define DROP(x)\nDROP(cudaMalloc)",
           "#define JOIN(a, b) a##b\nint JOIN(cudaMalloc, Async);",
           "#define cudaMalloc other\nint f() { return cudaMalloc(4); }",
           "#undef cudaMalloc",
           "#pragma cudaMalloc",
           "_Pragma(\"cudaMalloc\") int a;",
           "#include \"api.h\"",
           "#if __has_include(\"cudaMalloc\")\n#endif",
           // Lines of a text that look like the preprocessor's own.
           "#line 1 \"other.h\"\nconst char* s = R\"(\n# 1 \"solution.cpp\"\ncudaMalloc(4)\n)\";",
           "#line 1 \"other.h\"\nconst char* s = \"\\\n# 1 \\\"solution.cpp\\\" cudaMalloc\";",
       })
    EXPECT_EQ(missing_in(source, all_of({"cudaMalloc"})), "names no cudaMalloc") << source;
}

TEST(References, OfSeveralWordsAndOfMacros) {
  EXPECT_EQ(missing_in("thrust::sort(a, b)", all_of({"thrust::sort"})), "");
  EXPECT_EQ(missing_in("thrust :: reduce<int>(a, b)", all_of({"thrust::reduce"})), "");
  EXPECT_EQ(missing_in("using namespace thrust; int a = sort(b);", all_of({"thrust::sort"})), "names no thrust::sort");
  EXPECT_EQ(missing_in("#include \"api.h\"\nint a = header_macro(1) + header_constant;", all_of({"header_macro", "header_constant"})), "");
  EXPECT_EQ(missing_in("#include \"api.h\"\n#if 0\nheader_macro(1)\n#endif", all_of({"header_macro"})), "names no header_macro");
  EXPECT_EQ(missing_in("#define own_macro(x) x\nint a = own_macro(1);", all_of({"own_macro"})), "names no own_macro");
  EXPECT_EQ(missing_in("int a = b();", {std::vector<std::string>{"a2", "b"}, {}}), "");
  EXPECT_EQ(missing_in("int a = c();", {std::vector<std::string>{"a2", "b"}, {}}), "names none of a2, b");
  EXPECT_EQ(missing_in("", {std::vector<std::string>{}, {}}), "");
}

TEST(References, OfThePublishedRuleStandInOtherPlacesToo) {
  const auto matches = [](const char* text) { return matches_as_published(all_of({"cudaMalloc"}), {{"a.cu", text}}); };
  for (const char* text : {"cudaMalloc(p)", "\"cudaMalloc\"", "#define X cudaMalloc\n", "#if 0\ncudaMalloc\n#endif\n"})
    EXPECT_TRUE(matches(text)) << text;
  for (const char* text : {"// cudaMalloc", "\"a cudaMalloc\"", "cudaMallocAsync(p)"}) EXPECT_FALSE(matches(text)) << text;
}

TEST(Controls, EmptyWhatTheReferenceDoes) {
  Problem problem;
  problem.solution = {
      {"a.cpp",
       "#include <x>\nint f(int a) { return a; }\nnamespace n {\nvoid* g() { return 0; }\n__global__ void k(float* p) { *p = 1; }\n}\n"
       "A::A(int b) : b_(b) { go(); }\nA::~A() { stop(); }\n"}};
  EXPECT_EQ(emptied(problem, {"_Z1fi"}).front().text,
            "#include <x>\nint f(int a) { return {}; }\nnamespace n {\nvoid* g() { return {}; }\n__global__ void k(float* p) {}\n}\n"
            "A::A(int b) : b_(b) {}\nA::~A() {}\n");
  EXPECT_THAT(emptied(problem, {"_Z5otherv"}), IsEmpty());
}

}  // namespace
}  // namespace assay::program
