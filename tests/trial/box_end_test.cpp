// SPDX-License-Identifier: Apache-2.0
// What a box says of its end is advice: each page, also one that no honest box leaves, has its failure.
#include "box_end.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <cstring>
#include <limits>

namespace assay::trial {
namespace {

using record::Verdict;

constexpr int exited(int code) { return code << 8; }

class BoxEnd : public testing::Test {
 protected:
  /// Two inputs and an output of 40 bytes.
  Failure end(int wait_status) const {
    const wire::Buffer input{0, 1, 4032, 8, 0, 0}, output{0, 1, 4032, 40, 1, 0};
    const wire::Buffer buffers[] = {input, input, output};
    return describe_end(read_last_words(page_), buffers, wait_status, std::uint64_t{5} << 29);
  }
  std::string detail() const { return end(exited(134)).detail; }

  wire::Status page_{};
};

TEST_F(BoxEnd, OfAForbiddenCallIsPolicyWhateverThePageSays) {
  page_.fault = wire::Fault::guard;
  EXPECT_EQ(end(SIGSYS).verdict, Verdict::policy);
  EXPECT_EQ(end(exited(SIGSYS)).verdict, Verdict::out_of_bounds);
}

TEST_F(BoxEnd, OfASignalIsACrashWhateverThePageSays) {
  page_.fault = wire::Fault::input_write;
  EXPECT_EQ(end(SIGKILL).verdict, Verdict::crash);
  EXPECT_EQ(end(SIGKILL).detail, "killed by signal Killed");
}

TEST_F(BoxEnd, WithoutAFaultIsAnExit) {
  EXPECT_EQ(end(exited(0)).verdict, Verdict::crash);
  EXPECT_EQ(end(exited(7)).detail, "ended the process with status 7 in the middle of a call");
}

TEST_F(BoxEnd, NamesTheBufferAndTheByte) {
  page_.fault = wire::Fault::guard;
  page_.buffer = 2;
  page_.fault_offset = 40;
  EXPECT_EQ(end(exited(134)).verdict, Verdict::out_of_bounds);
  EXPECT_EQ(detail(), "accessed byte 40 of output 0, which has 40");
  page_.fault_offset = 0;
  EXPECT_EQ(detail(), "accessed byte 0 of output 0, which has 40");
  page_.fault_offset = -1;
  EXPECT_EQ(detail(), "accessed 1 bytes before output 0");
  page_.buffer = 1;
  EXPECT_EQ(detail(), "accessed 1 bytes before input 1");
  page_.fault = wire::Fault::input_write;
  page_.fault_offset = 4;
  EXPECT_EQ(end(exited(134)).verdict, Verdict::input_modified);
  EXPECT_EQ(detail(), "wrote to input 1 at byte 4");
  page_.fault = wire::Fault::input_piece;
  page_.fault_offset = 32768;
  EXPECT_EQ(end(exited(134)).verdict, Verdict::input_modified);
  EXPECT_EQ(detail(), "wrote to input 1, to one of the 16384 bytes from byte 32768");
}

TEST_F(BoxEnd, SaysWhatADeviceSays) {
  std::strcpy(page_.message, "accessed memory beyond its buffers");
  page_.fault = wire::Fault::unmapped;
  EXPECT_EQ(end(exited(4)).verdict, Verdict::out_of_bounds);
  EXPECT_EQ(detail(), "accessed memory beyond its buffers");
  page_.fault = wire::Fault::refused;
  EXPECT_EQ(end(exited(4)).verdict, Verdict::crash);
}

TEST_F(BoxEnd, ExplainsAlsoWhereThePageSaysNothing) {
  page_.fault = wire::Fault::unmapped;
  EXPECT_EQ(end(exited(4)).verdict, Verdict::out_of_bounds);
  EXPECT_EQ(detail(), "accessed memory beyond all buffers");
  page_.fault = wire::Fault::refused;
  EXPECT_EQ(end(exited(4)).verdict, Verdict::crash);
  EXPECT_EQ(detail(), "the call was refused, and no reason given");
}

TEST_F(BoxEnd, CountsOutputsFromZeroAlsoWithoutInputs) {
  const wire::Buffer output{0, 1, 4032, 40, 1, 0};
  const wire::Buffer buffers[] = {output, output};
  page_.fault = wire::Fault::guard;
  page_.buffer = 1;
  const Failure failure = describe_end(read_last_words(page_), buffers, exited(134), 0);
  EXPECT_EQ(failure.detail, "accessed byte 0 of output 1, which has 40");
}

TEST_F(BoxEnd, KnowsTheLowestOffset) {
  page_.fault = wire::Fault::guard;
  page_.fault_offset = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(detail(), "accessed 9223372036854775808 bytes before input 0");
}

TEST_F(BoxEnd, CallsNoBufferByNameThatThereIsNot) {
  page_.signal = SIGSEGV;
  for (const std::uint32_t buffer : {3u, 64u, 0xffffffffu})
    for (const wire::Fault fault : {wire::Fault::guard, wire::Fault::input_write, wire::Fault::input_piece}) {
      page_.fault = fault;
      page_.buffer = buffer;
      EXPECT_EQ(end(exited(139)).verdict, Verdict::crash);
      EXPECT_EQ(detail(), "Segmentation fault");
    }
}

TEST_F(BoxEnd, KnowsAnExhaustedMemory) {
  page_.fault = wire::Fault::other;
  page_.memory_exhausted = 1;
  EXPECT_EQ(end(exited(134)).verdict, Verdict::memory_limit);
  EXPECT_EQ(detail(), "allocated more memory than the limit of 2.5 GiB");
}

TEST_F(BoxEnd, KnowsTheSignalsThatThereAre) {
  page_.fault = wire::Fault::other;
  page_.signal = SIGABRT;
  EXPECT_EQ(end(exited(134)).verdict, Verdict::crash);
  EXPECT_EQ(detail(), "Aborted");
  page_.signal = SIGHUP;
  EXPECT_EQ(detail(), "Hangup");
  page_.signal = NSIG - 1;
  EXPECT_NE(detail(), "died");
  for (const std::uint32_t signal : {0u, static_cast<std::uint32_t>(NSIG), 0x80000000u, 0xffffffffu}) {
    page_.signal = signal;
    EXPECT_EQ(detail(), "died");
  }
}

TEST_F(BoxEnd, KnowsNoFaultBeyondTheLast) {
  page_.fault = static_cast<wire::Fault>(0xffffffffu);
  EXPECT_EQ(end(exited(134)).verdict, Verdict::crash);
}

TEST_F(BoxEnd, CopiesEachField) {
  page_.ready = 1, page_.fault = wire::Fault::other, page_.signal = 2, page_.buffer = 3, page_.memory_exhausted = 4;
  page_.fault_offset = 5;
  const LastWords words = read_last_words(page_);
  EXPECT_EQ(words.ready, 1u);
  EXPECT_EQ(words.fault, wire::Fault::other);
  EXPECT_EQ(words.signal, 2u);
  EXPECT_EQ(words.buffer, 3u);
  EXPECT_EQ(words.memory_exhausted, 4u);
  EXPECT_EQ(words.fault_offset, 5);
}

TEST_F(BoxEnd, ReadsAMessageToItsEndOrThePages) {
  std::memset(page_.message, 'x', sizeof page_.message);
  EXPECT_EQ(describe_failed_load(read_last_words(page_)).detail, "the library cannot be loaded: " + std::string(sizeof page_.message, 'x'));
  std::strcpy(page_.message, "no such symbol");
  const Failure failure = describe_failed_load(read_last_words(page_));
  EXPECT_EQ(failure.verdict, Verdict::crash);
  EXPECT_EQ(failure.detail, "the library cannot be loaded: no such symbol");
}

}  // namespace
}  // namespace assay::trial
