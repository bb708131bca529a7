// Code of the model's own, which a directory names and which does not run here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "formats/huggingface/side_files/file_values.h"

namespace ambry::formats::huggingface {

// A class that a file's `auto_map` names, such as `modeling_xlm_roberta.XLMRobertaModel`.
struct OwnCode {
  std::string name;  // empty: there is none
  std::string path;  // of the key, such as `config.json.auto_map`
  uint64_t byte_offset = kNoOffset;
};

// What runs instead of a module's class.
inline constexpr const char* kOwnModule = "the module counts as sentence-transformers' own";

// The class of the model.
[[nodiscard]] OwnCode own_code(const FileValues& values);

// The class of the tokenizer, by the tokenizer_config.json of the folder.
[[nodiscard]] Result<OwnCode> own_tokenizer_code(const SideFiles& files, const std::string& folder);

// The warning that the class does not run, and what does. Nothing where there is no class.
[[nodiscard]] std::optional<Error> own_code_warning(const OwnCode& code, const Text& instead);

// Names the class in an error that says that something is missing, unknown or of another form:
// `what` is then the work of the class. Other errors, and those about options, stay as they are.
[[nodiscard]] Failure of_own_code(const OwnCode& code, const char* what, Failure error);

}  // namespace ambry::formats::huggingface
