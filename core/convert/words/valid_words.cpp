#include "convert/words/valid_words.h"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/utf8.h"
#include "model/vocabulary/vocabulary_index.h"

namespace ambry::convert {
namespace {

class Namer {
 public:
  explicit Namer(const model::Vocabulary& words) : words_(words), index_(words) {}

  Result<ValidWords> name_all();

 private:
  // A word keeps its name if it is valid UTF-8 and the first of its text.
  [[nodiscard]] bool keeps(size_t i) const {
    return !find_invalid_utf8(words_[i]) && index_.find(words_, words_[i]) == i;
  }
  [[nodiscard]] bool is_taken(std::string_view name) const {
    return index_.find(words_, name) || last_numbers_.contains(std::string(name));
  }
  std::string free_name(std::string shown);

  const model::Vocabulary& words_;
  model::VocabularyIndex index_;
  // The names that were made, each with the last number that followed it.
  std::unordered_map<std::string, uint64_t> last_numbers_;
};

// The name itself, or the name with the lowest number that is free.
std::string Namer::free_name(std::string shown) {
  if (!is_taken(shown)) {
    last_numbers_.emplace(shown, 1);
    return shown;
  }
  for (uint64_t number = last_numbers_.try_emplace(shown, 1).first->second + 1;; ++number) {
    std::string name = concat({shown, "(", number, ")"});
    if (is_taken(name)) continue;
    last_numbers_[shown] = number;
    last_numbers_.emplace(name, 1);
    return name;
  }
}

Result<ValidWords> Namer::name_all() {
  ValidWords made;
  for (size_t i = 0; i < words_.size(); ++i) {
    std::optional<std::string> name;
    if (!keeps(i)) {
      std::string shown = replace_invalid_utf8(words_[i]);
      if (shown != words_[i]) ++made.n_replaced;
      name = free_name(shown);
      if (*name != shown) ++made.n_numbered;
    }
    const std::string_view text = name ? std::string_view(*name) : words_[i];
    if (made.words.text_bytes() + text.size() > UINT32_MAX) {
      return make_error(ErrorCode::LimitExceeded, "vocabulary.words",
                        "the words take more than 4 GiB");
    }
    made.words.push_back(text);
  }
  return made;
}

}  // namespace

Result<ValidWords> make_valid(const model::Vocabulary& words) { return Namer(words).name_all(); }

uint64_t count_invalid(const model::Vocabulary& words) {
  uint64_t count = 0;
  for (size_t i = 0; i < words.size(); ++i) count += find_invalid_utf8(words[i]) ? 1 : 0;
  return count;
}

}  // namespace ambry::convert
