#include "convert/finalfusion/explicit_ngrams_job.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "convert/finalfusion/finalfusion_job.h"
#include "convert/finalfusion/ngram_list.h"
#include "convert/words/row_gather.h"
#include "formats/finalfusion/finalfusion_layout.h"
#include "formats/finalfusion/finalfusion_parse.h"

namespace ambry::convert {
namespace {

namespace fifu = formats::finalfusion;
using model::WordVocabularyKind;

class ExplicitJob final : public FinalfusionJob {
 public:
  explicit ExplicitJob(SourceModel source) : source_(std::move(source)) {}

 private:
  // A tensor of the source. All of its rows, or some, go to the target.
  struct Part {
    model::TensorEntry tensor;
    RowStream stream;    // for all rows
    RowGather gather;    // for some rows
    uint64_t asked = 0;  // number of rows that were requested
    uint64_t written = 0;
    bool picks = false;
  };

  Result<Step> prepare() override;
  Result<Step> make(std::string_view tensor) override;
  Result<void> lay_out_target();
  void add_part(const model::TensorEntry& tensor, std::vector<model::TensorEntry>& tensors);
  Result<Step> copy(Part& part);
  Result<Step> pick(Part& part);
  [[nodiscard]] uint64_t source_row(uint64_t row) const {
    return row < n_words_ ? row : bucket_rows_[static_cast<size_t>(row - n_words_)];
  }
  [[nodiscard]] uint64_t n_rows() const { return n_words_ + bucket_rows_.size(); }

  SourceModel source_;
  std::optional<NgramList> list_;
  uint64_t n_words_ = 0;
  std::vector<uint64_t> bucket_rows_;  // of the source
  std::vector<Part> parts_;
  std::vector<uint8_t> block_;
};

Result<Step> ExplicitJob::prepare() {
  if (!list_) list_.emplace(*source_.model.words);
  AMBRY_TRY(const bool more, list_->step());
  if (more) {
    const double done = list_->progress() * static_cast<double>(Step::kProgressDone);
    return Step{Step::Kind::Compute, static_cast<uint64_t>(done), {}, {}};
  }
  AMBRY_RETURN_IF_ERROR(lay_out_target());
  return Step{};
}

Result<void> ExplicitJob::lay_out_target() {
  n_words_ = source_.model.words->n_words;
  NgramList::Listed listed = list_->take();
  list_.reset();
  bucket_rows_ = std::move(listed.bucket_rows);
  std::vector<model::TensorEntry> tensors;
  for (const model::TensorEntry& tensor : source_.model.tensors) {
    if (tensor.name != fifu::kNorms) add_part(tensor, tensors);
  }
  source_.model.words = std::move(listed.words);
  source_.model.metadata_text.clear();
  return lay_out(std::move(source_), std::move(tensors));
}

void ExplicitJob::add_part(const model::TensorEntry& tensor,
                           std::vector<model::TensorEntry>& tensors) {
  Part& part = parts_.emplace_back();
  part.tensor = tensor;
  part.picks = tensor.name == fifu::kStorage || tensor.name == fifu::kCodes ||
               tensor.name == fifu::kQuantizedNorms;
  model::TensorEntry& target = tensors.emplace_back(tensor);
  if (part.picks) {
    part.gather = RowGather(tensor.offset, tensor.bytes / std::max<uint64_t>(tensor.shape[0], 1));
    target.shape = {n_rows()};
    if (tensor.shape.rank() == 2) target.shape.push_back(tensor.shape[1]);
  } else {
    part.stream = RowStream(tensor, kVectorBlockBytes);
  }
}

Result<Step> ExplicitJob::make(std::string_view tensor) {
  if (tensor == fifu::kNorms) return copy_norms();
  Part& part = *std::ranges::find(parts_, tensor, [](const Part& p) { return p.tensor.name; });
  return part.picks ? pick(part) : copy(part);
}

Result<Step> ExplicitJob::copy(Part& part) {
  if (part.asked == part.written) {
    AMBRY_TRY(const Step step, part.stream.read());
    part.asked += part.stream.n_rows();
    return step;
  }
  part.written = part.asked;
  return write(part.stream.bytes());
}

// Gives the next block of the target's rows when all of its parts are read.
Result<Step> ExplicitJob::pick(Part& part) {
  const uint64_t row_bytes = part.tensor.bytes / part.tensor.shape[0];
  if (part.asked == part.written) {
    const uint64_t n_block = std::max<uint64_t>(1, kVectorBlockBytes / row_bytes);
    part.asked = std::min(n_rows(), part.written + n_block);
    std::vector<uint64_t> rows;
    rows.reserve(static_cast<size_t>(part.asked - part.written));
    for (uint64_t row = part.written; row < part.asked; ++row) rows.push_back(source_row(row));
    AMBRY_RETURN_IF_ERROR(part.gather.ask(std::move(rows)));
  }
  AMBRY_TRY(const auto read, part.gather.next());
  if (read) return Step{Step::Kind::Read, read->offset, read->target, {}};
  block_.clear();
  for (; part.written < part.asked; ++part.written) {
    const Bytes row = part.gather.row(source_row(part.written));
    block_.insert(block_.end(), row.begin(), row.end());
  }
  return write(block_);
}

Result<void> check_kind(const model::WordVocabulary& words) {
  if (words.kind == WordVocabularyKind::Bucket || words.kind == WordVocabularyKind::FastText) {
    return {};
  }
  return make_error(ErrorCode::Unsupported, "vocabulary",
                    {"n-grams of a vocabulary of the kind ", word_vocabulary_kind_name(words.kind),
                     " do not hash into one bucket each (bucket and fasttext do)"});
}

}  // namespace

Result<std::unique_ptr<Job>> begin_explicit(SourceModel source) {
  AMBRY_RETURN_IF_ERROR(check_kind(*source.model.words));
  io::Diagnostics problems;
  fifu::check(source.model, problems);
  if (!problems.errors.empty()) return std::move(problems.errors.front());
  if (!source.model.metadata_text.empty()) {
    source.warnings.push_back(
        make_error(ErrorCode::Unsupported, "metadata", "the file's metadata is left out"));
  }
  return std::unique_ptr<Job>(std::make_unique<ExplicitJob>(std::move(source)));
}

}  // namespace ambry::convert
