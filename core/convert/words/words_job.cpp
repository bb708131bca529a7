#include "convert/words/words_job.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "convert/words/open_matrix.h"
#include "convert/words/record_source.h"
#include "convert/words/selected_source.h"
#include "convert/words/word_target.h"
#include "tensor/word_norm.h"

namespace ambry::convert {
namespace {

using Lengths = WordTargetKind::Lengths;

class WordsJob final : public Job {
 public:
  WordsJob(std::unique_ptr<WordSource> source, const WordTargetKind& kind, const Options& options,
           uint64_t source_bytes)
      : source_(std::move(source)),
        kind_(kind),
        target_(kind.make()),
        options_(options),
        source_bytes_(source_bytes) {}

  Result<Step> next() override;
  [[nodiscard]] uint64_t total_bytes() const override {
    if (ended_) return position_;
    return target_->total_bytes().value_or(std::max(source_bytes_, position_));
  }
  [[nodiscard]] uint64_t bytes_to_measure() const override { return source_->bytes_to_list(); }
  [[nodiscard]] const std::vector<Error>& warnings() const override { return warnings_; }

 private:
  Result<void> begin_target();
  void take_norms(const WordSource::Advance& step);
  Result<void> bring_to_length(std::span<float> rows);

  std::unique_ptr<WordSource> source_;
  const WordTargetKind& kind_;
  std::unique_ptr<WordTarget> target_;
  Options options_;
  uint64_t source_bytes_;
  bool normalize_ = false;
  std::vector<float> norms_;
  std::vector<Error> warnings_;
  uint64_t n_rows_ = 0;    // rows written
  uint64_t position_ = 0;  // in the target
  std::string out_;
  bool ended_ = false;
};

Result<Step> WordsJob::next() {
  using Kind = WordSource::Advance::Kind;
  out_.clear();
  while (!ended_ && out_.empty()) {
    AMBRY_TRY(const WordSource::Advance step, source_->advance());
    if (step.kind == Kind::Read) return Step{Step::Kind::Read, step.offset, step.target, {}};
    if (step.kind == Kind::Ready) {
      AMBRY_RETURN_IF_ERROR(begin_target());
    } else if (step.kind == Kind::Rows) {
      take_norms(step);
      AMBRY_RETURN_IF_ERROR(bring_to_length(step.rows));
      target_->add(n_rows_, step.rows, out_);
      n_rows_ += step.rows.size() / source_->facts().dims;
    } else {
      target_->finish(norms_, out_);
      ended_ = true;
    }
  }
  if (out_.empty()) return Step{};
  const Step step{Step::Kind::Write, position_, {}, as_bytes(out_)};
  position_ += out_.size();
  return step;
}

Result<void> WordsJob::begin_target() {
  const WordFacts& facts = source_->facts();
  warnings_ = std::move(source_->warnings());
  normalize_ = facts.raw && kind_.lengths != Lengths::Trained &&
               (kind_.lengths == Lengths::Unit || !options_.unnormalize);
  return target_->begin(facts, options_.lossy, warnings_, out_);
}

// A source with norms need not be measured. A target that cannot store norms gets the original
// rows.
void WordsJob::take_norms(const WordSource::Advance& step) {
  if (!source_->facts().normed) return;
  const size_t dims = step.rows.size() / step.norms.size();
  for (size_t i = 0; i < step.norms.size(); ++i) {
    if (kind_.lengths == Lengths::Unit) {
      norms_.push_back(step.norms[i]);
    } else {
      for (float& x : step.rows.subspan(i * dims, dims)) x *= step.norms[i];
    }
  }
}

// The rows of n-grams stay unchanged.
Result<void> WordsJob::bring_to_length(std::span<float> rows) {
  const WordFacts& facts = source_->facts();
  const auto dims = static_cast<size_t>(facts.dims);
  // Norms and sums of n-grams may overflow, however small the values in the file are.
  const auto bad = std::ranges::find_if(rows, [](float value) { return !std::isfinite(value); });
  if (bad != rows.end()) {
    const auto row = static_cast<size_t>(bad - rows.begin()) / dims;
    return make_error(ErrorCode::Overflow, {"rows[", n_rows_ + row, "]"},
                      "the values become too large");
  }
  if (!normalize_ || n_rows_ >= facts.words.n_words) return {};
  const uint64_t n_words = std::min<uint64_t>(rows.size() / dims, facts.words.n_words - n_rows_);
  for (size_t i = 0; i < n_words; ++i) {
    const float norm = tensor::normalize_word(rows.subspan(i * dims, dims));
    if (!std::isfinite(norm)) {
      return make_error(ErrorCode::Overflow, {"rows[", n_rows_ + i, "]"},
                        "the values are too large to compute the vector's length");
    }
    norms_.push_back(norm);
  }
  return {};
}

// Rejects options that do not apply to word vectors.
Result<void> check_options(const WordTargetKind& kind, const Options& options) {
  if (options.dtype && options.dtype != tensor::DType::F32) {
    return make_error(ErrorCode::Unsupported, "options.dtype",
                      {kind.id, " stores values as f32 only"});
  }
  if (options.metadata.empty() || kind.holds_metadata) return {};
  return make_error(ErrorCode::Unsupported, "options.metadata",
                    {kind.id, " cannot store metadata"});
}

Result<std::unique_ptr<Job>> start(std::unique_ptr<WordSource> source, const SourceFiles& sources,
                                   const Options& options) {
  const WordTargetKind& kind = word_target_kind(options.to);
  AMBRY_RETURN_IF_ERROR(check_options(kind, options));
  for (const auto& [key, text] : options.metadata) source->add_metadata(key, text);
  if (options.metadata_toml) source->replace_metadata(*options.metadata_toml);
  return std::unique_ptr<Job>(
      std::make_unique<WordsJob>(std::move(source), kind, options, sources.main().size()));
}

}  // namespace

template <formats::wordvec::Form kForm>
Result<std::unique_ptr<Job>> begin_records(const SourceFiles& sources, const Options& options) {
  if (!sources.main().size_known()) return io::Source::need_size();
  return start(std::make_unique<RecordSource>(kForm, sources.main().size(), options), sources,
               options);
}

template Result<std::unique_ptr<Job>> begin_records<formats::wordvec::Form::Word2Vec>(
    const SourceFiles&, const Options&);
template Result<std::unique_ptr<Job>> begin_records<formats::wordvec::Form::Text>(
    const SourceFiles&, const Options&);
template Result<std::unique_ptr<Job>> begin_records<formats::wordvec::Form::TextDims>(
    const SourceFiles&, const Options&);
template Result<std::unique_ptr<Job>> begin_records<formats::wordvec::Form::Floret>(
    const SourceFiles&, const Options&);

Result<std::unique_ptr<Job>> begin_fasttext(const SourceFiles& sources, const Options& options) {
  if (!sources.main().size_known()) return io::Source::need_size();
  AMBRY_TRY(Matrix matrix, open_fasttext(sources, options));
  return start(std::make_unique<MatrixSource>(std::move(matrix)), sources, options);
}

Result<std::unique_ptr<Job>> begin_from_finalfusion(const SourceFiles& sources,
                                                    const Options& options) {
  if (options.select) {
    AMBRY_TRY(auto selected, open_selection(sources, options));
    return start(std::move(selected), sources, options);
  }
  AMBRY_TRY(Matrix matrix, open_finalfusion(sources, options));
  return start(std::make_unique<MatrixSource>(std::move(matrix)), sources, options);
}

}  // namespace ambry::convert
