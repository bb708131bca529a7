// What a file runs as when it is opened, in how much memory, and what stands in the way.
#pragma once

#include <optional>
#include <vector>

#include "api/files/memory_estimate.h"
#include "base/error.h"
#include "base/result.h"
#include "formats/registry.h"
#include "io/diagnostics.h"
#include "io/json/json.h"
#include "io/source.h"
#include "model/file/model.h"

namespace ambry::api {

struct RunReport {
  formats::Runs runs = formats::Runs::Nothing;
  // Whether the file has to be converted first (opening/opening.h). All that follows is then empty.
  bool converts = false;
  std::optional<MemoryEstimate> memory;
  std::optional<Error> obstacle;  // the error with which opening it would fail
  std::vector<Error> warnings;    // what will not work although it opens
  // {endIds, chatTemplates} of a model that generates text, as GeneratorModel::info() has them;
  // else null.
  io::Json generator;
};

// The report of a model in the form in which it runs. Without its vocabulary, the tokenizer is not
// looked at.
[[nodiscard]] RunReport run_report(model::Model& model, formats::Runs runs, bool vocabulary);

// The report of a parsed file. `diagnostics` are those of its parser, and `vocabulary` is whether
// that has read the vocabulary. NeedBytes for values that are facts of the model; a source that can
// be read only once is reported without what these would tell.
[[nodiscard]] Result<RunReport> run_report(const io::Source& source, const formats::Format& format,
                                           model::Model model, io::Diagnostics& diagnostics,
                                           bool vocabulary);

// {kind, format, converts, memory, obstacle, warnings, generator?}: RunReport of
// web/src/inspect/run-types.ts. Its `format` is the one that runs: `format` itself, or the one that
// the file is converted to; null where only the conversion finds out.
[[nodiscard]] io::Json run_document(const RunReport& report, std::string_view format);

// Sets `generator` if the report has it.
void set_generator(const RunReport& report, io::Json& document);

// {asStored, int8}, or null.
[[nodiscard]] io::Json memory_document(const std::optional<MemoryEstimate>& memory);

}  // namespace ambry::api
