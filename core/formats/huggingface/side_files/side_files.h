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
  // Replaces a file of the same name.
  void add(std::string name, std::string content);
  // Returns nullptr when there is no such file.
  [[nodiscard]] const std::string* find(std::string_view name) const;
  // The paths of the files in a folder, whose name ends with a slash, in order.
  [[nodiscard]] std::vector<std::string_view> names_in(std::string_view folder) const;
  [[nodiscard]] bool empty() const { return files_.empty(); }

 private:
  std::vector<std::pair<std::string, std::string>> files_;  // a dozen at most
};

}  // namespace ambry::formats::huggingface
