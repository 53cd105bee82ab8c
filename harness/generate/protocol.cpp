// SPDX-License-Identifier: Apache-2.0
#include "protocol.h"

#include <fmt/format.h>

#include <initializer_list>

#include "assay/record/printable.h"

namespace assay::generate {
namespace {

using nlohmann::json;
constexpr std::size_t kLongestError = 300;

/// The member at `path`; nullptr where one of them is missing or no object.
const json* member(const json& in, std::initializer_list<const char*> path) {
  const json* at = &in;
  for (const char* name : path) {
    if (!at->is_object()) return nullptr;
    const auto found = at->find(name);
    if (found == at->end()) return nullptr;
    at = &*found;
  }
  return at;
}

std::string text_at(const json& in, std::initializer_list<const char*> path) {
  const json* found = member(in, path);
  return found != nullptr && found->is_string() ? found->get<std::string>() : "";
}

std::int64_t count_at(const json& in, std::initializer_list<const char*> path) {
  constexpr std::int64_t most = std::int64_t{1} << 40;  // sums of these do not overflow
  const json* found = member(in, path);
  if (found == nullptr || !found->is_number()) return 0;
  const double value = found->get<double>();
  return value > 0 && value < static_cast<double>(most) ? static_cast<std::int64_t>(value) : 0;
}

const json* first_of(const json& in, const char* list) {
  const json* found = member(in, {list});
  return found != nullptr && found->is_array() && !found->empty() ? &found->front() : nullptr;
}

/// A string, or a list of parts with texts.
std::string content_text(const json* content) {
  if (content == nullptr) return "";
  if (content->is_string()) return content->get<std::string>();
  std::string text;
  if (content->is_array())
    for (const json& part : *content) text += text_at(part, {"text"});
  return text;
}

/// The message of an error. Nothing else of the body is looked at: its depth is the server's choice.
std::string said(const json& body) {
  std::string text;
  for (const auto& path : {std::initializer_list<const char*>{"error", "message"}, {"error"}, {"message"}, {"detail"}})
    if (text.empty()) text = text_at(body, path);
  return record::printable(record::cut_to(text, kLongestError));
}

json parsed(std::string_view text) { return json::parse(text, nullptr, false); }

}  // namespace

std::string_view path_of(Api api) { return api == Api::chat ? "/chat/completions" : "/responses"; }

std::string request_body(const Endpoint& endpoint, const Sampling& sampling, const Request& request) {
  const bool chat = endpoint.api == Api::chat;
  json body = sampling.extra;
  body["model"] = sampling.model;
  json& said = body[chat ? "messages" : "input"] = json::array();
  for (const Message& message : request.messages) said.push_back({{"role", message.role}, {"content", message.content}});
  if (sampling.temperature) body["temperature"] = *sampling.temperature;
  if (sampling.top_p) body["top_p"] = *sampling.top_p;
  if (sampling.max_tokens) body[chat ? endpoint.max_tokens_field : "max_output_tokens"] = *sampling.max_tokens;
  if (request.seed && chat) body[endpoint.seed_field] = *request.seed;
  if (!sampling.stop.empty() && chat) body["stop"] = sampling.stop;
  if (!sampling.effort.empty()) {
    if (chat) body["reasoning_effort"] = sampling.effort;
    else body["reasoning"]["effort"] = sampling.effort;
  }
  if (endpoint.stream) {
    body["stream"] = true;
    if (chat && endpoint.stream_options) body["stream_options"] = {{"include_usage", true}};
  }
  if (!chat) body["store"] = false;
  return body.dump(-1, ' ', false, json::error_handler_t::replace);
}

bool ReplyReader::take(std::string_view piece, bool events) {
  bytes_ += piece.size();
  if (too_large()) return false;
  events_ = events;
  pending_ += piece;
  if (!events) return true;
  std::size_t begin = 0;
  for (std::size_t end = pending_.find('\n', searched_); end != pending_.npos; end = pending_.find('\n', begin)) {
    std::string_view line = std::string_view(pending_).substr(begin, end - begin);
    if (line.ends_with('\r')) line.remove_suffix(1);
    begin = end + 1;
    if (line.empty()) {
      take_event(event_);
      event_.clear();
    } else if (line.starts_with("data:")) {
      line.remove_prefix(line.starts_with("data: ") ? 6 : 5);
      if (!event_.empty()) event_ += '\n';
      event_ += line;
    }
  }
  pending_.erase(0, begin);
  searched_ = pending_.size();
  return true;
}

void ReplyReader::take_event(std::string_view data) {
  if (data.empty()) return;
  something_ = true;
  if (data == "[DONE]") {
    finished_ = true;
    return;
  }
  const json event = parsed(data);
  if (!event.is_object()) {
    fault_ = "an event of the stream is no JSON object";
    return;
  }
  if (api_ == Api::responses) return take_responses_event(event);
  take_chat(event, "delta");
}

void ReplyReader::take_chat(const json& body, const char* message) {
  if (const json* error = member(body, {"error"}); error != nullptr && !error->is_null()) {
    fault_ = "the server says: " + said(body);
    return;
  }
  if (const std::string model = text_at(body, {"model"}); !model.empty()) reply_.model = model;
  if (const json* usage = member(body, {"usage"})) take_usage(*usage);
  const json* choice = first_of(body, "choices");
  if (choice == nullptr) return;
  something_ = true;
  reply_.text += content_text(member(*choice, {message, "content"}));
  reply_.reasoning += text_at(*choice, {message, "reasoning_content"});
  reply_.reasoning += text_at(*choice, {message, "reasoning"});
  if (const std::string finish = text_at(*choice, {"finish_reason"}); !finish.empty()) {
    reply_.finish = finish;
    finished_ = true;
  }
}

void ReplyReader::take_responses(const json& response) {
  if (const json* error = member(response, {"error"}); error != nullptr && !error->is_null()) fault_ = "the server says: " + said(response);
  reply_.model = text_at(response, {"model"});
  if (const json* usage = member(response, {"usage"})) take_usage(*usage);
  std::string text;
  if (const json* output = member(response, {"output"}); output != nullptr && output->is_array())
    for (const json& item : *output)
      if (text_at(item, {"type"}) == "message") text += content_text(member(item, {"content"}));
  if (!text.empty()) reply_.text = std::move(text);
  const std::string status = text_at(response, {"status"}), why = text_at(response, {"incomplete_details", "reason"});
  if (status.empty()) return;
  something_ = true;
  finished_ = status == "completed" || status == "incomplete";
  reply_.finish = status == "completed" ? "stop" : why == "max_output_tokens" ? "length" : why.empty() ? status : why;
}

void ReplyReader::take_responses_event(const json& event) {
  const std::string type = text_at(event, {"type"});
  if (type == "response.output_text.delta") reply_.text += text_at(event, {"delta"});
  else if (type == "response.reasoning_summary_text.delta" || type == "response.reasoning_text.delta")
    reply_.reasoning += text_at(event, {"delta"});
  else if (type == "response.completed" || type == "response.incomplete" || type == "response.failed") {
    if (const json* response = member(event, {"response"})) take_responses(*response);
  } else if (type == "error") {
    fault_ = "the server says: " + said(event);
  }
}

void ReplyReader::take_usage(const json& usage) {
  if (!usage.is_object()) return;
  const auto either = [&](std::initializer_list<const char*> chat, std::initializer_list<const char*> responses) {
    return count_at(usage, api_ == Api::chat ? chat : responses);
  };
  reply_.usage.prompt = either({"prompt_tokens"}, {"input_tokens"});
  reply_.usage.completion = either({"completion_tokens"}, {"output_tokens"});
  reply_.usage.cached = either({"prompt_tokens_details", "cached_tokens"}, {"input_tokens_details", "cached_tokens"});
  reply_.usage.reasoning = either({"completion_tokens_details", "reasoning_tokens"}, {"output_tokens_details", "reasoning_tokens"});
  if (const json* cost = member(usage, {"cost"}); cost != nullptr && cost->is_number()) reply_.usage.cost = cost->get<double>();
}

std::string ReplyReader::end(Reply& reply) {
  if (events_ && !event_.empty()) take_event(event_);
  if (!events_) {
    const json body = parsed(pending_);
    if (body.is_discarded()) fault_ = looks_like_html(pending_) ? "it is an HTML page" : "it is no JSON";
    else if (!body.is_object()) fault_ = "it is no JSON object";
    else if (api_ == Api::chat) take_chat(body, "message"), finished_ = true;
    else take_responses(body);
  }
  reply.text = std::move(reply_.text);
  reply.reasoning = std::move(reply_.reasoning);
  reply.finish = std::move(reply_.finish);
  reply.model = std::move(reply_.model);
  reply.usage = reply_.usage;
  if (!fault_.empty()) return fault_;
  if (!something_) return events_ ? "the stream has no event" : "there is no choice in it";
  if (!finished_) return "the stream was cut off";
  return "";
}

std::string error_text(std::string_view body) {
  if (std::string text = said(parsed(body)); !text.empty()) return text;
  return looks_like_html(body) ? "an HTML page" : record::printable(record::cut_to(body, kLongestError));
}

std::string error_code(std::string_view body) {
  const json parsed_body = parsed(body);
  const std::string code = text_at(parsed_body, {"error", "code"});
  return code.empty() ? text_at(parsed_body, {"error", "type"}) : code;
}

bool looks_like_html(std::string_view body) {
  const std::size_t at = body.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  return at != body.npos && body[at] == '<';
}

}  // namespace assay::generate
