// Reads word2vec binary, GloVe text, textdims and floret files while they stream by. Records are
// read from a window of a few MiB that moves over the file. The caller decides which words and
// vectors are valid; the reader fails only when it cannot find the next record.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "formats/wordvec/wordvec_header.h"

namespace ambry::formats::wordvec {

// A word and its vector, borrowed from the reader until the next call.
struct Record {
  uint64_t index = 0;       // index of the row
  uint64_t offset = 0;      // offset of the word in the file
  std::string_view word;    // as stored; for floret the row's index
  std::string_view values;  // the values as stored
  uint64_t n_values = 0;
  std::string_view line;      // the whole line without its end; empty in binary files
  bool has_odd_word = false;  // the word ends like a number of the vector
};

// Lines that are no rows, and are passed over.
struct PassedLines {
  uint64_t n_blank = 0;
  uint64_t n_comments = 0;
  bool has_mark = false;  // the file begins with the byte order mark of UTF-8
};

class RecordReader {
 public:
  RecordReader(Form form, uint64_t file_bytes);

  // The buffer for the file's next bytes, from file_offset() on; empty at the end of the file. Call
  // add_filled() when they are there.
  [[nodiscard]] MutableBytes room();
  [[nodiscard]] uint64_t file_offset() const { return buffer_at_ + filled_; }
  void add_filled();

  // Returns nothing when more bytes are needed or the file has ended.
  [[nodiscard]] Result<std::optional<Record>> next();
  [[nodiscard]] uint64_t file_bytes() const { return file_bytes_; }
  [[nodiscard]] bool at_file_end() const { return file_offset() == file_bytes_; }

  // Complete from the first record on; for Form::Text, `rows` is known at the end of the file, and
  // `dims` are those of most of the first rows.
  [[nodiscard]] const Header& header() const { return header_; }

  // Reads the values of a record into `out`, which has the same size. BadValue for values that are
  // not finite.
  [[nodiscard]] Result<void> read_values(const Record& record, std::span<float> out) const;

  // Where a row of a text stands, as the start of a message: `line 8: `. Empty for binary files.
  [[nodiscard]] std::string place(uint64_t row) const;

  [[nodiscard]] const PassedLines& passed() const { return passed_; }

  // Goes back to the first record.
  void restart();

 private:
  [[nodiscard]] std::string_view unread() const;
  [[nodiscard]] uint64_t position() const { return buffer_at_ + begin_; }
  [[nodiscard]] bool skip_mark();
  void skip_spaces();
  bool pass_over(std::string_view line);
  Result<std::optional<std::string_view>> take_line(uint64_t limit);
  Result<void> read_header();
  [[nodiscard]] Result<void> check_rows_fit() const;
  Result<std::optional<Record>> next_binary();
  Result<std::optional<Record>> next_line();
  Result<std::optional<Record>> end_of_lines();
  Result<std::optional<Record>> record_of(std::string_view line);
  [[nodiscard]] uint64_t line_of(uint64_t row) const;
  [[nodiscard]] Failure bad_value(const Record& record, size_t i, std::string_view field) const;
  [[nodiscard]] Failure too_many(uint64_t offset) const;
  [[nodiscard]] Failure fail(ErrorCode code, uint64_t offset, const char* field,
                             const Text& message) const;

  Form form_;
  uint64_t file_bytes_;
  Header header_;
  bool has_header_;
  bool has_width_ = false;  // whether a text without a header was asked for its `dims`
  uint64_t n_read_ = 0;
  PassedLines passed_;
  // Where lines were passed over: the index of the next row, and how many lines so far.
  std::vector<std::pair<uint64_t, uint64_t>> passed_before_;
  std::vector<uint8_t> buffer_;
  uint64_t buffer_at_ = 0;  // offset of its first byte in the file
  size_t begin_ = 0;        // start of the bytes that were not read yet
  size_t filled_ = 0;       // their end
  size_t wanted_ = 0;       // size of the part that room() returned
};

}  // namespace ambry::formats::wordvec
