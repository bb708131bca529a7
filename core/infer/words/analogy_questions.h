// A file of analogy questions in word2vec's form: `a b c d` asks whether the nearest word to b - a
// + c is d. Counted as finalfusion-utils does
// (core/formats/finalfusion/README.md#analogy-accuracy).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "infer/words/word_vectors.h"

namespace ambry::infer {

struct AnalogySection {
  std::string name;  // empty before the first header
  uint64_t correct = 0;
  uint64_t count = 0;    // asked; a question without an answer counts as wrong
  uint64_t skipped = 0;  // the expected answer is not in the vocabulary
  double cosines = 0.0;  // sum of the answers' scores
};

class AnalogyQuestions {
 public:
  AnalogyQuestions() = default;
  // Parses lines `: section`, which may repeat, and lines of four words. Blank lines are skipped.
  // For other lines BadValue, with the path `questions[line]` (counted from 0) and the offset in
  // the text.
  [[nodiscard]] static Result<AnalogyQuestions> parse(std::string_view text);

  [[nodiscard]] size_t size() const { return questions_.size(); }
  // Ordered by name.
  [[nodiscard]] const std::vector<AnalogySection>& sections() const { return sections_; }

  // Asks `count` questions from `first` on in one pass over the rows, and counts the answers.
  [[nodiscard]] Result<void> ask(const WordVectors& vectors, size_t first, size_t count);

 private:
  // Offsets into `text_`, because there are many short words.
  struct Word {
    uint32_t begin = 0;
    uint32_t size = 0;
  };
  struct Question {
    uint32_t section = 0;
    std::array<Word, 4> words;
  };
  // A question that can be asked.
  struct Asked {
    uint32_t section = 0;
    uint32_t answer = 0;  // a row
    std::vector<float> vector;
    std::vector<uint32_t> excluded;
  };

  [[nodiscard]] Result<void> add_line(std::string_view line, size_t begin, size_t line_index);
  [[nodiscard]] uint32_t section_of(std::string_view name);
  void sort_sections();
  [[nodiscard]] Result<void> prepare(const WordVectors& vectors, const Question& question,
                                     std::vector<Asked>& asked);
  [[nodiscard]] std::string_view text_of(Word word) const {
    return std::string_view(text_).substr(word.begin, word.size);
  }

  std::string text_;
  std::vector<Question> questions_;
  std::vector<AnalogySection> sections_;
  uint32_t section_ = 0;  // for the next question
};

}  // namespace ambry::infer
