// Reads word vectors from a file with one record for each word. It takes two passes: one for the
// words, which a target may need before all rows, and one for the values.
#pragma once

#include <cstdint>
#include <vector>

#include "convert/words/word_source.h"
#include "formats/wordvec/record_reader.h"

namespace ambry::convert {

class RecordSource final : public WordSource {
 public:
  RecordSource(formats::wordvec::Form form, uint64_t file_bytes, bool lossy)
      : form_(form), file_bytes_(file_bytes), lossy_(lossy), reader_(form, file_bytes) {}

  [[nodiscard]] Result<Advance> advance() override;
  [[nodiscard]] uint64_t bytes_to_list() const override { return file_bytes_; }

 private:
  using Record = formats::wordvec::Record;

  Result<void> list(const Record& record);
  Result<void> add_word(const Record& record);
  Result<void> drop(Failure problem);
  Result<void> finish_list();
  Result<void> drop_repeated();
  void set_floret();
  Result<Advance> take(const Record& record);

  formats::wordvec::Form form_;
  uint64_t file_bytes_;
  bool lossy_;
  formats::wordvec::RecordReader reader_;
  bool reading_ = false;       // the reader's buffer is being filled
  bool listed_ = false;        // whether the first pass is done
  std::vector<bool> dropped_;  // for each row of the file
  uint64_t n_dropped_ = 0;
  uint64_t n_replaced_ = 0;
  std::vector<float> block_;
  size_t n_filled_ = 0;  // values in the block
};

}  // namespace ambry::convert
