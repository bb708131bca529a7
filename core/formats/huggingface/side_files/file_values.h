// The values of one JSON file of a directory. Errors name the file.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "formats/huggingface/side_files/side_files.h"
#include "io/json/json.h"
#include "model/metadata/metadata_value.h"

namespace ambry::formats::huggingface {

class FileValues {
 public:
  // `json` is borrowed.
  FileValues(std::string file, const io::Json& json) : file_(std::move(file)), json_(json) {}

  [[nodiscard]] Result<void> read(std::initializer_list<model::ValueTarget> targets) const;
  [[nodiscard]] Failure fail(std::string_view key, ErrorCode code, const Text& message) const;
  // Empty if the value is absent or no text.
  [[nodiscard]] std::string text(std::string_view key) const;
  [[nodiscard]] const io::Json& json() const { return json_; }
  [[nodiscard]] const std::string& file() const { return file_; }

 private:
  std::string file_;
  const io::Json& json_;
};

// Parses a JSON file. Returns nullopt when the file is absent. Errors have the offset in that file
// and a path that starts with its name. The word Infinity, which Python's writer has for a limit
// that there is not, is null.
[[nodiscard]] Result<std::optional<io::Json>> read_json_file(const SideFiles& files,
                                                             std::string_view name);
// BadMagic, with the file's name as path, for the pointer of Git LFS in the place of a file. A file
// that is absent is none.
[[nodiscard]] Result<void> refuse_pointer(const SideFiles& files, std::string_view name);
// NotFound, with the file's name as path, when it is absent.
[[nodiscard]] Result<io::Json> require_json_file(const SideFiles& files, const std::string& name);

}  // namespace ambry::formats::huggingface
