#include "api/decoder/generation/answer_request.h"

#include <algorithm>
#include <string>
#include <utility>

#include "api/call/options.h"
#include "api/decoder/prompt.h"

namespace ambry::api {
namespace {

using io::Json;

constexpr uint64_t kMaxRequests = 10'000;

Result<std::vector<uint32_t>> checked_prompt(const generate::Generator& runtime,
                                             std::string_view text, const Json& json) {
  AMBRY_TRY(std::vector<uint32_t> ids, prompt_ids(runtime, text, json));
  const uint64_t context = runtime.decoder.context();
  if (ids.size() < context) return ids;
  return make_error(
      ErrorCode::LimitExceeded, "prompt",
      {uint64_t{ids.size()}, " tokens leave no room for an answer in a context of ", context});
}

void add_answers(std::vector<uint32_t> ids, uint64_t seed, size_t n,
                 std::vector<AnswerRequest>& requests) {
  const auto prompt = std::make_shared<const std::vector<uint32_t>>(std::move(ids));
  for (size_t i = 0; i < n; ++i) requests.push_back({prompt, seed + i});
}

Result<std::vector<uint32_t>> listed_prompt(const generate::Generator& runtime, const Json& entry,
                                            size_t i) {
  if (!entry.is_object()) {
    return make_error(ErrorCode::BadValue, {"prompts[", i, "]"}, "must be an object");
  }
  const Json* text = entry.find("text");
  const bool has_text = text != nullptr && text->is_string();
  auto ids = checked_prompt(runtime, has_text ? std::string_view(text->string()) : "", entry);
  if (ids) return ids;
  Error error = std::move(ids).error();
  constexpr std::string_view kPrompt = "prompt";
  if (std::string_view(error.path).starts_with(kPrompt)) {
    error.path = concat({"prompts[", i, "]", std::string_view(error.path).substr(kPrompt.size())});
  }
  return error;
}

}  // namespace

Result<std::vector<AnswerRequest>> read_requests(const generate::Generator& runtime,
                                                 std::string_view text, const Json& json,
                                                 const GenerateOptions& options) {
  std::vector<AnswerRequest> requests;
  const Json* prompts = json.find("prompts");
  if (prompts == nullptr || prompts->is_null()) {
    AMBRY_TRY(std::vector<uint32_t> ids, checked_prompt(runtime, text, json));
    add_answers(std::move(ids), options.sampler.seed, options.n, requests);
    return requests;
  }
  if (!prompts->is_array() || prompts->items().empty()) {
    return make_error(ErrorCode::BadValue, "prompts", "must be a list of at least one prompt");
  }
  const std::vector<Json>& list = prompts->items();
  if (list.size() > kMaxRequests / options.n) {
    return make_error(ErrorCode::LimitExceeded, "prompts",
                      {"at most ", kMaxRequests, " answers can be asked for at once"});
  }
  for (size_t i = 0; i < list.size(); ++i) {
    AMBRY_TRY(std::vector<uint32_t> ids, listed_prompt(runtime, list[i], i));
    AMBRY_TRY(const uint64_t seed, read_count(list[i], "seed", options.sampler.seed));
    add_answers(std::move(ids), seed, options.n, requests);
  }
  return requests;
}

size_t common_prefix(const std::vector<AnswerRequest>& requests) {
  const std::vector<uint32_t>& first = *requests.front().prompt;
  size_t common = first.size() - 1;
  for (const AnswerRequest& request : requests) {
    if (request.prompt == requests.front().prompt) continue;
    const std::vector<uint32_t>& other = *request.prompt;
    const auto differ = std::ranges::mismatch(first, other).in1;
    common = std::min({common, static_cast<size_t>(differ - first.begin()), other.size() - 1});
  }
  return common;
}

}  // namespace ambry::api
