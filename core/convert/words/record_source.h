// Reads word vectors from a file with one record for each word. It takes two passes: one for the
// words, which a target may need before all rows, and one for the values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "convert/plan/conversion_options.h"
#include "convert/words/word_source.h"
#include "formats/wordvec/record_reader.h"

namespace ambry::convert {

class RecordSource final : public WordSource {
 public:
  // The options that count are `lossy` and `to_run`.
  RecordSource(formats::wordvec::Form form, uint64_t file_bytes, const Options& options)
      : form_(form), file_bytes_(file_bytes), lossy_(options.lossy), reader_(form, file_bytes) {
    facts_.to_run = options.to_run;
  }

  [[nodiscard]] Result<Advance> advance() override;
  [[nodiscard]] uint64_t bytes_to_list() const override { return file_bytes_; }

 private:
  using Record = formats::wordvec::Record;

  Result<void> list(const Record& record);
  Result<void> add_word(const Record& record);
  [[nodiscard]] Failure other_length(const Record& record) const;
  Result<void> drop(Failure problem);
  void leave_out(Failure problem);
  Result<void> finish_list();
  Result<void> finish_words();
  Result<void> settle_odd_words();
  void drop_words(const std::vector<bool>& unwanted);
  void drop_repeated();
  Result<void> name_words();
  void set_floret();
  void warn_of_lines();
  void warn(const Text& message);
  Result<Advance> take(const Record& record);

  formats::wordvec::Form form_;
  uint64_t file_bytes_;
  bool lossy_;
  formats::wordvec::RecordReader reader_;
  bool reading_ = false;       // the reader's buffer is being filled
  bool listed_ = false;        // whether the first pass is done
  std::vector<bool> dropped_;  // for each row of the file
  uint64_t n_dropped_ = 0;
  uint64_t n_with_spaces_ = 0;  // words
  std::string first_with_space_;
  // The words that end like numbers of their vectors, by their index.
  std::vector<uint32_t> odd_words_;
  std::optional<Error> first_odd_;
  std::vector<float> block_;
  size_t n_filled_ = 0;  // values in the block
};

}  // namespace ambry::convert
