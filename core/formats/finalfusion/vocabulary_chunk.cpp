#include "formats/finalfusion/vocabulary_chunk.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/utf8.h"
#include "formats/finalfusion/finalfusion_layout.h"

namespace ambry::formats::finalfusion {
namespace {

using model::WordVocabularyKind;

// A run of `u32 length, text, …` records: words, or n-grams with an index each.
struct Records {
  const char* name;
  uint64_t count;
  uint64_t begin;
  uint64_t tail_bytes;  // bytes of a record after its text

  [[nodiscard]] uint64_t least_bytes() const { return kWordBytes + tail_bytes; }
};

class VocabularyReader {
 public:
  VocabularyReader(const io::Source& source, io::ByteReader& reader, const ChunkHead& head,
                   bool any_bytes, io::Diagnostics& diagnostics)
      : source_(source), reader_(reader), head_(head), diagnostics_(diagnostics) {
    words_.any_bytes = any_bytes;
  }

  Result<void> read_fields();
  // Whether the stated length leads to a chunk that can follow, so that the words can be skipped.
  Result<bool> can_skip();
  Result<void> read_words();
  Result<void> read_ngrams();

  [[nodiscard]] model::WordVocabulary take() { return std::move(words_); }
  [[nodiscard]] uint64_t words_begin() const { return words_begin_; }
  [[nodiscard]] uint64_t words_end() const { return words_end_; }
  [[nodiscard]] uint64_t end() const { return std::max(words_end_, ngrams_end_); }
  void set_skipped() { words_end_ = head_.stated_end(); }
  void check_stated_length();

 private:
  Result<void> read_counts(bool with_ngrams);
  Result<void> read_lengths();
  Result<void> read_buckets();
  Result<void> read_floret();
  Result<void> read_bracket(const char* field, std::string& out);
  Result<Bytes> view(const Records& records, uint64_t end);
  Result<uint64_t> find_end(const Records& records);
  Result<std::string_view> text_at(const Records& records, Bytes bytes, uint64_t& at, uint64_t i);
  Result<void> add_ngram_row(uint64_t i, uint64_t row, uint64_t at, std::vector<bool>& seen);

