#include "formats/wordvec/record_reader.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/checked.h"
#include "base/utf8.h"
#include "formats/wordvec/text_rows.h"
#include "io/number/parse_float.h"

namespace ambry::formats::wordvec {
namespace {

constexpr size_t kBufferBytes = 4 << 20;

uint64_t count_code_points(std::string_view text) {
  uint64_t count = 0;
  for (size_t at = 0; at < text.size(); at += decode_utf8(text, at).n_bytes) ++count;
  return count;
}

}  // namespace

RecordReader::RecordReader(Form form, uint64_t file_bytes)
    : form_(form), file_bytes_(file_bytes), has_header_(form == Form::Text) {
  buffer_.resize(static_cast<size_t>(std::min<uint64_t>(file_bytes, kBufferBytes)));
}

std::string_view RecordReader::unread() const {
  return as_text(Bytes(buffer_).subspan(begin_, filled_ - begin_));
}

MutableBytes RecordReader::room() {
  wanted_ = 0;
  if (at_file_end()) return {};
  std::ranges::copy(Bytes(buffer_).subspan(begin_, filled_ - begin_), buffer_.begin());
  buffer_at_ += begin_;
  filled_ -= begin_;
  begin_ = 0;
  if (filled_ > buffer_.size() / 2) buffer_.resize(buffer_.size() * 2);  // for a long record
  const uint64_t left = file_bytes_ - file_offset();
  wanted_ = static_cast<size_t>(std::min<uint64_t>(left, buffer_.size() - filled_));
  return MutableBytes(buffer_).subspan(filled_, wanted_);
}

void RecordReader::add_filled() {
  filled_ += wanted_;
  wanted_ = 0;
}

void RecordReader::restart() {
  has_header_ = form_ == Form::Text;
  n_read_ = 0;
  passed_ = {};
  passed_before_.clear();
  buffer_at_ = 0;
  begin_ = 0;
  filled_ = 0;
  wanted_ = 0;
}

Failure RecordReader::fail(ErrorCode code, uint64_t offset, const char* field,
                           const Text& message) const {
  return error_at(code, offset, {"rows[", n_read_, "]", field}, {place(n_read_), message.str()});
}

std::string RecordReader::place(uint64_t row) const {
  if (form_ == Form::Word2Vec) return {};
  return concat({"line ", line_of(row), ": "});
}

// The number of a row's line, from 1. A header is the first line that is not passed over.
uint64_t RecordReader::line_of(uint64_t row) const {
  const auto next =
      std::ranges::upper_bound(passed_before_, row, {}, &std::pair<uint64_t, uint64_t>::first);
  const uint64_t n_passed = next == passed_before_.begin() ? 0 : std::prev(next)->second;
  return row + n_passed + (form_ == Form::Text ? 1 : 2);
}

// More rows than the header states.
Failure RecordReader::too_many(uint64_t offset) const {
  return error_at(ErrorCode::Mismatch, offset, "header.rows",
                  {place(n_read_), "more follows the ", counted(header_.rows, "row")});
}

Result<std::optional<Record>> RecordReader::next() {
  if (!skip_mark()) return std::optional<Record>();
  if (!has_header_) {
    AMBRY_RETURN_IF_ERROR(read_header());
    if (!has_header_) return std::optional<Record>();
  }
  return form_ == Form::Word2Vec ? next_binary() : next_line();
}

// Skips a byte order mark, with which some programs begin a text. Returns false when more bytes are
// needed.
bool RecordReader::skip_mark() {
  if (position() != 0) return true;
  const std::string_view text = unread();
  if (text.size() < kByteOrderMark.size()) return at_file_end();
  passed_.has_mark = text.starts_with(kByteOrderMark);
  if (passed_.has_mark) begin_ = kByteOrderMark.size();
  return true;
}

// Whether the line is no row.
bool RecordReader::pass_over(std::string_view line) {
  const bool blank = is_blank(line);
  if (!blank && !is_comment(line, header_.dims)) return false;
  ++(blank ? passed_.n_blank : passed_.n_comments);
  if (passed_before_.empty() || passed_before_.back().first != n_read_) {
    passed_before_.emplace_back(n_read_, 0);
  }
  passed_before_.back().second = passed_.n_blank + passed_.n_comments;
  return true;
}

void RecordReader::skip_spaces() {
  while (begin_ < filled_ && is_space(static_cast<char>(buffer_[begin_]))) ++begin_;
}

// A line without its end, which the last line of a file may not have. Returns nothing when the line
// continues in missing bytes or when there is none.
Result<std::optional<std::string_view>> RecordReader::take_line(uint64_t limit) {
  using Line = std::optional<std::string_view>;
  const std::string_view text = unread();
  const size_t end = text.find('\n');
  if (std::min(end, text.size()) > limit) {
    return error_at(ErrorCode::LimitExceeded, position(), has_header_ ? "rows" : "header",
                    {"a line of more than ", limit, " bytes"});
  }
  if (end != std::string_view::npos) {
    begin_ += end + 1;
    return Line(text.substr(0, end));
  }
  if (!at_file_end() || text.empty()) return Line();
  begin_ = filled_;
  return Line(text);
}

Result<void> RecordReader::read_header() {
  AMBRY_TRY(auto line, take_line(kMaxHeaderBytes));
  while (line && pass_over(*line)) {
    AMBRY_TRY(line, take_line(kMaxHeaderBytes));
  }
  if (!line) {
    if (!at_file_end()) return {};
    return error_at(ErrorCode::Truncated, 0, "header", "the file is empty");
  }
  AMBRY_TRY(header_, parse_header(form_, *line));
  AMBRY_RETURN_IF_ERROR(check_rows_fit());
  has_header_ = true;
  return {};
}

// Runs before anything is reserved for the rows.
Result<void> RecordReader::check_rows_fit() const {
  // A word of one letter and a space; or digits, each after a space, and an end of line.
  const uint64_t least = 2 + header_.dims * (form_ == Form::Word2Vec ? sizeof(float) : 2);
  const uint64_t left = file_bytes_ - position() + 1;  // the last line may have no end
  if (header_.rows <= left / least) return {};
  return error_at(ErrorCode::Truncated, 0, "header.rows",
                  {form_ == Form::Word2Vec ? "" : "line 1: ", counted(header_.rows, "row"), " of ",
                   counted(header_.dims, "number"), header_.rows == 1 ? " passes" : " pass",
                   " the end of the file"});
}

Result<std::optional<Record>> RecordReader::next_binary() {
  skip_spaces();  // some programs end each vector with a line feed
  if (n_read_ == header_.rows) {
    if (begin_ == filled_) return std::optional<Record>();
    return too_many(position());
  }
  const std::string_view text = unread();
  const size_t end = text.find(' ');
  if (std::min(end, text.size()) > kMaxWordBytes) {
    return fail(ErrorCode::LimitExceeded, position(), ".word",
                {"a word of more than ", kMaxWordBytes, " bytes"});
  }
  const uint64_t vector_bytes = header_.dims * sizeof(float);
  if (end == std::string_view::npos || text.size() - end - 1 < vector_bytes) {
    if (!at_file_end()) return std::optional<Record>();
    return fail(ErrorCode::Truncated, position(), "",
                {"the file ends before it; ", counted(header_.rows, "row"),
                 header_.rows == 1 ? " is stated" : " are stated"});
  }
  const Record record{n_read_,
                      position(),
                      text.substr(0, end),
                      text.substr(end + 1, static_cast<size_t>(vector_bytes)),
                      header_.dims,
                      {},
                      false};
  begin_ += end + 1 + record.values.size();
  ++n_read_;
  return std::optional(record);
}

Result<std::optional<Record>> RecordReader::next_line() {
  for (;;) {
    AMBRY_TRY(const auto line, take_line(kMaxLineBytes));
    if (!line) return end_of_lines();
    if (form_ == Form::Text && !has_width_ && !is_blank(*line)) {
      has_width_ = true;
      const auto seen = static_cast<size_t>(line->data() - as_text(buffer_).data());
      header_.dims = usual_width(as_text(buffer_).substr(seen, filled_ - seen), at_file_end());
    }
    if (!pass_over(*line)) return record_of(*line);
  }
}

Result<std::optional<Record>> RecordReader::end_of_lines() {
  if (!at_file_end()) return std::optional<Record>();
  if (form_ == Form::Text) header_.rows = n_read_;
  if (n_read_ == header_.rows) return std::optional<Record>();
  return error_at(ErrorCode::Mismatch, 0, "header.rows",
                  {"line 1: ", counted(header_.rows, "row"), header_.rows == 1 ? " is" : " are",
                   " stated, but the file has ", n_read_});
}

Result<std::optional<Record>> RecordReader::record_of(std::string_view line) {
  const uint64_t offset = buffer_at_ + static_cast<uint64_t>(line.data() - as_text(buffer_).data());
  if (form_ != Form::Text && n_read_ == header_.rows) return too_many(offset);
  const bool has_words = form_ != Form::Floret;
  const TextRow row = split_row(line, has_words ? header_.dims : 0);
  const uint64_t word_at = offset + static_cast<uint64_t>(row.word.data() - line.data());
  if (row.word.size() > kMaxWordBytes) {
    return fail(ErrorCode::LimitExceeded, offset, ".word",
                {"a word of more than ", kMaxWordBytes, " bytes"});
  }
  const Record record{n_read_,
                      word_at,
                      row.word,
                      row.values,
                      row.n_values,
                      line,
                      has_words && ends_like_a_value(row)};
  ++n_read_;
  return std::optional(record);
}

// `field` is where the value stands in the record.
Failure RecordReader::bad_value(const Record& record, size_t i, std::string_view field) const {
  const auto distance = static_cast<uint64_t>(field.data() - record.word.data());
  std::string message = "not a finite number";
  if (form_ != Form::Word2Vec) {
    const auto before = static_cast<size_t>(field.data() - record.line.data());
    const uint64_t column = count_code_points(record.line.substr(0, before)) + 1;
    message = concat({"line ", line_of(record.index), ", column ", column, ": \"",
                      field.substr(0, 32), "\" is no finite number"});
  }
  return error_at(ErrorCode::BadValue, record.offset + distance,
                  {"rows[", record.index, "].values[", i, "]"}, message);
}

Result<void> RecordReader::read_values(const Record& record, std::span<float> out) const {
  std::string_view rest = record.values;
  for (size_t i = 0; i < out.size(); ++i) {
    if (form_ == Form::Word2Vec) {
      const std::string_view bytes = rest.substr(i * sizeof(float), sizeof(float));
      out[i] = load_le<float>(as_bytes(bytes).data());
      if (!std::isfinite(out[i])) return bad_value(record, i, bytes);
      continue;
    }
    const std::string_view field = take_field(rest);
    const auto value = io::parse_float(field);
    if (!value || !std::isfinite(*value)) return bad_value(record, i, field);
    out[i] = *value;
  }
  return {};
}

}  // namespace ambry::formats::wordvec
