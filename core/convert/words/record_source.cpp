#include "convert/words/record_source.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/utf8.h"
#include "model/vocabulary/repeated_tokens.h"

namespace ambry::convert {

namespace wordvec = formats::wordvec;

namespace {

// Rows that are left out are named up to this number, then only counted.
constexpr uint64_t kNamed = 10;

std::string row_path(uint64_t index) { return concat({"rows[", index, "]"}); }

}  // namespace

Result<WordSource::Advance> RecordSource::advance() {
  if (std::exchange(reading_, false)) reader_.add_filled();
  for (;;) {
    AMBRY_TRY(const auto record, reader_.next());
    if (record) {
      if (!listed_) {
        AMBRY_RETURN_IF_ERROR(list(*record));
        continue;
      }
      AMBRY_TRY(const Advance step, take(*record));
      if (step.kind == Advance::Kind::Rows) return step;
      continue;
    }
    const MutableBytes room = reader_.room();
    if (!room.empty()) {
      reading_ = true;
      return read(reader_.file_offset(), room);
    }
    if (listed_) break;
    AMBRY_RETURN_IF_ERROR(finish_list());
    return Advance{Advance::Kind::Ready, 0, {}, {}};
  }
  const size_t rest = std::exchange(n_filled_, 0);
  return rest == 0 ? Advance{} : rows(std::span(block_).first(rest));
}

// The first pass: reads the word and checks whether the row is valid.
Result<void> RecordSource::list(const Record& record) {
  dropped_.push_back(false);
  const uint64_t dims = reader_.header().dims;
  if (record.word.empty()) {
    const bool line = form_ != wordvec::Form::Word2Vec;
    return drop(
        error_at(ErrorCode::BadValue, record.offset, row_path(record.index),
                 {reader_.place(record.index), line ? "the line is empty" : "the word is empty"}));
  }
  if (dims == 0) {
    return error_at(ErrorCode::BadValue, record.offset, row_path(record.index),
                    {reader_.place(record.index), "no values follow the word"});
  }
  if (dims > wordvec::kMaxDims) {
    return error_at(ErrorCode::LimitExceeded, record.offset, row_path(record.index),
                    {reader_.place(record.index), "the row has ", dims, " values, but at most ",
                     wordvec::kMaxDims, " are supported"});
  }
  if (record.n_values != dims) {
    return drop(error_at(
        ErrorCode::Mismatch, record.offset, row_path(record.index),
        {reader_.place(record.index), "the row has ", record.n_values, " values, but ",
         form_ == wordvec::Form::Text ? "the first row has " : "the first line states ", dims}));
  }
  return form_ == wordvec::Form::Floret ? Result<void>() : add_word(record);
}

Result<void> RecordSource::add_word(const Record& record) {
  model::Vocabulary& words = facts_.words.words;
  const auto fail = [&](ErrorCode code, uint64_t offset, const char* message) {
    return error_at(code, offset, row_path(record.index) + ".word",
                    {reader_.place(record.index), message});
  };
  // U+FFFD takes at most three bytes for one byte.
  if (words.text_bytes() + 3 * record.word.size() > UINT32_MAX || words.size() == UINT32_MAX) {
    return fail(ErrorCode::LimitExceeded, record.offset, "the words take more than 4 GiB");
  }
  const auto bad = find_invalid_utf8(record.word);
  if (!bad) {
    words.push_back(record.word);
    return {};
  }
  if (!lossy_) return fail(ErrorCode::BadValue, record.offset + *bad, "not valid UTF-8");
  ++n_replaced_;
  words.push_back(replace_invalid_utf8(record.word));
  return {};
}

Result<void> RecordSource::drop(Failure problem) {
  if (!lossy_) return problem;
  dropped_.back() = true;
  ++n_dropped_;
  if (n_dropped_ > kNamed) return {};
  problem->message += "; left out";
  warnings_.push_back(std::move(problem));
  return {};
}

// Keeps the first of repeated words.
Result<void> RecordSource::drop_repeated() {
  model::Vocabulary& words = facts_.words.words;
  const auto repeated = model::find_repeated_tokens(words, lossy_ ? words.size() : 1);
  if (repeated.count == 0) return {};
  // The words are counted without the rows left out so far.
  std::vector<uint32_t> row_of;
  row_of.reserve(words.size());
  for (size_t row = 0; row < dropped_.size(); ++row) {
    if (!dropped_[row]) row_of.push_back(static_cast<uint32_t>(row));
  }
  model::Vocabulary kept;
  auto next = repeated.examples.begin();
  for (size_t i = 0; i < words.size(); ++i) {
    if (next == repeated.examples.end() || next->second != i) {
      kept.push_back(words[i]);
      continue;
    }
    Failure problem = make_error(
        ErrorCode::BadValue, row_path(row_of[i]) + ".word",
        {reader_.place(row_of[i]), "\"", words[i], "\" is already in row ", row_of[next->first]});
    if (!lossy_) return problem;
    dropped_[row_of[i]] = true;
    ++n_dropped_;
    problem->message += "; left out";
    if (n_dropped_ <= kNamed) warnings_.push_back(std::move(problem));
    ++next;
  }
  words = std::move(kept);
  return {};
}

void RecordSource::set_floret() {
  const wordvec::Header& header = reader_.header();
  model::WordVocabulary& words = facts_.words;
  words.kind = model::WordVocabularyKind::Floret;
  words.min_n = header.min_n;
  words.max_n = header.max_n;
  words.n_buckets = header.rows;
  words.n_hashes = header.n_hashes;
  words.seed = header.seed;
  words.bow = header.bow;
  words.eow = header.eow;
}

Result<void> RecordSource::finish_list() {
  facts_.dims = reader_.header().dims;
  if (form_ == wordvec::Form::Floret) {
    // A bucket is the index of its row, so no row can be left out.
    if (n_dropped_ > 0) return std::move(warnings_.front());
    set_floret();
  } else {
    AMBRY_RETURN_IF_ERROR(drop_repeated());
    facts_.raw = true;
    facts_.words.n_words = facts_.words.words.size();
    if (facts_.words.n_words == 0) {
      return error_at(ErrorCode::BadValue, 0, "rows", "the file has no words");
    }
  }
  if (n_dropped_ > kNamed) {
    warnings_.push_back(
        make_error(ErrorCode::BadValue, "rows", {n_dropped_, " rows are left out in total"}));
  }
  if (n_replaced_ > 0) {
    warnings_.push_back(
        make_error(ErrorCode::BadValue, "rows",
                   {n_replaced_, " words are not valid UTF-8 and have U+FFFD instead"}));
  }
  listed_ = true;
  reader_.restart();
  const uint64_t n_rows = std::max<uint64_t>(1, kBlockValues / facts_.dims);
  block_.resize(static_cast<size_t>(std::min(n_rows, facts_.words.n_rows()) * facts_.dims));
  return {};
}

// The second pass: reads the values. Returns rows when the block is full.
Result<WordSource::Advance> RecordSource::take(const Record& record) {
  if (dropped_[static_cast<size_t>(record.index)]) return Advance{};
  const auto dims = static_cast<size_t>(facts_.dims);
  AMBRY_RETURN_IF_ERROR(reader_.read_values(record, std::span(block_).subspan(n_filled_, dims)));
  n_filled_ += dims;
  if (n_filled_ < block_.size()) return Advance{};
  n_filled_ = 0;
  return rows(block_);
}

}  // namespace ambry::convert
