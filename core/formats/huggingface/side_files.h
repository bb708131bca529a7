// The small files of a Hugging Face or sentence-transformers directory, by their path in it
// ("config.json", "1_Pooling/config.json").
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ambry::formats::huggingface {

class SideFiles {
 public:
  // A file of the same name is replaced.
  void add(std::string name, std::string content);
  // nullptr when absent.
  [[nodiscard]] const std::string* find(std::string_view name) const;
  [[nodiscard]] bool empty() const { return files_.empty(); }

 private:
  std::vector<std::pair<std::string, std::string>> files_;  // a dozen at most
};

}  // namespace ambry::formats::huggingface
