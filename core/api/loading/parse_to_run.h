// Reads a model to run it. Any fault in the file is then an error.
#pragma once

#include <span>
#include <vector>

#include "base/result.h"
#include "formats/registry.h"
#include "io/diagnostics.h"
#include "io/source.h"
#include "model/file/model.h"

namespace ambry::api {

struct ModelToRun {
  model::Model model;  // in the form in which it runs (formats::Format::to_run)
  // The tensors as the file describes them, if `model` describes them in another way.
  std::vector<model::TensorEntry> stored;
};

// From the parsed model and the problems that its parser found. NeedBytes as the parser.
[[nodiscard]] Result<ModelToRun> model_to_run(const io::Source& source,
                                              const formats::Format& format, model::Model model,
                                              io::Diagnostics& diagnostics);

// The error under the file's own name of the tensor.
[[nodiscard]] Failure with_stored_name(Failure error, const ModelToRun& read);

// `candidates` are the formats that can be run. NeedBytes while bytes are missing.
[[nodiscard]] Result<ModelToRun> read_to_run(const io::Source& source,
                                             std::span<const formats::Format> candidates);

// Parses a file of a format that runs as it is parsed.
[[nodiscard]] Result<model::Model> parse_to_run(const io::Source& source,
                                                std::span<const formats::Format> candidates);

}  // namespace ambry::api
