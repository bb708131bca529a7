// Opens word vectors that are stored as one matrix, for the target of the options.
#pragma once

#include "base/result.h"
#include "convert/plan/conversion_options.h"
#include "convert/plan/source_files.h"
#include "convert/words/matrix_source.h"

namespace ambry::convert {

// On NeedBytes, load the bytes and call it again. Unsupported for n-grams that the target cannot
// store, unless the options are lossy.
[[nodiscard]] Result<Matrix> open_fasttext(const SourceFiles& sources, const Options& options);
[[nodiscard]] Result<Matrix> open_finalfusion(const SourceFiles& sources, const Options& options);

}  // namespace ambry::convert
