#include "convert/words/selected_source.h"

#include <cmath>
#include <string>
#include <string_view>
#include <utility>

#include "base/utf8.h"
#include "convert/plan/source_model.h"
#include "convert/words/finalfusion_rows.h"
#include "formats/finalfusion/finalfusion_layout.h"
#include "formats/finalfusion/finalfusion_parse.h"
#include "model/vocabulary/vocabulary_index.h"
#include "model/words/subword_lookup.h"
#include "tensor/word_norm.h"

namespace ambry::convert {
namespace {

namespace finalfusion = formats::finalfusion;

// The most pieces in one word. Real words have a few hundred.
constexpr uint64_t kMaxPieces = 1 << 14;
// The most stored bytes, and the most words, in a block.
constexpr uint64_t kBlockBytes = uint64_t{8} << 20;

// The list without repetitions.
Result<model::Vocabulary> unique_words(const std::vector<std::string>& list) {
  model::Vocabulary all;
  uint64_t n_bytes = 0;
  for (size_t i = 0; i < list.size(); ++i) {
    n_bytes += list[i].size();
    if (find_invalid_utf8(list[i]) || n_bytes > UINT32_MAX) {
      return make_error(
          ErrorCode::BadValue, {"options.select[", i, "]"},
          n_bytes > UINT32_MAX ? "the words take more than 4 GiB" : "not valid UTF-8");
    }
    all.push_back(list[i]);
  }
  const model::VocabularyIndex index(all);
  model::Vocabulary once;
  for (size_t i = 0; i < all.size(); ++i) {
    if (index.find(all, all[i]) == i) once.push_back(all[i]);
  }
  return once;
}

// Finds the rows of words in the source's vocabulary.
class Finder {
 public:
  Finder(const model::WordVocabulary& words, std::span<const float> norms)
      : words_(words), norms_(norms), index_(words.words), pieces_(words) {}

  // Returns no rows for a word that gets no vector.
  Result<SelectedSource::Selected> find(std::string_view word) const {
    SelectedSource::Selected selected;
    if (const auto row = index_.find(words_.words, word)) {
      selected.known = true;
      selected.rows.push_back(*row);
      if (!norms_.empty()) selected.norm = norms_[*row];
      return selected;
    }
    const uint64_t n_pieces = pieces_.count(word);
    if (n_pieces > kMaxPieces) {
      return make_error(
          ErrorCode::LimitExceeded, "options.select",
          {"the word has ", n_pieces, " pieces, but at most ", kMaxPieces, " are supported"});
    }
    pieces_.for_each(word, [&](std::string_view, std::span<const uint64_t> rows) {
      selected.rows.insert(selected.rows.end(), rows.begin(), rows.end());
    });
    return selected;
  }

 private:
  const model::WordVocabulary& words_;
  std::span<const float> norms_;
  model::VocabularyIndex index_;
  model::SubwordLookup pieces_;
};

}  // namespace

SelectedSource::SelectedSource(RowStore store, std::vector<Selected> words, WordFacts facts,
                               std::vector<Error> warnings)
    : store_(std::move(store)),
      words_(std::move(words)),
      gather_(store_.offset, store_.row_bytes()),
      row_(static_cast<size_t>(store_.dims)) {
  facts_ = std::move(facts);
  warnings_ = std::move(warnings);
}

Result<WordSource::Advance> SelectedSource::advance() {
  if (!ready_) {
    ready_ = true;
    return Advance{Advance::Kind::Ready, 0, {}, {}};
  }
  if (first_ == end_) {
    if (end_ == words_.size()) return Advance{};
    AMBRY_RETURN_IF_ERROR(ask());
  }
  AMBRY_TRY(const auto next, gather_.next());
  if (next) return read(next->offset, next->target);
  return add_up();
}

// Asks for the rows of the next block of words.
Result<void> SelectedSource::ask() {
  std::vector<uint64_t> rows;
  const auto full = [&] {
    const uint64_t n_words = end_ - first_;
    return rows.size() * store_.row_bytes() >= kBlockBytes || n_words * store_.dims >= kBlockValues;
  };
  while (end_ < words_.size() && !full()) {
    const std::vector<uint64_t>& own = words_[end_++].rows;
    rows.insert(rows.end(), own.begin(), own.end());
  }
  return gather_.ask(std::move(rows));
}

Result<WordSource::Advance> SelectedSource::add_up() {
  const auto dims = static_cast<size_t>(store_.dims);
  values_.assign((end_ - first_) * dims, 0.0F);
  norms_.clear();
  for (size_t i = first_; i < end_; ++i) {
    const auto vector = std::span(values_).subspan((i - first_) * dims, dims);
    AMBRY_RETURN_IF_ERROR(add_up_word(words_[i], vector));
    norms_.push_back(words_[i].known ? words_[i].norm : tensor::normalize_word(vector));
    if (!std::isfinite(norms_.back())) {
      return make_error(ErrorCode::Overflow, {"rows[", i, "]"},
                        "the values are too large to compute the vector's length");
    }
  }
  first_ = end_;
  Advance step = this->rows(values_);
  step.norms = norms_;
  return step;
}

// A row as it is, or the plain sum in the order of the pieces, as in the references.
Result<void> SelectedSource::add_up_word(const Selected& word, std::span<float> vector) {
  if (word.known) return store_.decode(gather_.row(word.rows.front()), word.rows.front(), vector);
  for (const uint64_t row : word.rows) {
    AMBRY_RETURN_IF_ERROR(store_.decode(gather_.row(row), row, row_));
    for (size_t i = 0; i < vector.size(); ++i) vector[i] += row_[i];
  }
  return {};
}

Result<std::unique_ptr<WordSource>> open_selection(const SourceFiles& sources,
                                                   const Options& options) {
  AMBRY_TRY(SourceModel source, read_source(sources, "finalfusion"));
  io::Diagnostics problems;
  finalfusion::check(source.model, problems);
  if (!problems.errors.empty()) return std::move(problems.errors.front());
  AMBRY_TRY(RowStore store, open_finalfusion_rows(sources.main(), source.model));
  std::vector<float> norms;
  if (const auto* tensor = find_tensor(source.model, finalfusion::kNorms)) {
    AMBRY_TRY(norms, read_floats(sources.main(), *tensor));
  }
  AMBRY_TRY(const model::Vocabulary list, unique_words(options.select->words));
  const Finder finder(*source.model.words, norms);
  std::vector<SelectedSource::Selected> selected;
  WordFacts facts;
  for (size_t i = 0; i < list.size(); ++i) {
    AMBRY_TRY(auto found, finder.find(list[i]));
    if (found.rows.empty()) {
      if (options.select->ignore_unknown) continue;
      return make_error(ErrorCode::NotFound, "options.select",
                        {"\"", list[i], "\" is not in the vocabulary, and no piece of it is"});
    }
    facts.words.words.push_back(list[i]);
    selected.push_back(std::move(found));
  }
  if (selected.empty()) {
    return make_error(ErrorCode::NotFound, "options.select", "none of these words has a vector");
  }
  facts.words.n_words = selected.size();
  facts.dims = store.dims;
  facts.normed = true;
  if (!source.model.metadata_text.empty()) {
    source.warnings.push_back(
        make_error(ErrorCode::Unsupported, "metadata", "the file's metadata are left out"));
  }
  return std::unique_ptr<WordSource>(std::make_unique<SelectedSource>(
      std::move(store), std::move(selected), std::move(facts), std::move(source.warnings)));
}

}  // namespace ambry::convert
