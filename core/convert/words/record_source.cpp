#include "convert/words/record_source.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/utf8.h"
#include "convert/words/valid_words.h"
#include "formats/wordvec/text_rows.h"
#include "model/vocabulary/repeated_tokens.h"

namespace ambry::convert {

namespace wordvec = formats::wordvec;

namespace {

// Rows that are left out are named up to this number, then only counted.
constexpr uint64_t kNamed = 10;
// One word in so many may end like a number of its vector.
constexpr uint64_t kRowsOfAnOddWord = 20;

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
  if (dims == 0) {
    return error_at(ErrorCode::BadValue, record.offset, row_path(record.index),
                    {reader_.place(record.index), "no values follow the word"});
  }
  if (dims > wordvec::kMaxDims) {
    return error_at(ErrorCode::LimitExceeded, record.offset, row_path(record.index),
                    {reader_.place(record.index), "the row has ", dims, " values, but at most ",
                     wordvec::kMaxDims, " are supported"});
  }
  if (record.n_values != dims) return drop(other_length(record));
  if (form_ == wordvec::Form::Floret) return {};
  if (!record.word.empty()) return add_word(record);
  leave_out(error_at(ErrorCode::BadValue, record.offset, row_path(record.index),
                     {reader_.place(record.index), "the word is empty"}));
  return {};
}

Failure RecordSource::other_length(const Record& record) const {
  // The word may have begun to be the vector.
  const uint64_t extra = record.has_odd_word ? wordvec::count_fields(record.word) - 1 : 0;
  const uint64_t before = static_cast<uint64_t>(record.word.data() - record.line.data());
  const bool at_end = record.offset - before + record.line.size() == reader_.file_bytes();
  if (at_end && record.n_values + extra < reader_.header().dims) {
    return error_at(ErrorCode::Truncated, record.offset, row_path(record.index),
                    {reader_.place(record.index), "the file ends in the row, after ",
                     counted(record.n_values + extra, "value"), " of ", reader_.header().dims});
  }
  return error_at(
      ErrorCode::Mismatch, record.offset, row_path(record.index),
      {reader_.place(record.index), "the row has ", counted(record.n_values + extra, "value"),
       form_ == wordvec::Form::Text ? ", but other rows have " : ", but the first line states ",
       reader_.header().dims});
}

Result<void> RecordSource::add_word(const Record& record) {
  model::Vocabulary& words = facts_.words.words;
  // U+FFFD takes at most three bytes for one byte.
  if (words.text_bytes() + 3 * record.word.size() > UINT32_MAX || words.size() == UINT32_MAX) {
    return error_at(ErrorCode::LimitExceeded, record.offset, row_path(record.index) + ".word",
                    {reader_.place(record.index), "the words take more than 4 GiB"});
  }
  if (record.has_odd_word) {
    if (!first_odd_) first_odd_ = Error(other_length(record));
    odd_words_.push_back(static_cast<uint32_t>(words.size()));
  } else if (std::ranges::any_of(record.word, wordvec::is_space)) {
    if (n_with_spaces_++ == 0) first_with_space_ = record.word;
  }
  words.push_back(record.word);
  return {};
}

// A row that cannot be read: an error, or a warning if the conversion is lossy.
Result<void> RecordSource::drop(Failure problem) {
  if (!lossy_) return problem;
  leave_out(std::move(problem));
  return {};
}

// Leaves the row out that was listed last.
void RecordSource::leave_out(Failure problem) {
  dropped_.back() = true;
  if (++n_dropped_ > kNamed) return;
  problem->message += "; left out";
  warnings_.push_back(std::move(problem));
}

void RecordSource::warn(const Text& message) {
  warnings_.push_back(make_error(ErrorCode::BadValue, "rows", message));
}

// A few words may end in a number, such as `windows 3.1`. Where more rows look so, these have
// another length.
Result<void> RecordSource::settle_odd_words() {
  const uint64_t n_odd = odd_words_.size();
  if (n_odd == 0) return {};
  if (n_odd * kRowsOfAnOddWord <= facts_.words.words.size()) {
    warn({counted(n_odd, "word"), n_odd == 1 ? " ends" : " end",
          " in a number, which may be a number too many of the vector: ", first_odd_->message});
    return {};
  }
  if (!lossy_) return *first_odd_;
  std::vector<bool> unwanted(facts_.words.words.size());
  for (const uint32_t word : odd_words_) unwanted[word] = true;
  drop_words(unwanted);
  warn({counted(n_odd, "row"), n_odd == 1 ? " is" : " are", " left out: ", first_odd_->message});
  return {};
}

// Leaves words out, and their rows.
void RecordSource::drop_words(const std::vector<bool>& unwanted) {
  model::Vocabulary kept;
  size_t word = 0;
  for (size_t row = 0; row < dropped_.size(); ++row) {
    if (dropped_[row]) continue;
    dropped_[row] = unwanted[word];
    if (!unwanted[word]) kept.push_back(facts_.words.words[word]);
    ++word;
  }
  facts_.words.words = std::move(kept);
}

// Keeps the first of repeated words.
void RecordSource::drop_repeated() {
  const model::Vocabulary& words = facts_.words.words;
  const auto repeated = model::find_repeated_tokens(words, words.size());
  if (repeated.count == 0) return;
  std::vector<bool> unwanted(words.size());
  for (const auto& [first, again] : repeated.examples) unwanted[again] = true;
  const auto& [first, again] = repeated.examples.front();
  warn({counted(repeated.count, "row"), repeated.count == 1 ? " repeats" : " repeat",
        " a word, and the first row of a word counts; such as \"",
        replace_invalid_utf8(words[again]), "\""});
  drop_words(unwanted);
}

// Words that are not UTF-8 are shown with U+FFFD.
Result<void> RecordSource::name_words() {
  model::Vocabulary& words = facts_.words.words;
  if (const uint64_t n_invalid = count_invalid(words); n_invalid > 0) {
    warn({counted(n_invalid, "word"), n_invalid == 1 ? " is" : " are",
          " not valid UTF-8 and shown with U+FFFD"});
    if (facts_.to_run) return {};
    AMBRY_TRY(ValidWords valid, make_valid(words));
    words = std::move(valid.words);
  }
  return {};
}

void RecordSource::warn_of_lines() {
  const wordvec::PassedLines& passed = reader_.passed();
  if (passed.has_mark) warn("the file begins with a byte order mark, which is left out");
  if (passed.n_blank > 0) warn({counted(passed.n_blank, "empty line"), " left out"});
  if (passed.n_comments > 0) warn({counted(passed.n_comments, "line"), " of comment left out"});
  if (n_with_spaces_ == 0) return;
  warn({counted(n_with_spaces_, "word"), n_with_spaces_ == 1 ? " has" : " have",
        " spaces, such as \"", replace_invalid_utf8(first_with_space_), "\""});
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

Result<void> RecordSource::finish_words() {
  AMBRY_RETURN_IF_ERROR(settle_odd_words());
  drop_repeated();
  AMBRY_RETURN_IF_ERROR(name_words());
  facts_.raw = true;
  facts_.words.n_words = facts_.words.words.size();
  if (facts_.words.n_words > 0) return {};
  return error_at(ErrorCode::BadValue, 0, "rows", "the file has no words");
}

Result<void> RecordSource::finish_list() {
  facts_.dims = reader_.header().dims;
  warn_of_lines();
  if (form_ == wordvec::Form::Floret) {
    // A bucket is the index of its row, so no row can be left out.
    if (n_dropped_ > 0) return std::move(warnings_.front());
    set_floret();
  } else {
    AMBRY_RETURN_IF_ERROR(finish_words());
  }
  if (n_dropped_ > kNamed) warn({n_dropped_, " rows are left out in total"});
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
