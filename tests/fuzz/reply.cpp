// SPDX-License-Identifier: Apache-2.0
// What a server sends: whatever it is, and in whatever pieces it comes, a reply or what is wrong with it. The first byte chooses the API,
// the second the size of the pieces.
#include "assay/generate/model.h"
#include "assay/record/printable.h"
#include "pace.h"
#include "property.h"
#include "protocol.h"

namespace assay::reply_target {
namespace {

using namespace generate;

struct Read {
  Reply reply;
  std::string fault;
};

Read read(std::string_view body, Api api, bool events, std::size_t piece) {
  constexpr std::size_t most = 1 << 20;
  ReplyReader reader(api, most);
  for (std::size_t at = 0; at < body.size(); at += piece) require(reader.take(body.substr(at, piece), events), "a small body is taken");
  Read result;
  result.fault = reader.end(result.reply);
  return result;
}

void check(std::string_view body, Api api, bool events, std::size_t piece) {
  const Read whole = read(body, api, events, body.size() + 1), pieces = read(body, api, events, piece);
  require(whole.fault == pieces.fault, "pieces make no difference to the fault", pieces.fault);
  require(whole.reply.text == pieces.reply.text, "pieces make no difference to the text", pieces.reply.text);
  require(whole.reply.finish == pieces.reply.finish, "pieces make no difference to the end", pieces.reply.finish);
  require(record::printable(whole.fault) == whole.fault, "a fault may be printed", whole.fault);
  for (const std::int64_t tokens :
       {whole.reply.usage.prompt, whole.reply.usage.cached, whole.reply.usage.completion, whole.reply.usage.reasoning})
    require(tokens >= 0 && tokens <= std::int64_t{1} << 40, "a number of tokens can be summed");
  const std::string error = error_text(body);
  require(record::printable(error) == error && error.size() < 4096, "an error is short and may be printed", error);
  error_code(body);
  if (const auto seconds = retry_after(body, 1e9)) require(*seconds >= 0, "a wait is no time before now");
}

}  // namespace

FUZZ_TARGET(reply) {
  if (size < 2) return 0;
  const auto api = data[0] % 2 == 0 ? assay::generate::Api::chat : assay::generate::Api::responses;
  check(assay::text_of(data + 2, size - 2), api, data[0] % 4 < 2, data[1] % 64 + 1);
  return 0;
}

}  // namespace assay::reply_target
