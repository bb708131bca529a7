// Some words of a finalfusion file: those that it has by their rows, others by those of their
// pieces (core/formats/finalfusion/README.md#selecting). They become a vocabulary without pieces,
// in the order asked for.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/result.h"
#include "convert/options.h"
#include "convert/source_files.h"
#include "convert/words/row_gather.h"
#include "convert/words/row_store.h"
#include "convert/words/word_source.h"

namespace ambry::convert {

class SelectedSource final : public WordSource {
 public:
  // Rows that each of the words adds up; that of a known word is one and comes with its norm.
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
  size_t first_ = 0;  // of the block
  size_t end_ = 0;
  std::vector<float> row_;
  std::vector<float> values_;
  std::vector<float> norms_;
};

// For options with a selection. NotFound with the path `options.select` for a word that gets no
// vector, unless those are to be ignored. Restartable on NeedBytes.
[[nodiscard]] Result<std::unique_ptr<WordSource>> open_selection(const SourceFiles& sources,
                                                                 const Options& options);

}  // namespace ambry::convert
