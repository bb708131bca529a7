// Opens the files of word vectors that hold one matrix, for the target that the options name.
#pragma once

#include "base/result.h"
#include "convert/options.h"
#include "convert/source_files.h"
#include "convert/words/matrix_source.h"

namespace ambry::convert {

// Both are restartable on NeedBytes. Unsupported for n-grams that the target has no place for,
// unless the options are lossy.
[[nodiscard]] Result<Matrix> open_fasttext(const SourceFiles& sources, const Options& options);
[[nodiscard]] Result<Matrix> open_finalfusion(const SourceFiles& sources, const Options& options);

}  // namespace ambry::convert
