#include "generate/answer/answer_request.h"

#include <algorithm>
#include <utility>

namespace ambry::generate {
namespace {

constexpr uint64_t kMaxRequests = 10'000;

Result<void> add_answers(const Generator& generator, const ListedPrompt& listed, const Text& path,
                         const GenerateOptions& options, std::vector<AnswerRequest>& requests) {
  const uint64_t context = generator.decoder.context();
  AMBRY_TRY(std::vector<uint32_t> ids,
            prompt_ids(generator, listed.prompt, path, static_cast<size_t>(context)));
  if (ids.size() >= context) {
    return make_error(ErrorCode::LimitExceeded, path,
                      {ids.size() > 2 * context ? "at least " : "", uint64_t{ids.size()},
                       " tokens leave no room for an answer in a context of ", context});
  }
  const auto prompt = std::make_shared<const std::vector<uint32_t>>(std::move(ids));
  const uint64_t seed = listed.seed.value_or(options.sampler.seed);
  for (uint64_t i = 0; i < options.n; ++i) requests.push_back({prompt, seed + i});
  return {};
}

}  // namespace

Result<std::vector<AnswerRequest>> requests_of(const Generator& generator, const Prompt& prompt,
                                               const GenerateOptions& options) {
  std::vector<AnswerRequest> requests;
  AMBRY_RETURN_IF_ERROR(add_answers(generator, {prompt}, "prompt", options, requests));
  return requests;
}

Result<std::vector<AnswerRequest>> requests_of(const Generator& generator,
                                               std::span<const ListedPrompt> prompts,
                                               const GenerateOptions& options) {
  if (prompts.empty()) {
    return make_error(ErrorCode::BadValue, "prompts", "must be a list of at least one prompt");
  }
  if (prompts.size() > kMaxRequests / options.n) {
    return make_error(ErrorCode::LimitExceeded, "prompts",
                      {"at most ", kMaxRequests, " answers can be asked for at once"});
  }
  std::vector<AnswerRequest> requests;
  for (size_t i = 0; i < prompts.size(); ++i) {
    AMBRY_RETURN_IF_ERROR(
        add_answers(generator, prompts[i], {"prompts[", i, "]"}, options, requests));
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

}  // namespace ambry::generate
