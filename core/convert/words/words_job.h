// Conversions between files of word vectors: rows are read, brought to the lengths that the target
// wants, and written, block by block.
#pragma once

#include "convert/job.h"
#include "formats/wordvec/header.h"

namespace ambry::convert {

// From a file of one record a word.
template <formats::wordvec::Form kForm>
[[nodiscard]] Result<std::unique_ptr<Job>> begin_records(const SourceFiles& sources,
                                                         const Options& options);
// From fastText's .bin and .ftz.
[[nodiscard]] Result<std::unique_ptr<Job>> begin_fasttext(const SourceFiles& sources,
                                                          const Options& options);
// From finalfusion to any other.
[[nodiscard]] Result<std::unique_ptr<Job>> begin_from_finalfusion(const SourceFiles& sources,
                                                                  const Options& options);

}  // namespace ambry::convert
