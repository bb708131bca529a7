// The weights of heads that lie beside the main ones: those of BGE-M3 for tokens, and the fixed
// weights of a sparse encoder's queries.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "convert/plan/source_files.h"
#include "convert/plan/source_model.h"
#include "formats/huggingface/directory.h"

namespace ambry::convert {

// Whether the file is among the sources.
[[nodiscard]] bool has_file(const SourceFiles& sources, std::string_view name);

// The numbers of the files in `sources`, as far as the directory's head needs them.
struct SparseFiles {
  std::optional<uint32_t> own_words;
  std::optional<uint32_t> token_vectors;
  std::optional<uint32_t> queries;
};
// NotFound for a file that is missing.
[[nodiscard]] Result<SparseFiles> find_sparse_files(
    const SourceFiles& sources, const formats::huggingface::Directory& directory);

// Adds the tensors of these files, and the weights that a JSON file gives, with the names of the
// head's tensors (model/encoder/token_head.h) and of dense layers. NotFound for a tensor that is
// missing, Mismatch for one of another shape, Unsupported for any other tensor. Paths start with
// the file's name. On NeedBytes, load the bytes and read the whole source again.
[[nodiscard]] Result<void> add_sparse_weights(const SourceFiles& sources, const SparseFiles& files,
                                              const formats::huggingface::Directory& directory,
                                              SourceModel& source);

}  // namespace ambry::convert
