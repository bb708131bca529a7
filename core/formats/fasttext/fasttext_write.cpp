#include "formats/fasttext/fasttext_write.h"

#include "formats/fasttext/fasttext_layout.h"
#include "io/byte_writer.h"

namespace ambry::formats::fasttext {
namespace {

// The training options are unknown. Those that the rows need are right; the others have no meaning.
void put_args(const model::WordVocabulary& words, uint64_t dims, io::ByteWriter& writer) {
  constexpr uint32_t kHierarchicalSoftmax = 1;
  constexpr uint32_t kCbow = 1;
  writer.put(static_cast<uint32_t>(dims));
  for (int i = 0; i < 4; ++i) writer.put(uint32_t{0});  // ws, epoch, minCount, neg
  writer.put(uint32_t{1});                              // wordNgrams
  writer.put(kHierarchicalSoftmax);
  writer.put(kCbow);
  writer.put(static_cast<uint32_t>(words.n_buckets));
  writer.put(words.min_n);
  writer.put(words.max_n);
  writer.put(uint32_t{0});  // lrUpdateRate
  writer.put(0.0);          // t
}

}  // namespace

bool can_hold(std::string_view word) {
  return !word.empty() && word.size() < kMaxWordBytes && word.find('\0') == std::string_view::npos;
}

Result<std::vector<uint8_t>> put_head(const model::WordVocabulary& words, uint64_t dims) {
  using model::WordVocabularyKind;
  if (words.kind != WordVocabularyKind::FastText && words.kind != WordVocabularyKind::Simple) {
    return make_error(ErrorCode::Unsupported, "vocabulary",
                      {"fastText has no n-grams as a vocabulary of the kind ",
                       word_vocabulary_kind_name(words.kind), " has them"});
  }
  if (words.n_words > INT32_MAX || words.n_buckets > INT32_MAX || words.max_n > INT32_MAX ||
      dims > kMaxDims) {
    return make_error(ErrorCode::LimitExceeded, "vocabulary", "too large for fastText");
  }
  io::ByteWriter writer;
  writer.put_text(kMagic);
  writer.put(kVersion);
  put_args(words, dims, writer);
  const auto n_words = static_cast<uint32_t>(words.n_words);
  writer.put(n_words);      // entries
  writer.put(n_words);      // of these, words
  writer.put(uint32_t{0});  // and labels
  writer.put(uint64_t{0});  // tokens
  writer.put(kNotPruned);
  for (size_t i = 0; i < words.words.size(); ++i) {
    writer.put_text(words.words[i]);
    writer.put(uint8_t{0});
    writer.put(uint64_t{0});  // number of occurrences
    writer.put(kWordEntry);
  }
  writer.put(uint8_t{0});  // not quantized
  writer.put(words.n_rows());
  writer.put(dims);
  return writer.take();
}

}  // namespace ambry::formats::fasttext
