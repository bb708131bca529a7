// The weights of a sparse encoder that lie beside the main ones: the head of BGE-M3 and the fixed
// weights of queries.
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "convert/plan/source_files.h"
#include "convert/plan/source_model.h"
#include "formats/huggingface/directory.h"

namespace ambry::convert {

// Whether the head of BGE-M3 is among the files.
[[nodiscard]] bool has_own_words_file(const SourceFiles& sources);

// The numbers of the files in `sources`, as far as the directory's head needs them.
struct SparseFiles {
  std::optional<uint32_t> own_words;
  std::optional<uint32_t> queries;
};
// NotFound for a file that is missing.
[[nodiscard]] Result<SparseFiles> find_sparse_files(
    const SourceFiles& sources, const formats::huggingface::Directory& directory);

// Adds the tensors of these files, and the weights that a JSON file gives, with the names of the
// head's tensors (model/encoder/token_head.h). NotFound for a tensor that is missing, Mismatch for
// one of another shape, Unsupported for any other tensor. Paths start with the file's name. On
// NeedBytes, load the bytes and read the whole source again.
[[nodiscard]] Result<void> add_sparse_weights(const SourceFiles& sources, const SparseFiles& files,
                                              const formats::huggingface::Directory& directory,
                                              SourceModel& source);

}  // namespace ambry::convert
