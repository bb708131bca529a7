// Matrices in the file that is made while it is read, as tensors of a source.
#pragma once

#include <string_view>

#include "base/result.h"
#include "convert/checkpoint_quantization/decoded_file.h"
#include "convert/plan/source_model.h"

namespace ambry::convert {

// Adds a matrix, whose type is chosen, to the end of the file and to the tensors of the source.
[[nodiscard]] Result<void> place_matrix(PackedMatrix matrix, DecodedFile& file,
                                        SourceModel& source);

// Adds a matrix that fits_int8_rows(): i8 codes, and behind them in the file their scales and zero
// points. Only the codes become a tensor of the source.
[[nodiscard]] Result<void> place_int8_rows(PackedMatrix matrix, DecodedFile& file,
                                           SourceModel& source);

// Adds the scales and zero points of all i8 tensors of the file `source.decoded`, under the names
// that EMBD has for them.
void add_int8_companions(SourceModel& source);

// Warns once for each reason for which matrices are decoded.
void warn_of_decoded(std::string_view place, SourceModel& source);

}  // namespace ambry::convert
