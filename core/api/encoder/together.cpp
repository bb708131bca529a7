#include "api/encoder/together.h"

namespace ambry::api {

Result<void> start_together(const JobsTogether& jobs) {
  AMBRY_RETURN_IF_ERROR(jobs.texts.start());
  const infer::TokenBatches& tokens = jobs.texts.tokens();
  if (jobs.words != nullptr) jobs.words->expect(tokens.size());
  return jobs.tokens == nullptr ? Result<void>() : jobs.tokens->lay_out_rows(tokens);
}

Result<size_t> step_together(const JobsTogether& jobs) {
  infer::TokenBatches& tokens = jobs.texts.tokens();
  const auto write = [&](uint32_t text, std::span<const float> hidden) -> Result<void> {
    const std::span<const uint32_t> ids = tokens.ids(text);
    jobs.texts.write_rows(text, hidden);
    if (jobs.words != nullptr) AMBRY_RETURN_IF_ERROR(jobs.words->add_text(text, ids, hidden));
    return jobs.tokens == nullptr ? Result<void>() : jobs.tokens->write_rows(text, ids, hidden);
  };
  AMBRY_TRY(const bool done, tokens.step(jobs.texts.encoder(), false, write));
  if (done && jobs.words != nullptr) jobs.words->join();
  return tokens.done_texts();
}

}  // namespace ambry::api
