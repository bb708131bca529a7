// The files that a conversion reads: the files with weights, and the small files beside them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "formats/huggingface/side_files/side_files.h"
#include "io/source.h"

namespace ambry::convert {

using formats::huggingface::SideFiles;

// All files must outlive this object. The core reads the heads of weight files when a conversion
// begins. A Step, or a NeedBytes error, names a file by its index.
class SourceFiles {
 public:
  struct File {
    std::string name;  // in its directory; needed when there are several
    const io::Source* source = nullptr;
  };

  SourceFiles(const io::Source& main, const SideFiles& side) : side_(side) {
    files_.push_back({"", &main});
  }

  void name_main(std::string name) { files_.front().name = std::move(name); }
  // Further weight files: those that the side file `model.safetensors.index.json` names, and those
  // of modules in folders of their own, such as `2_Dense/model.safetensors`.
  void add(std::string name, const io::Source& source) {
    files_.push_back({std::move(name), &source});
  }

  [[nodiscard]] const io::Source& main() const { return *files_.front().source; }
  [[nodiscard]] const std::vector<File>& files() const { return files_; }
  [[nodiscard]] const SideFiles& side() const { return side_; }

 private:
  std::vector<File> files_;
  const SideFiles& side_;
};

}  // namespace ambry::convert
