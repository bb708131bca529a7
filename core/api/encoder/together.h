// Runs several jobs over the same texts in one pass through a model such as BGE-M3: one that makes
// vectors of whole texts, one that weighs words, and one that makes vectors of tokens. The texts
// are those of the first, and their numbers are those that each job alone gives.
#pragma once

#include "api/encoder/embed_job.h"
#include "api/encoder/sparse_job.h"
#include "api/encoder/token_job.h"
#include "base/result.h"

namespace ambry::api {

// All are of the same model and have not started. The last two may be absent, and get no texts.
struct JobsTogether {
  EmbedJob& texts;
  SparseJob* words = nullptr;
  TokenJob* tokens = nullptr;
};

// As TextJob::start() of the first.
[[nodiscard]] Result<void> start_together(const JobsTogether& jobs);
// Runs one batch. Returns how many texts are done; after the last one all rows are there. Errors
// are those of each job's step().
[[nodiscard]] Result<size_t> step_together(const JobsTogether& jobs);

}  // namespace ambry::api
