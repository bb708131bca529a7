#include "api/loading/parse_to_run.h"

#include <utility>

#include "io/source_part.h"

namespace ambry::api {

namespace {

Result<ModelToRun> read(const io::Source& source, std::span<const formats::Format> candidates) {
  AMBRY_TRY(const formats::Format* format, formats::recognise(source, candidates));
  io::Diagnostics diagnostics;
  ModelToRun read;
  AMBRY_TRY(read.model, format->parse(source, diagnostics, {}));
  format->check(read.model, diagnostics);
  if (!diagnostics.errors.empty()) return std::move(diagnostics.errors.front());
  if (format->to_run == nullptr) return read;
  read.stored = read.model.tensors;
  AMBRY_TRY(read.model, format->to_run(source, std::move(read.model), diagnostics));
  return read;
}

}  // namespace

Result<ModelToRun> read_to_run(const io::Source& source,
                               std::span<const formats::Format> candidates) {
  auto model = read(source, candidates);
  if (!model) return io::in_part(source, model.take_error());
  return model;
}

Result<model::Model> parse_to_run(const io::Source& source,
                                  std::span<const formats::Format> candidates) {
  AMBRY_TRY(ModelToRun read, read_to_run(source, candidates));
  return std::move(read.model);
}

}  // namespace ambry::api
