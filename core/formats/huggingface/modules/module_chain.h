// The chain of modules that modules.json lists: Transformer, Pooling, any number of Dense, and
// optionally Normalize. PyLate's models with late interaction have no Pooling. Rerankers made of
// language models are Transformer, LogitScore. Sparse encoders have modules of their own. Any other
// module, or another order, would change the result.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "formats/huggingface/modules/sparse_modules.h"
#include "formats/huggingface/side_files/own_code.h"
#include "formats/huggingface/side_files/side_files.h"
#include "model/encoder/head/dense_layers.h"

namespace ambry::formats::huggingface {

// The file that lists the modules of a sentence-transformers directory.
inline constexpr const char* kModules = "modules.json";

// Folders end with a slash.
struct ModuleChain {
  bool is_stated = false;          // by a modules.json
  std::string transformer_folder;  // "" or "0_Transformer/"
  std::string pooling_file;        // "" when there is none
  std::vector<std::string> dense_folders;
  std::optional<bool> normalize;  // nothing: not stated
  std::string logit_score_file;   // "" when there is none
  std::optional<SparseModules> sparse;
  OwnCode own_module;  // the class of a Transformer that is no known library's
};

// Unsupported, with the module's place in modules.json as path, for a module that is not supported
// there, and for a chain without Transformer. Without modules.json only the pooling's file is
// looked for.
[[nodiscard]] Result<ModuleChain> read_module_chain(const SideFiles& files);

// Reads `config.json` in the folders of the Dense modules. Mismatch where a module does not take
// what the one before gives; Pooling gives `width` numbers.
[[nodiscard]] Result<std::vector<model::DenseConfig>> read_dense_modules(const SideFiles& files,
                                                                         const ModuleChain& chain,
                                                                         uint32_t width);

}  // namespace ambry::formats::huggingface
