#include "convert/words/matrix_source.h"

#include <algorithm>

namespace ambry::convert {
namespace {

// The size of a group: words that are mixed together with the rows of n-grams. The rows of n-grams
// are read once for each group.
constexpr uint64_t kGroupBlocks = 12;

}  // namespace

MatrixSource::MatrixSource(Matrix matrix, uint64_t block_values)
    : store_(std::move(matrix.store)),
      stored_words_(std::move(matrix.stored_words)),
      mixing_(matrix.mixing),
      n_all_(0),
      kept_buckets_(std::move(matrix.kept_buckets)),
      kept_rows_(std::move(matrix.kept_rows)),
      norms_(std::move(matrix.norms)),
      rows_per_block_(std::max<uint64_t>(1, block_values / store_.dims)),
      subwords_(words(), kept_buckets_, rows_per_block_) {
  facts_ = std::move(matrix.facts);
  n_all_ = matrix.words_only ? words().n_words : words().n_rows();
  warnings_ = std::move(matrix.warnings);
}

Result<WordSource::Advance> MatrixSource::advance() {
  if (phase_ == Phase::Ready) {
    AMBRY_RETURN_IF_ERROR(begin_group());
    return Advance{Advance::Kind::Ready, 0, {}, {}};
  }
  for (;;) {
    AMBRY_TRY(auto step, this->step());
    if (step) return *step;
  }
}

// Begins the next group. Returns false at the end.
Result<bool> MatrixSource::begin_group() {
  first_ += n_rows_;
  n_rows_ = 0;
  n_loaded_ = 0;
  n_asked_ = 0;
  n_emitted_ = 0;
  block_ = 0;
  phase_ = Phase::Load;
  if (first_ == n_all_) return false;
  const uint64_t end = of_words() ? words().n_words : n_all_;
  if (of_words() && mixing_ != Mixing::None) {
    AMBRY_TRY(n_rows_, subwords_.collect(first_, kGroupBlocks * rows_per_block_));
  } else {
    n_rows_ = std::min(end - first_, rows_per_block_);
  }
  values_.resize(static_cast<size_t>(n_rows_ * store_.dims));
  return true;
}

// The group's rows in the file. Rows of pruned buckets are not stored.
std::pair<uint64_t, uint64_t> MatrixSource::stored_range() const {
  if (of_words() || kept_buckets_.empty()) return {first_, first_ + n_rows_};
  const uint64_t n_words = words().n_words;
  const auto stored = [&](uint64_t row) {
    const auto at = std::ranges::lower_bound(kept_buckets_, row - n_words);
    return n_words + static_cast<uint64_t>(at - kept_buckets_.begin());
  };
  return {stored(first_), stored(first_ + n_rows_)};
}

// Asks for stored rows. Returns nothing when they are already there.
Result<std::optional<WordSource::Advance>> MatrixSource::read_rows(uint64_t first, uint64_t count) {
  const uint64_t size = count * store_.row_bytes();
  if (stored_.size() != size) {
    stored_ = AlignedBuffer();  // free the old memory first
    AMBRY_TRY(stored_, AlignedBuffer::allocate(size));
  }
  asked_first_ = first;
  n_asked_ = count;
  if (kept_rows_.empty() || first < words().n_words) {
    return std::optional(read(store_.offset + first * store_.row_bytes(), stored_.bytes()));
  }
  const auto from = static_cast<size_t>((first - words().n_words) * store_.row_bytes());
  std::ranges::copy(Bytes(kept_rows_).subspan(from, stored_.size()), stored_.bytes().begin());
  return std::optional<Advance>();
}

Result<std::optional<WordSource::Advance>> MatrixSource::step() {
  using Made = std::optional<Advance>;
  if (phase_ == Phase::Load) {
    AMBRY_RETURN_IF_ERROR(finish_load());
    const auto [begin, end] = stored_range();
    if (begin + n_loaded_ < end) {
      const uint64_t left = end - begin - n_loaded_;
      return read_rows(begin + n_loaded_, std::min(left, rows_per_block_));
    }
    if (!of_words()) spread();
    if (of_words()) multiply_norms();
    phase_ = of_words() && mixing_ != Mixing::None ? Phase::Mix : Phase::Emit;
    return Made();
  }
  if (phase_ == Phase::Mix) {
    if (n_asked_ > 0) AMBRY_RETURN_IF_ERROR(add_block());
    while (block_ < subwords_.n_blocks() && subwords_.uses(block_).empty()) ++block_;
    if (block_ < subwords_.n_blocks()) {
      const uint64_t first = words().n_words + block_ * rows_per_block_;
      return read_rows(first, std::min(store_.rows - first, rows_per_block_));
    }
    finish_mix();
    phase_ = Phase::Emit;
  }
  if (n_emitted_ == n_rows_) {
    AMBRY_TRY(const bool more, begin_group());
    return more ? Made() : Made(Advance{});
  }
  const uint64_t count = std::min(n_rows_ - n_emitted_, rows_per_block_);
  const auto block = std::span(values_).subspan(static_cast<size_t>(n_emitted_ * store_.dims),
                                                static_cast<size_t>(count * store_.dims));
  n_emitted_ += count;
  return Made(rows(block));
}

// Takes the group's own rows that were read.
Result<void> MatrixSource::finish_load() {
  if (n_asked_ == 0) return {};
  const auto out = std::span(values_).subspan(static_cast<size_t>(n_loaded_ * store_.dims),
                                              static_cast<size_t>(n_asked_ * store_.dims));
  n_loaded_ += std::exchange(n_asked_, 0);
  return store_.decode(stored_.bytes(), asked_first_, out);
}

// Undoes the normalization of the words' rows. For Separate, also multiplies each row by the number
// of rows in its mean.
void MatrixSource::multiply_norms() {
  const auto dims = static_cast<size_t>(store_.dims);
  for (size_t row = 0; row < n_rows_; ++row) {
    const std::span<float> values = std::span(values_).subspan(row * dims, dims);
    if (!norms_.empty()) {
      const float norm = norms_[static_cast<size_t>(first_) + row];
      for (float& value : values) value *= norm;
    }
    if (mixing_ != Mixing::Separate) continue;
    const auto n_rows = static_cast<float>(subwords_.count(row) + 1);
    for (float& value : values) value *= n_rows;
  }
}

// The stored rows are together at the front. Each moves to its bucket, the last one first, because
// no bucket lies before its row. The other rows are zero.
void MatrixSource::spread() {
  if (kept_buckets_.empty()) return;
  const auto dims = static_cast<size_t>(store_.dims);
  const uint64_t first_bucket = first_ - words().n_words;
  const auto begin = static_cast<size_t>(stored_range().first - words().n_words);
  auto n_left = static_cast<size_t>(n_loaded_);
  for (auto row = static_cast<size_t>(n_rows_); row-- > 0;) {
    const auto to = values_.begin() + static_cast<std::ptrdiff_t>(row * dims);
    if (n_left > 0 && kept_buckets_[begin + n_left - 1] == first_bucket + row) {
      --n_left;
      if (n_left == row) return;  // the rest is already in its place
      std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>(n_left * dims), dims, to);
    } else {
      // A file that is made to run marks such rows by their sign, as they do not count in means.
      std::fill_n(to, dims, facts_.to_run ? -0.0F : 0.0F);
    }
  }
}

