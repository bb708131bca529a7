// Reads networks, and single tensors, from tinyRuntime files.
#pragma once

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "formats/tinyruntime/tinyruntime_parse.h"
#include "infer/cnn/network.h"

namespace ambry::infer::testing {

using File = std::vector<uint8_t>;

inline model::Model parse(const File& file) {
  const io::MemorySource source(file);
  io::Diagnostics found;
  auto model = formats::tinyruntime::parse(source, found);
  assert(model && found.errors.empty());
  return std::move(model).value();
}

inline std::shared_ptr<const CnnWeights> read_weights(const File& file) {
  const model::Model model = parse(file);
  auto builder = CnnWeightsBuilder::plan(model);
  assert(builder);
  for (size_t i = 0; i < model.tensors.size(); ++i) {
    if (!builder->wants(i)) continue;
    const model::TensorEntry& entry = model.tensors[i];
    auto bytes = AlignedBuffer::allocate(entry.bytes);
    std::memcpy(bytes->data(), file.data() + entry.offset, static_cast<size_t>(entry.bytes));
    const auto accepted = builder->accept(i, std::move(bytes).value());
    assert(accepted);
  }
  return std::make_shared<const CnnWeights>(std::move(*builder).finish());
}

inline Result<std::vector<float>> run_network(const CnnNetwork& network,
                                              std::span<const float> input,
                                              CnnObserver* observer = nullptr,
                                              CnnMode mode = CnnMode::Exact) {
  AMBRY_TRY(CnnRun run, CnnRun::begin(network, input, mode, observer));
  while (!run.done()) AMBRY_RETURN_IF_ERROR(run.step());
  return run.output();
}

template <class T>
std::vector<T> tensor_of(const File& file, const model::Model& model, const std::string& name) {
  const model::TensorEntry* entry = model.find(name);
  if (entry == nullptr) return {};
  std::vector<T> values(static_cast<size_t>(entry->bytes) / sizeof(T));
  std::memcpy(values.data(), file.data() + entry->offset, static_cast<size_t>(entry->bytes));
  return values;
}

}  // namespace ambry::infer::testing
