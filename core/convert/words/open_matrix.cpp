#include "convert/words/open_matrix.h"

#include <algorithm>
#include <string>
#include <utility>

#include "convert/plan/source_model.h"
#include "convert/words/finalfusion_rows.h"
#include "convert/words/valid_words.h"
#include "convert/words/word_target.h"
#include "formats/fasttext/fasttext_layout.h"
#include "formats/fasttext/fasttext_parse.h"
#include "formats/finalfusion/finalfusion_layout.h"
#include "formats/finalfusion/finalfusion_parse.h"
#include "model/file/model.h"

namespace ambry::convert {
namespace {

namespace fasttext = formats::fasttext;
namespace finalfusion = formats::finalfusion;
using model::WordVocabularyKind;

// A pruned model states its buckets without storing their rows.
constexpr uint64_t kMaxPrunedBuckets = 1 << 24;
// The most bytes of rows in memory.
constexpr uint64_t kMaxKeptBytes = 64 << 20;

Failure left_out(const Text& path, const Text& what) {
  return make_error(ErrorCode::Unsupported, path, {what.str(), " are left out"});
}

// Something that the target cannot store: an error, or a warning when the conversion is lossy.
Result<void> leave_out(const Text& path, const Text& what, const Options& options, Matrix& matrix) {
  if (!options.lossy) {
    return make_error(
        ErrorCode::Unsupported, path,
        {options.to, " cannot store ", what.str(), "; a lossy conversion leaves them out"});
  }
  matrix.warnings.push_back(left_out(path, what));
  return {};
}

// Keeps only words, if the target cannot store this kind of vocabulary.
Result<void> fit(const Options& options, Matrix& matrix) {
  model::WordVocabulary& words = matrix.facts.words;
  const WordTargetKind& target = word_target_kind(options.to);
  if (target.holds(words.kind)) return {};
  if (words.n_words == 0 || words.kind == WordVocabularyKind::Simple) {
    return make_error(ErrorCode::Unsupported, "vocabulary",
                      {target.id, " cannot hold a vocabulary of the kind ",
                       word_vocabulary_kind_name(words.kind)});
  }
  AMBRY_RETURN_IF_ERROR(
      leave_out("vocabulary", {counted(words.n_buckets, "row"), " of n-grams"}, options, matrix));
  matrix.words_only = true;
  if (matrix.mixing == Mixing::None) {
    words.kind = WordVocabularyKind::Simple;
    words.n_buckets = 0;
    words.min_n = 0;
    words.max_n = 0;
  }
  return {};
}

// `N labels (a, b, …)`. Any model may have labels: a word of the text with the prefix of labels is
// one. Only a classifier uses them.
std::string list_labels(const model::Vocabulary& labels, bool of_classifier) {
  constexpr size_t kNamed = 10;
  std::string text =
      counted(labels.size(), "label") + (of_classifier ? " of a classifier (" : " (");
  for (size_t i = 0; i < std::min(labels.size(), kNamed); ++i) {
    if (i > 0) text += ", ";
    text += labels[i];
  }
  return text + (labels.size() > kNamed ? ", …)" : ")");
}

void note_fasttext(const fasttext::File& file, Matrix& matrix) {
  if (!file.labels.empty()) {
    const bool of_classifier = file.args.model == fasttext::kSupervised;
    matrix.warnings.push_back(
        make_error(ErrorCode::Unsupported, "dictionary.labels",
                   {list_labels(file.labels, of_classifier),
                    file.labels.size() == 1 ? " is left out" : " are left out"}));
  }
  if (file.pruned && file.has_subwords()) {
    matrix.warnings.push_back(
        make_error(ErrorCode::Unsupported, "dictionary.pruneidx",
                   {file.args.bucket - file.kept_buckets.size(),
                    " buckets were pruned; their rows become zeros, which changes no vector"}));
  }
  if (file.has_subwords() && file.args.word_ngrams > 1) {
    matrix.warnings.push_back(
        left_out("header.wordNgrams", "n-grams of words, which only classifiers use,"));
  }
}

Result<void> set_fasttext_vocabulary(fasttext::File& file, const Options& options, Matrix& matrix) {
  model::WordVocabulary& words = matrix.facts.words;
  words.n_words = file.words.size();
  words.words = std::move(file.words);
  if (file.has_subwords()) {
    words.kind = WordVocabularyKind::FastText;
    words.min_n = std::max(file.args.min_n, 1U);
    words.max_n = file.args.max_n;
    words.n_buckets = file.args.bucket;
    words.rule = model::NgramRule::FastText;
    matrix.mixing = Mixing::Average;
    if (file.pruned && words.n_buckets > kMaxPrunedBuckets) {
      return make_error(ErrorCode::LimitExceeded, "header.bucket",
                        {"the pruned model has ", words.n_buckets, " buckets, but at most ",
                         kMaxPrunedBuckets, " are supported"});
    }
    return {};
  }
  if (file.rows == words.n_words) return {};
  const uint64_t n_rows = file.rows - words.n_words;
  return leave_out("header.wordNgrams", {counted(n_rows, "row"), " of n-grams of words"}, options,
                   matrix);
}

// Names for the words of a file that others read. Their n-grams are those of the stored bytes.
Result<void> name_words(const Options& options, Matrix& matrix) {
  model::WordVocabulary& words = matrix.facts.words;
  const uint64_t n_invalid = count_invalid(words.words);
  const auto warn = [&](uint64_t count, const char* one, const char* many) {
    if (count == 0) return;
    matrix.warnings.push_back(make_error(ErrorCode::BadValue, "dictionary.entries",
                                         {counted(count, "word"), count == 1 ? one : many}));
  };
  warn(n_invalid, " is not valid UTF-8 and shown with U+FFFD",
       " are not valid UTF-8 and shown with U+FFFD");
  if (options.to_run) return {};
  AMBRY_TRY(ValidWords valid, make_valid(words.words));
  warn(valid.n_numbered, " equals an earlier one and gets a number: word(2)",
       " equal earlier ones and get numbers: word(2)");
  if (n_invalid + valid.n_numbered == 0) return {};
  matrix.stored_words = words;
  words.words = std::move(valid.words);
  return {};
}

// The rule of n-grams belongs to the format, also for words that the file does not have.
void note_rule(const Options& options, Matrix& matrix) {
  const model::WordVocabulary& words = matrix.facts.words;
  const bool keeps_ngrams = !matrix.words_only && words.kind == WordVocabularyKind::FastText;
  if (options.to != "finalfusion" || options.to_run || !keeps_ngrams || words.min_n > 1) return;
  matrix.warnings.push_back(make_error(
      ErrorCode::Unsupported, "header.minn",
      "finalfusion counts a bracket alone as an n-gram, and fastText does not: words outside the "
      "vocabulary get other vectors than from fastText"));
}

// A pruned model stores its rows by importance. They are few, so they are sorted by bucket in
// memory.
Result<void> sort_kept_rows(const io::Source& source, fasttext::File& file, Matrix& matrix) {
  const uint64_t row_bytes = matrix.store.row_bytes();
  const uint64_t n_words = matrix.facts.words.n_words;
  const uint64_t size = file.kept_rows.size() * row_bytes;
  if (size > kMaxKeptBytes) {
    return make_error(ErrorCode::LimitExceeded, "dictionary.pruneidx",
                      {"the pruned model has ", size, " bytes of rows, but at most ", kMaxKeptBytes,
                       " are supported"});
  }
  AMBRY_TRY(const Bytes stored,
            source.view(matrix.store.offset + n_words * row_bytes, size, "input.data"));
  matrix.kept_rows.reserve(stored.size());
  for (const uint32_t row : file.kept_rows) {
    const Bytes bytes =
        stored.subspan(static_cast<size_t>(row * row_bytes), static_cast<size_t>(row_bytes));
    matrix.kept_rows.insert(matrix.kept_rows.end(), bytes.begin(), bytes.end());
  }
  if (matrix.store.codebook && !matrix.store.codebook->norms.empty()) {
    std::vector<float>& all = matrix.store.codebook->norms;
    std::vector<float> norms;
    norms.reserve(file.kept_rows.size());
    const auto ngrams = all.begin() + static_cast<std::ptrdiff_t>(n_words);
    for (const uint32_t row : file.kept_rows)
      norms.push_back(ngrams[static_cast<std::ptrdiff_t>(row)]);
    std::ranges::copy(norms, ngrams);
  }
  matrix.kept_buckets = std::move(file.kept_buckets);
  return {};
}

}  // namespace

Result<Matrix> open_fasttext(const SourceFiles& sources, const Options& options) {
  AMBRY_TRY(fasttext::File file, fasttext::parse(sources.main()));
  Matrix matrix;
  note_fasttext(file, matrix);
  matrix.store.offset = file.data_offset;
  matrix.store.rows = file.rows;
  matrix.store.dims = matrix.facts.dims = file.args.dims;
  if (file.quantizer) {
    matrix.store.codebook = Codebook{file.quantizer->n_groups,
                                     file.quantizer->group,
                                     file.quantizer->last_group,
                                     fasttext::kCentroids,
                                     std::move(file.quantizer->centroids),
                                     {},
                                     std::move(file.row_norms)};
  }
  matrix.facts.raw = true;
  matrix.facts.to_run = options.to_run;
  matrix.facts.metadata = fasttext::metadata_of(file.args);
  AMBRY_RETURN_IF_ERROR(set_fasttext_vocabulary(file, options, matrix));
  if (file.has_subwords() && file.pruned) {
    AMBRY_RETURN_IF_ERROR(sort_kept_rows(sources.main(), file, matrix));
  }
  AMBRY_RETURN_IF_ERROR(fit(options, matrix));
  AMBRY_RETURN_IF_ERROR(name_words(options, matrix));
  note_rule(options, matrix);
  return matrix;
}

Result<Matrix> open_finalfusion(const SourceFiles& sources, const Options& options) {
  AMBRY_TRY(SourceModel source, read_source(sources, "finalfusion"));
  io::Diagnostics problems;
  finalfusion::check(source.model, problems);
  if (!problems.errors.empty()) return std::move(problems.errors.front());
  Matrix matrix;
  matrix.warnings = std::move(source.warnings);
  matrix.facts.words = std::move(*source.model.words);
  AMBRY_TRY(matrix.store, open_finalfusion_rows(sources.main(), source.model));
  matrix.facts.dims = matrix.store.dims;
  const bool trained = word_target_kind(options.to).lengths == WordTargetKind::Lengths::Trained;
  if (const auto* norms = find_tensor(source.model, finalfusion::kNorms)) {
    if (options.unnormalize || trained) {
      AMBRY_TRY(matrix.norms, read_floats(sources.main(), *norms));
    } else {
      matrix.warnings.push_back(left_out("norms", "the original lengths of the word vectors"));
    }
  }
  if (trained && matrix.facts.words.kind == WordVocabularyKind::FastText) {
    matrix.mixing = Mixing::Separate;
    matrix.facts.words.rule = model::NgramRule::FastText;
  }
  if (!source.model.metadata_text.empty()) {
    matrix.warnings.push_back(left_out("metadata", "the file's metadata"));
  }
  AMBRY_RETURN_IF_ERROR(fit(options, matrix));
  return matrix;
}

}  // namespace ambry::convert
