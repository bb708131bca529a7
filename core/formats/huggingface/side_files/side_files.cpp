#include "formats/huggingface/side_files/side_files.h"

#include <algorithm>

namespace ambry::formats::huggingface {

void SideFiles::add(std::string name, std::string content) {
  for (auto& [known, old] : files_) {
    if (known != name) continue;
    old = std::move(content);
    return;
  }
  files_.emplace_back(std::move(name), std::move(content));
}

const std::string* SideFiles::find(std::string_view name) const {
  for (const auto& [known, content] : files_) {
    if (known == name) return &content;
  }
  return nullptr;
}

std::vector<std::string_view> SideFiles::names_in(std::string_view folder) const {
  std::vector<std::string_view> names;
  for (const auto& [name, content] : files_) {
    if (name.starts_with(folder)) names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace ambry::formats::huggingface
