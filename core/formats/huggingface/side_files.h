// The small files of a Hugging Face or sentence-transformers directory, by their path in it
// ("config.json", "1_Pooling/config.json").
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace ambry::formats::huggingface {

class SideFiles {
 public:
  void add(std::string name, std::string content) {
    files_.insert_or_assign(std::move(name), std::move(content));
  }
  // nullptr when absent.
  [[nodiscard]] const std::string* find(std::string_view name) const {
    const auto found = files_.find(name);
    return found == files_.end() ? nullptr : &found->second;
  }
  [[nodiscard]] bool empty() const { return files_.empty(); }

 private:
  std::map<std::string, std::string, std::less<>> files_;
};

}  // namespace ambry::formats::huggingface
