#include "api/encoder/token_job.h"

#include <algorithm>
#include <cassert>

#include "api/call/options.h"
#include "infer/check_outputs.h"
#include "infer/encoder/head/pooling.h"
#include "kernels/similarity/max_sim.h"
#include "simd/isa.h"
#include "text/tokenizer/beginning.h"

namespace ambry::api {

Result<TokenJob> TokenJob::begin(std::shared_ptr<const EncoderRuntime> runtime,
                                 std::string_view options) {
  const model::EncoderConfig& config = runtime->config;
  if (!config.late) {
    return make_error(ErrorCode::Unsupported, "model",
                      "this encoder has no late interaction, so it gives a vector for a whole "
                      "text, with embed; late interaction is that of ColBERT");
  }
  const uint32_t size = config.embedding_size();
  AMBRY_TRY(const io::Json json, io::parse_json(options, 0, "options"));
  AMBRY_TRY(infer::EmbedOptions common,
            read_embed_options(
                {"none", true, config.prompts, config.default_prompt_name, size, size}, json));
  AMBRY_TRY(const std::string as, read_text(json, "as", "document"));
  if (as != "query" && as != "document") {
    return bad_option("as", {"must be query or document, not ", as});
  }
  AMBRY_TRY(std::string list, read_text(json, "list", "texts"));
  AMBRY_TRY(const uint64_t first, read_count(json, "first", 0));
  return TokenJob(std::move(runtime), {as == "query", std::move(list), first,
                                       std::move(common.prompt), common.refuse_long});
}

Result<void> TokenJob::start() {
  for (size_t i = 0; i < texts().size(); ++i) AMBRY_RETURN_IF_ERROR(tokenize(i));
  AMBRY_RETURN_IF_ERROR(lay_out_rows(tokens_));
  tokens_.plan();
  drop_texts();
  return {};
}

// The marker follows the first token, and queries are filled up.
Result<void> TokenJob::tokenize(size_t text) {
  const auto& marker = form_.of_query ? late().query_marker : late().document_marker;
  const uint32_t most = form_.of_query ? late().query_length : late().document_length;
  const std::string whole = form_.prompt + texts()[text];
  const std::string_view read = text::beginning_of(*runtime_->tokenizer, whole, most);
  const text::Encoding encoding = runtime_->tokenizer->encode(
      read, {.add_special = true, .max_length = most - (marker ? 1U : 0U)});
  if (form_.refuse_long && encoding.truncated()) {
    return text::too_long({form_.list, "[", form_.first + text, "]"},
                          encoding.full_length + (marker ? 1U : 0U), most);
  }
  std::vector<uint32_t> ids = encoding.ids;
  if (marker) ids.insert(ids.begin() + (ids.empty() ? 0 : 1), *marker);
  size_t n_seen = ids.size();
  if (form_.of_query && late().expansion && ids.size() < most) {
    ids.resize(most, *late().expansion);
    if (late().attend_to_expansion) n_seen = most;
  }
  tokens_.add(ids, n_seen);
  return {};
}

bool TokenJob::keeps(std::span<const uint32_t> ids, size_t i) const {
  if (i == 0 && late().with_sentences) return false;
  return form_.of_query || std::ranges::find(late().skipped, ids[i]) == late().skipped.end();
}

Result<void> TokenJob::lay_out_rows(const infer::TokenBatches& texts) {
  uint64_t n_rows = 0;
  for (uint32_t text = 0; text < texts.size(); ++text) {
    const std::span<const uint32_t> ids = texts.ids(text);
    size_t kept = 0;
    for (size_t i = 0; i < ids.size(); ++i) kept += keeps(ids, i) ? 1 : 0;
    if (kept == 0) {
      return make_error(ErrorCode::BadValue, {form_.list, "[", form_.first + text, "]"},
                        "the model leaves out all tokens of this text");
    }
    first_row_.push_back(static_cast<size_t>(n_rows));
    row_counts_.push_back(static_cast<uint32_t>(kept));
    n_rows += kept;
  }
  AMBRY_TRY(rows_, AlignedBuffer::allocate(n_rows * dim() * sizeof(float)));
  return {};
}

Result<bool> TokenJob::step() {
  return tokens_.step(runtime_->encoder, false,
                      [this](uint32_t text, std::span<const float> hidden) {
                        return write_rows(text, tokens_.ids(text), hidden);
                      });
}

Result<void> TokenJob::write_rows(uint32_t text, std::span<const uint32_t> ids,
                                  std::span<const float> hidden) {
  const size_t hidden_size = runtime_->encoder.hidden_size();
  kept_.clear();
  for (size_t i = 0; i < ids.size(); ++i) {
    if (!keeps(ids, i)) continue;
    const std::span<const float> row = hidden.subspan(i * hidden_size, hidden_size);
    kept_.insert(kept_.end(), row.begin(), row.end());
  }
  runtime_->encoder.apply_token_dense(kept_);
  for (size_t at = 0; at < kept_.size(); at += dim()) {
    infer::normalize(std::span(kept_).subspan(at, dim()));
  }
  AMBRY_RETURN_IF_ERROR(infer::check_outputs(kept_, {form_.list, "[", form_.first + text, "]"}));
  std::ranges::copy(kept_, rows_.as<float>().subspan(first_row_[text] * dim()).begin());
  return {};
}

Result<void> TokenJob::score(const TokenJob& query) {
  assert(tokens_.done() && query.tokens_.done() && query.dim() == dim());
  AMBRY_TRY(kernels::MaxSim max_sim, kernels::MaxSim::create(query.result(), dim()));
  scores_.clear();
  for (size_t text = 0; text < row_counts_.size(); ++text) {
    const std::span<const float> rows =
        result().subspan(first_row_[text] * dim(), size_t{row_counts_[text]} * dim());
    scores_.push_back(max_sim.score<simd::Best>(rows));
  }
  return {};
}

}  // namespace ambry::api
