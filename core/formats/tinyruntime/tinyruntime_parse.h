// Reads the three variants of tinyRuntime's models; see README.md. Never reads parameters. On
// NeedBytes, load the bytes and call it again.
#pragma once

#include "base/result.h"
#include "io/diagnostics.h"
#include "io/source.h"
#include "model/cnn/cnn_table.h"
#include "model/file/model.h"

namespace ambry::formats::tinyruntime {

// Whether header and tables look right, because there is no magic. Call it after all formats with a
// magic.
[[nodiscard]] Result<bool> probe(const io::Source& source);

[[nodiscard]] Result<model::Model> parse(const io::Source& source, io::Diagnostics& diagnostics,
                                         const model::ReadOptions& options = {});

// Reads the file as this variant, whatever it looks like.
[[nodiscard]] Result<model::Model> parse_as(model::CnnVariant variant, const io::Source& source,
                                            io::Diagnostics& diagnostics);

// Checks the table: outputs against the stated classes, padding against kernels.
void check(const model::Model& model, io::Diagnostics& diagnostics);

}  // namespace ambry::formats::tinyruntime
