#include <utility>

#include "formats/fasttext/fasttext_layout.h"
#include "formats/fasttext/fasttext_parse.h"
#include "model/vocabulary/repeated_tokens.h"

namespace ambry::formats::fasttext {
namespace {

using model::TextClassifier;

// The offset of an entry; `first` is the one of the list's first entry.
uint64_t entry_offset(const model::Vocabulary& texts, uint64_t first, uint64_t index) {
  return first + index * kEntryBytes + texts.text_offset(static_cast<size_t>(index));
}

// Repeated entries are errors of a classifier. Of word vectors, a lookup finds the first.
void check_unique(const model::Vocabulary& texts, uint64_t first_index, uint64_t first_offset,
                  bool is_error, io::Diagnostics& diagnostics) {
  const auto report = [&](Failure problem) {
    is_error ? diagnostics.error(std::move(problem)) : diagnostics.warn(std::move(problem));
  };
  const model::RepeatedTokens repeated = model::find_repeated_tokens(texts);
  for (const auto& [first, again] : repeated.examples) {
    report(error_at(ErrorCode::BadValue, entry_offset(texts, first_offset, again),
                    {"dictionary.entries[", first_index + again, "].word"},
                    {"the same text as entry ", first_index + first}));
  }
  if (repeated.count > repeated.examples.size()) {
    report(make_error(ErrorCode::BadValue, "dictionary.entries",
                      {repeated.count, " entries in all repeat an earlier one"}));
  }
}

void check_ngrams(const TextClassifier& classifier, io::Diagnostics& diagnostics) {
  const auto too_long = [&](const char* path, uint64_t offset, uint32_t length) {
    if (length <= model::kMaxNgramLength) return;
    diagnostics.error(
        error_at(ErrorCode::LimitExceeded, offset, path,
                 {"n-grams of up to ", length, ", at most ", model::kMaxNgramLength, " are run"}));
  };
  too_long("header.wordNgrams", kWordNgramsAt, classifier.word_ngrams);
  too_long("header.maxn", kMaxNAt, classifier.max_n);
  const bool hashes = classifier.word_ngrams > 1 || classifier.max_n > 0;
  if (hashes && classifier.n_buckets == 0) {
    diagnostics.error(error_at(ErrorCode::Mismatch, kBucketAt, "header.bucket",
                               "there are n-grams, but no buckets for them"));
  }
}

// The tree of hierarchical softmax is made of the labels' counts.
void check_counts(const TextClassifier& classifier, uint64_t first_label,
                  io::Diagnostics& diagnostics) {
  if (classifier.loss != model::LabelLoss::HierarchicalSoftmax) return;
  for (size_t i = 0; i < classifier.label_counts.size(); ++i) {
    if (classifier.label_counts[i] < kMaxLabelCount) continue;
    const uint64_t next = entry_offset(classifier.labels, first_label, i + 1);
    diagnostics.error(
        error_at(ErrorCode::BadValue, next - kEntryBytes + 1,
                 {"dictionary.entries[", classifier.n_words + i, "].count"},
                 {classifier.label_counts[i], " occurrences, must be below ", kMaxLabelCount}));
    return;
  }
}

}  // namespace

void check(const model::Model& model, io::Diagnostics& diagnostics) {
  constexpr uint64_t kEntriesAt = kHeaderBytes + kDictionaryBytes;
  if (model.words) check_unique(model.words->words, 0, kEntriesAt, false, diagnostics);
  if (!model.text_classifier) return;
  const TextClassifier& classifier = *model.text_classifier;
  if (classifier.labels.empty()) {
    diagnostics.error(error_at(ErrorCode::BadValue, kLabelCountAt, "dictionary.nlabels",
                               "a classifier without labels"));
  }
  check_ngrams(classifier, diagnostics);
  if (classifier.pruned && classifier.input_group == 0) {
    diagnostics.error(error_at(ErrorCode::Unsupported, kPrunedAt, "dictionary.pruneidx_size",
                               "a pruned model that is not quantized: programs of 2017 wrote such "
                               "files wrongly; get the model again, or train it again"));
  }
  if (classifier.words.size() != classifier.n_words) return;
  const uint64_t labels_at = entry_offset(classifier.words, kEntriesAt, classifier.n_words);
  check_unique(classifier.words, 0, kEntriesAt, true, diagnostics);
  check_unique(classifier.labels, classifier.n_words, labels_at, true, diagnostics);
  check_counts(classifier, labels_at, diagnostics);
}

}  // namespace ambry::formats::fasttext
