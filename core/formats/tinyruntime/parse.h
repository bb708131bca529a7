// Reads the three variants of tinyRuntime's models; see README.md. Restartable on NeedBytes, never
// touches parameters.
#pragma once

#include "base/result.h"
#include "io/diagnostics.h"
#include "io/source.h"
#include "model/cnn/cnn_table.h"
#include "model/model.h"

namespace ambry::formats::tinyruntime {

// There is no magic: whether header and tables make sense. To be asked after all formats that have
// one.
[[nodiscard]] Result<bool> probe(const io::Source& source);

[[nodiscard]] Result<model::Model> parse(const io::Source& source, io::Diagnostics& diagnostics,
                                         const model::ReadOptions& options = {});

// The file taken for one of this variant, whatever it looks like.
[[nodiscard]] Result<model::Model> parse_as(model::CnnVariant variant, const io::Source& source,
                                            io::Diagnostics& diagnostics);

// What the table says about itself: outputs against the stated classes, padding against kernels.
void check(const model::Model& model, io::Diagnostics& diagnostics);

}  // namespace ambry::formats::tinyruntime
