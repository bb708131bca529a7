// Converts between files of word vectors: reads rows, scales them to the lengths that the target
// needs, and writes them, block by block.
#pragma once

#include "convert/plan/job.h"
#include "formats/wordvec/wordvec_header.h"

namespace ambry::convert {

// From a file with one record for each word.
template <formats::wordvec::Form kForm>
[[nodiscard]] Result<std::unique_ptr<Job>> begin_records(const SourceFiles& sources,
                                                         const Options& options);
// From fastText's .bin and .ftz.
[[nodiscard]] Result<std::unique_ptr<Job>> begin_fasttext(const SourceFiles& sources,
                                                          const Options& options);
// From finalfusion to any other format.
[[nodiscard]] Result<std::unique_ptr<Job>> begin_from_finalfusion(const SourceFiles& sources,
                                                                  const Options& options);

}  // namespace ambry::convert