// Adds the n-grams' rows to the words that use them, or subtracts them.
Result<void> MatrixSource::add_block() {
  const auto dims = static_cast<size_t>(store_.dims);
  ngram_rows_.resize(static_cast<size_t>(std::exchange(n_asked_, 0)) * dims);
  AMBRY_RETURN_IF_ERROR(store_.decode(stored_.bytes(), asked_first_, ngram_rows_));
  const uint64_t first = block_ * rows_per_block_;
  for (const SubwordRows::Use& use : subwords_.uses(block_)) {
    const float* from = ngram_rows_.data() + static_cast<size_t>(use.row - first) * dims;
    float* to = values_.data() + size_t{use.word} * dims;
    if (mixing_ == Mixing::Average) {
      for (size_t i = 0; i < dims; ++i) to[i] += from[i];
    } else {
      for (size_t i = 0; i < dims; ++i) to[i] -= from[i];
    }
  }
  ++block_;
  return {};
}

void MatrixSource::finish_mix() {
  if (mixing_ != Mixing::Average) return;
  const auto dims = static_cast<size_t>(store_.dims);
  for (size_t row = 0; row < n_rows_; ++row) {
    const auto n_rows = static_cast<float>(subwords_.count(row) + 1);
    for (float& value : std::span(values_).subspan(row * dims, dims)) value /= n_rows;
  }
}

}  // namespace ambry::convert
