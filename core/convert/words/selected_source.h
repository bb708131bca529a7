// Some words of a finalfusion file: known words by their rows, unknown ones by the rows of their
// pieces (core/formats/finalfusion/README.md#selecting). The result is a vocabulary without pieces,
// in the order of the selection.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/result.h"
#include "convert/plan/conversion_options.h"
#include "convert/plan/source_files.h"
#include "convert/words/row_access.h"
#include "convert/words/row_gather.h"
#include "convert/words/word_source.h"

namespace ambry::convert {

class SelectedSource final : public WordSource {
 public:
  // The rows whose sum is a word's vector. A known word has one row and its norm.
  struct Selected {
    std::vector<uint64_t> rows;
    bool known = false;
    float norm = 1.0F;
  };

  SelectedSource(RowStore store, std::vector<Selected> words, WordFacts facts,
                 std::vector<Error> warnings);
  [[nodiscard]] Result<Advance> advance() override;

 private:
  Result<void> ask();
  Result<Advance> add_up();
  Result<void> add_up_word(const Selected& word, std::span<float> vector);

  RowStore store_;
  std::vector<Selected> words_;
  RowGather gather_;
  bool ready_ = false;
  size_t first_ = 0;  // start of the block
  size_t end_ = 0;
  std::vector<float> row_;
  std::vector<float> values_;
  std::vector<float> norms_;
};

// For options with a selection. NotFound with the path `options.select` for a word without a
// vector, unless such words are ignored. On NeedBytes, load the bytes and call it again.
[[nodiscard]] Result<std::unique_ptr<WordSource>> open_selection(const SourceFiles& sources,
                                                                 const Options& options);

}  // namespace ambry::convert
