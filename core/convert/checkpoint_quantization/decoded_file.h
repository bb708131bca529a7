// The matrices of a quantized checkpoint as tensors of a file that does not exist. Its number is
// the one after those of the real files. A conversion reads from it as from any file; the job here
// makes the bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/result.h"
#include "convert/checkpoint_quantization/packed_matrix.h"
#include "convert/plan/job.h"

namespace ambry::convert {

struct DecodedFile {
  uint32_t number = 0;
  std::vector<PackedMatrix> matrices;  // in the order of their offsets

  // The matrix that has this byte of the file.
  [[nodiscard]] const PackedMatrix& at(uint64_t offset) const;
};

// What the report says of a tensor of the target that is made of quantized matrices.
struct Origin {
  std::string stored_as;  // empty: it is made of none
  std::string note;
  uint64_t bytes = 0;  // of the files
};
[[nodiscard]] std::vector<Origin> origins_of(const Plan& plan);

// Answers the reads of `job` from the file. All lists of groups are checked before anything else is
// read. `origins` are those of the plan of the job. A job without such a file stays as it is.
[[nodiscard]] std::unique_ptr<Job> decoding(std::unique_ptr<Job> job,
                                            std::shared_ptr<const DecodedFile> file,
                                            std::vector<Origin> origins);

}  // namespace ambry::convert
