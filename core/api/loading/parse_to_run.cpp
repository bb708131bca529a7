#include "api/loading/parse_to_run.h"

#include <algorithm>
#include <utility>

#include "io/source_part.h"

namespace ambry::api {

namespace {

Result<ModelToRun> read(const io::Source& source, std::span<const formats::Format> candidates) {
  AMBRY_TRY(const formats::Format* format, formats::recognise(source, candidates));
  io::Diagnostics diagnostics;
  AMBRY_TRY(model::Model model, format->parse(source, diagnostics, {}));
  return model_to_run(source, *format, std::move(model), diagnostics);
}

}  // namespace

Result<ModelToRun> model_to_run(const io::Source& source, const formats::Format& format,
                                model::Model model, io::Diagnostics& diagnostics) {
  ModelToRun read;
  read.model = std::move(model);
  format.check(read.model, diagnostics);
  if (!diagnostics.errors.empty()) return std::move(diagnostics.errors.front());
  if (format.to_run == nullptr) return read;
  read.stored = read.model.tensors;
  AMBRY_TRY(read.model, format.to_run(source, std::move(read.model), diagnostics));
  return read;
}

Failure with_stored_name(Failure error, const ModelToRun& read) {
  const auto run = std::ranges::find(read.model.tensors, error->path, &model::TensorEntry::name);
  if (run == read.model.tensors.end()) return error;
  const auto stored =
      std::ranges::find(read.stored, run->index_offset, &model::TensorEntry::index_offset);
  if (stored == read.stored.end()) return error;
  error->path = stored->name;
  error->byte_offset = stored->index_offset;
  return error;
}

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
