#include "api/words/sentence_job.h"

#include <algorithm>

#include "api/call/options.h"
#include "api/encoder/embed_options_json.h"
#include "api/words/file_ranges.h"
#include "io/json/json.h"

namespace ambry::api {
namespace {

// Texts in one step: a few milliseconds, and in range mode not too many rows to wait for.
constexpr size_t kStepTexts = 64;

Result<void> refuse(const io::Json& json, std::span<const char* const> names) {
  for (const char* name : names) {
    const io::Json* value = json.find(name);
    if (value == nullptr || value->is_null()) continue;
    return bad_option(name, "this option does not apply to word vectors");
  }
  return {};
}

}  // namespace

Result<SentenceJob> SentenceJob::begin(std::shared_ptr<infer::WordVectors> vectors,
                                       std::string_view options) {
  AMBRY_TRY(const io::Json json, io::parse_json(options, 0, "options"));
  infer::SentenceOptions read;
  AMBRY_TRY(const std::string pooling, read_text(json, "pooling", "mean"));
  if (pooling != "mean" && pooling != "sif") {
    return bad_option("pooling", {"must be mean or sif for word vectors, not ", pooling});
  }
  if (pooling == "sif") read.weights = infer::WordWeights::Sif;
  AMBRY_TRY(read.normalize, read_bool(json, "normalize", true));
  AMBRY_RETURN_IF_ERROR(refuse(json, kPromptOptions));
  AMBRY_RETURN_IF_ERROR(refuse(json, {{"dim"}}));
  return SentenceJob(std::move(vectors), read);
}

Result<void> SentenceJob::start() {
  row_counts_.assign(texts().size(), 1);
  AMBRY_TRY(rows_,
            AlignedBuffer::allocate(uint64_t{texts().size()} * vectors_->dim() * sizeof(float)));
  return {};
}

std::span<const std::string> SentenceJob::next_texts() const {
  const size_t left = texts().size() - done_texts_;
  return std::span(texts()).subspan(done_texts_, std::min(left, kStepTexts));
}

std::string SentenceJob::missing() const {
  std::vector<uint64_t> rows;
  for (const std::string& text : next_texts()) encoder_.collect_rows(text, rows);
  return ranges_text(vectors_->rows().missing(std::move(rows)));
}

Result<bool> SentenceJob::step() {
  const size_t dim = vectors_->dim();
  for (const std::string& text : next_texts()) {
    const auto row = rows_.as<float>().subspan(done_texts_ * dim, dim);
    AMBRY_RETURN_IF_ERROR(encoder_.encode(text, row));
    ++done_texts_;
  }
  return done_texts_ == texts().size();
}

}  // namespace ambry::api