  const io::Source& source_;
  io::ByteReader& reader_;
  const ChunkHead& head_;
  io::Diagnostics& diagnostics_;
  model::WordVocabulary words_;
  uint64_t n_ngrams_ = 0;
  uint64_t n_ngrams_at_ = 0;
  uint64_t words_begin_ = 0;
  uint64_t words_end_ = 0;
  uint64_t ngrams_end_ = 0;
  bool in_order_ = true;  // whether n-gram indices first appear as 0, 1, 2, …
};

Result<void> VocabularyReader::read_fields() {
  AMBRY_RETURN_IF_ERROR(want(source_, reader_.position(), kMaxVocabularyFields));
  switch (head_.id) {
    case kBucketVocab:
      words_.kind = WordVocabularyKind::Bucket;
      break;
    case kFastTextVocab:
      words_.kind = WordVocabularyKind::FastText;
      if (words_.any_bytes) words_.rule = model::NgramRule::FastText;
      break;
    case kExplicitVocab:
      words_.kind = WordVocabularyKind::Explicit;
      break;
    case kFloretVocab:
      words_.kind = WordVocabularyKind::Floret;
      return read_floret();
    default:
      break;
  }
  const bool with_ngrams = words_.kind == WordVocabularyKind::Explicit;
  AMBRY_RETURN_IF_ERROR(read_counts(with_ngrams));
  if (words_.kind == WordVocabularyKind::Simple) return {};
  AMBRY_RETURN_IF_ERROR(read_lengths());
  if (!with_ngrams) AMBRY_RETURN_IF_ERROR(read_buckets());
  words_begin_ = reader_.position();
  return {};
}

Result<void> VocabularyReader::read_counts(bool with_ngrams) {
  const uint64_t at = reader_.position();
  AMBRY_TRY(words_.n_words, reader_.read<uint64_t>("n_words"));
  AMBRY_RETURN_IF_ERROR(reader_.check_count(words_.n_words, kWordBytes, "n_words", at));
  if (with_ngrams) {
    n_ngrams_at_ = reader_.position();
    AMBRY_TRY(n_ngrams_, reader_.read<uint64_t>("n_ngrams"));
    AMBRY_RETURN_IF_ERROR(reader_.check_count(n_ngrams_, kNgramBytes, "n_ngrams", n_ngrams_at_));
  }
  words_begin_ = reader_.position();
  return {};
}

Result<void> VocabularyReader::read_lengths() {
  const uint64_t at = reader_.position();
  AMBRY_TRY(words_.min_n, reader_.read<uint32_t>("min_n"));
  AMBRY_TRY(words_.max_n, reader_.read<uint32_t>("max_n"));
  if (words_.min_n >= 1 && words_.min_n <= words_.max_n) return {};
  return reader_.fail(ErrorCode::BadValue, at, "min_n",
                      {"n-grams of ", words_.min_n, " to ", words_.max_n, " characters"});
}

Result<void> VocabularyReader::read_buckets() {
  const uint64_t at = reader_.position();
  if (words_.kind == WordVocabularyKind::FastText) {
    AMBRY_TRY(words_.n_buckets, reader_.read<uint32_t>("buckets"));
    if (words_.n_buckets > 0) return {};
    return reader_.fail(ErrorCode::BadValue, at, "buckets", "there must be a bucket");
  }
  AMBRY_TRY(const auto exponent, reader_.read<uint32_t>("bucket_exponent"));
  if (exponent > kMaxBucketExponent) {
    return reader_.fail(ErrorCode::BadValue, at, "bucket_exponent",
                        {exponent, ", must be below 64"});
  }
  if (exponent == 0) {
    diagnostics_.tolerate(reader_.fail(ErrorCode::BadValue, at, "bucket_exponent",
                                       "one bucket only, which some readers refuse"));
  }
  words_.n_buckets = uint64_t{1} << exponent;
  return {};
}

Result<void> VocabularyReader::read_floret() {
  AMBRY_RETURN_IF_ERROR(read_lengths());
  const uint64_t buckets_at = reader_.position();
  AMBRY_TRY(words_.n_buckets, reader_.read<uint64_t>("n_buckets"));
  if (words_.n_buckets == 0) {
    return reader_.fail(ErrorCode::BadValue, buckets_at, "n_buckets", "there must be a bucket");
  }
  const uint64_t hashes_at = reader_.position();
  AMBRY_TRY(words_.n_hashes, reader_.read<uint32_t>("n_hashes"));
  if (words_.n_hashes == 0 || words_.n_hashes > kMaxHashes) {
    return reader_.fail(ErrorCode::BadValue, hashes_at, "n_hashes",
                        {words_.n_hashes, ", must be 1 to 4"});
  }
  AMBRY_TRY(words_.seed, reader_.read<uint32_t>("seed"));
  AMBRY_RETURN_IF_ERROR(read_bracket("bow", words_.bow));
  AMBRY_RETURN_IF_ERROR(read_bracket("eow", words_.eow));
  words_begin_ = words_end_ = reader_.position();
  return {};
}

Result<void> VocabularyReader::read_bracket(const char* field, std::string& out) {
  AMBRY_TRY(const auto length, reader_.read<uint32_t>(field));
  AMBRY_TRY(const auto text, reader_.read_utf8(length, field));
  out = text;
  return {};
}

Result<bool> VocabularyReader::can_skip() {
  if (words_.kind == WordVocabularyKind::Explicit) return false;
  const uint64_t end = head_.stated_end();
  if (end < words_begin_ + words_.n_words * kWordBytes || end > source_.size() ||
      source_.size() - end < kChunkHeadBytes) {
    return false;
  }
  AMBRY_RETURN_IF_ERROR(want(source_, end, kChunkHeadBytes + kQuantizedFields + kMaxPadding));
  AMBRY_TRY(const Bytes next, source_.view(end, sizeof(uint32_t), "storage.id"));
  return is_storage(load_le<uint32_t>(next.data()));
}

// The bytes of all records. A Vocabulary can hold at most 4 GiB.
Result<Bytes> VocabularyReader::view(const Records& records, uint64_t end) {
  if (end - records.begin > UINT32_MAX) {
    return reader_.fail(ErrorCode::LimitExceeded, records.begin, records.name, "more than 4 GiB");
  }
  return source_.view(records.begin, end - records.begin, reader_.path_of(records.name));
}

// Goes from length to length. Requests as much as the chunk's stated length. If that is too small,
// requests at least what the remaining records must take, and half as much again as there is, so
// that few requests are needed.
Result<uint64_t> VocabularyReader::find_end(const Records& records) {
  const uint64_t size = source_.size();
  uint64_t held_end = std::clamp(head_.stated_end(), records.begin, size);
  AMBRY_TRY(Bytes held, view(records, held_end));
  uint64_t position = records.begin;
  const auto fail = [&](uint64_t i, const Text& message) {
    const auto scope = reader_.enter(records.name, i);
    return reader_.fail(ErrorCode::Truncated, position, "length", message);
  };
  for (uint64_t i = 0; i < records.count; ++i) {
    if (size - position < kWordBytes) return fail(i, "the file ends before");
    if (position + kWordBytes > held_end) {
      const uint64_t least = position + (records.count - i) * records.least_bytes();
      held_end = std::min(std::max(least, held_end + (held_end - records.begin) / 2), size);
      AMBRY_TRY(held, view(records, held_end));
    }
    const auto length =
        load_le<uint32_t>(held.data() + static_cast<size_t>(position - records.begin));
    if (length + records.least_bytes() > size - position) {
      return fail(i, {length, " bytes pass the end of the file"});
    }
    position += length + records.least_bytes();
  }
  return position;
}

// The text of the record at `at`. Moves `at` to the next record.
Result<std::string_view> VocabularyReader::text_at(const Records& records, Bytes bytes,
                                                   uint64_t& at, uint64_t i) {
  const auto start = static_cast<size_t>(at - records.begin);
  const auto length = load_le<uint32_t>(bytes.data() + start);
  const std::string_view text = as_text(bytes.subspan(start + kWordBytes, length));
  const bool any = words_.any_bytes && records.tail_bytes == 0;  // a word
  if (const auto bad = any ? std::nullopt : find_invalid_utf8(text)) {
    const auto scope = reader_.enter(records.name, i);
    return reader_.fail(ErrorCode::BadValue, at + kWordBytes + *bad, "text", "not valid UTF-8");
  }
  at += kWordBytes + length;
  return text;
}

Result<void> VocabularyReader::read_words() {
  if (words_.kind == WordVocabularyKind::Floret) return {};
  const Records records{"words", words_.n_words, words_begin_, 0};
  AMBRY_TRY(words_end_, find_end(records));
  AMBRY_TRY(const Bytes bytes, view(records, words_end_));
  words_.words.reserve(static_cast<size_t>(records.count),
                       bytes.size() - static_cast<size_t>(records.count * kWordBytes));
  uint64_t at = records.begin;
  for (uint64_t i = 0; i < records.count; ++i) {
    AMBRY_TRY(const auto word, text_at(records, bytes, at, i));
    words_.words.push_back(word);
  }
  return {};
}

Result<void> VocabularyReader::read_ngrams() {
  if (words_.kind != WordVocabularyKind::Explicit) return {};
  const Records records{"ngrams", n_ngrams_, words_end_, kNgramIndexBytes};
  AMBRY_TRY(ngrams_end_, find_end(records));
  AMBRY_TRY(const Bytes bytes, view(records, ngrams_end_));
  const auto count = static_cast<size_t>(records.count);
  words_.ngrams.reserve(count, bytes.size() - count * kNgramBytes);
  words_.ngram_rows.reserve(count);
  std::vector<bool> seen(count);
  uint64_t at = records.begin;
  for (uint64_t i = 0; i < records.count; ++i) {
    AMBRY_TRY(const auto ngram, text_at(records, bytes, at, i));
    words_.ngrams.push_back(ngram);
    const auto row = load_le<uint64_t>(bytes.data() + static_cast<size_t>(at - records.begin));
    AMBRY_RETURN_IF_ERROR(add_ngram_row(i, row, at, seen));
    at += kNgramIndexBytes;
  }
  const auto gap = std::ranges::find(seen, false);
  const auto n_below = static_cast<uint64_t>(gap - seen.begin());
  if (n_below != words_.n_buckets) {
    diagnostics_.error(reader_.fail(ErrorCode::BadValue, n_ngrams_at_, "n_ngrams",
                                    {"no n-gram has the index ", n_below, ", but higher ones do"}));
  }
  return {};
}

Result<void> VocabularyReader::add_ngram_row(uint64_t i, uint64_t row, uint64_t at,
                                             std::vector<bool>& seen) {
  const auto scope = reader_.enter("ngrams", i);
  if (row >= seen.size()) {
    return reader_.fail(ErrorCode::BadValue, at, "index",
                        {row, ", but there are ", seen.size(), " n-grams only"});
  }
  const auto index = static_cast<size_t>(row);
  words_.ngram_rows.push_back(static_cast<uint32_t>(row));
  if (seen[index]) return {};
  seen[index] = true;
  // One reader numbers the rows by first appearance, the other uses the stored indices.
  if (in_order_ && row != words_.n_buckets) {
    in_order_ = false;
    diagnostics_.tolerate(reader_.fail(
        ErrorCode::BadValue, at, "index",
        {row, " appears before ", words_.n_buckets, "; readers disagree on the rows meant"}));
  }
  ++words_.n_buckets;
  return {};
}

void VocabularyReader::check_stated_length() {
  const uint64_t indices = n_ngrams_ * kNgramIndexBytes;
  if (n_ngrams_ > 0 && head_.length + indices == end() - head_.payload()) {
    diagnostics_.tolerate(reader_.fail(
        ErrorCode::Mismatch, head_.offset + 4, "len",
        {indices, " bytes too small: the indices are not counted, a fault of the Python writer"}));
    return;
  }
  check_length(reader_, head_, end(), source_.size(), diagnostics_);
}

}  // namespace

Result<uint64_t> read_vocabulary(const io::Source& source, io::ByteReader& reader,
                                 const ChunkHead& head, const model::ReadOptions& options,
                                 io::Diagnostics& diagnostics, model::Model& model) {
  VocabularyReader vocabulary(source, reader, head, model.words->any_bytes, diagnostics);
  AMBRY_RETURN_IF_ERROR(vocabulary.read_fields());
  bool skip = false;
  if (!options.vocabulary) AMBRY_TRY(skip, vocabulary.can_skip());
  if (skip) {
    vocabulary.set_skipped();
  } else {
    AMBRY_RETURN_IF_ERROR(vocabulary.read_words());
    AMBRY_RETURN_IF_ERROR(vocabulary.read_ngrams());
    vocabulary.check_stated_length();
  }
  const uint64_t words_begin = vocabulary.words_begin();
  const uint64_t words_end = vocabulary.words_end();
  model.regions.push_back({"vocabulary", head.offset, words_begin - head.offset});
  if (head.id != kFloretVocab) {
    model.regions.push_back({"vocabulary.words", words_begin, words_end - words_begin});
  }
  if (head.id == kExplicitVocab) {
    model.regions.push_back({"vocabulary.ngrams", words_end, vocabulary.end() - words_end});
  }
  model.words = vocabulary.take();
  return vocabulary.end();
}

}  // namespace ambry::formats::finalfusion
