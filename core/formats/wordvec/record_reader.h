// Reads word2vec binary, GloVe text, textdims and floret files as they stream by: records come one
// after another out of a few MiB that slide over the file. Which words and vectors make sense is
// for the caller to judge; the reader refuses what leaves it without a next record.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "formats/wordvec/header.h"

namespace ambry::formats::wordvec {

// One word and its vector; borrowed from the reader until the next call.
struct Record {
  uint64_t index = 0;       // of the row
  uint64_t offset = 0;      // of the word in the file
  std::string_view word;    // as stored; of floret the row's number; empty: an empty line
  std::string_view values;  // the numbers as the file has them
  uint64_t n_values = 0;
};

class RecordReader {
 public:
  RecordReader(Form form, uint64_t file_bytes);

  // Where further bytes of the file are wanted, from file_offset() on; empty at its end. Once they
  // are there, add_filled() says so.
  [[nodiscard]] MutableBytes room();
  [[nodiscard]] uint64_t file_offset() const { return buffer_at_ + filled_; }
  void add_filled();

  // Nothing when more bytes are needed, or, at the end of the file, when it is over.
  [[nodiscard]] Result<std::optional<Record>> next();
  [[nodiscard]] bool at_file_end() const { return file_offset() == file_bytes_; }

  // Complete from the first record on; `rows` of Form::Text at the end of the file.
  [[nodiscard]] const Header& header() const { return header_; }

  // The numbers of a record that has as many as `out`. BadValue for what is no finite number.
  [[nodiscard]] Result<void> read_values(const Record& record, std::span<float> out) const;

  // To the first record again.
  void restart();

 private:
  [[nodiscard]] std::string_view unread() const;
  [[nodiscard]] uint64_t position() const { return buffer_at_ + begin_; }
  void skip_spaces();
  Result<std::optional<std::string_view>> take_line(uint64_t limit);
  Result<void> read_header();
  [[nodiscard]] Result<void> check_rows_fit() const;
  Result<std::optional<Record>> next_binary();
  Result<std::optional<Record>> next_line();
  [[nodiscard]] Failure fail(ErrorCode code, uint64_t offset, const char* field,
                             const Text& message) const;

  Form form_;
  uint64_t file_bytes_;
  Header header_;
  bool has_header_;
  uint64_t n_read_ = 0;
  std::vector<uint8_t> buffer_;
  uint64_t buffer_at_ = 0;  // where its first byte lies in the file
  size_t begin_ = 0;        // of what has not been read yet
  size_t filled_ = 0;       // the end of it
  size_t wanted_ = 0;       // bytes behind it that room() gave out
};

}  // namespace ambry::formats::wordvec
