// A graph of tests/fixtures/onnx/encoders/ with its weights and the files beside it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "convert/encoder/architecture_directory.h"
#include "convert/run_conversion.h"
#include "data_files.h"
#include "fixtures_folder.h"
#include "infer/encoder/architecture_case.h"

namespace ambry::convert::testing {

struct OnnxEncoderCase {
  ArchitectureCase of;  // with the weights of heads
  File graph;
  File weights;  // the file `weights` beside the graph
  SideFiles side;

  [[nodiscard]] static OnnxEncoderCase read(const std::string& name);
  // What becomes of the graph, and of the same weights as safetensors.
  [[nodiscard]] Result<File> convert(const File& changed) const;
  [[nodiscard]] Result<File> convert() const { return convert(graph); }
  [[nodiscard]] Result<File> from_safetensors() const {
    return run(safetensors_of(of), side, to("embd"));
  }

 private:
  void add_heads(const io::Json& facts);
  [[nodiscard]] File bytes_of(std::string_view name, bool transposed) const;
  void add_weights(const io::Json& facts);
};

inline OnnxEncoderCase OnnxEncoderCase::read(const std::string& name) {
  const auto folder = ambry::testing::fixtures_folder() / "onnx" / "encoders";
  const std::string facts_text = *ambry::testing::read_text(folder / (name + ".json"));
  const io::Json facts = *io::parse_json(facts_text);
  OnnxEncoderCase out;
  out.of = ArchitectureCase::read(std::string(facts.find("case")->string()));
  const std::string graph = *ambry::testing::read_text(folder / (name + ".onnx"));
  out.graph.assign(graph.begin(), graph.end());
  for (const auto& [key, value] : facts.find("config")->members()) {
    out.of.config_json.set(key, value);
  }
  out.add_heads(facts);
  out.add_weights(facts);
  out.side = side_files(out.of);
  return out;
}

inline void OnnxEncoderCase::add_heads(const io::Json& facts) {
  for (const auto& [name, shape] : facts.find("more")->members()) {
    model::TensorEntry entry;
    entry.name = name;
    for (const io::Json& extent : shape.items()) {
      entry.shape.push_back(static_cast<uint64_t>(extent.number()));
    }
    entry.bytes = *entry.shape.count() * 4;
    of.model.tensors.push_back(entry);
  }
}

// The bytes of a weight as the file has them.
inline File OnnxEncoderCase::bytes_of(std::string_view name, bool transposed) const {
  File out;
  for (size_t i = 0; i < of.model.tensors.size(); ++i) {
    const model::TensorEntry& entry = of.model.tensors[i];
    if (entry.name != name) continue;
    const AlignedBuffer bytes = of.bytes(i);
    const uint64_t rows = transposed ? entry.shape[0] : 1;
    const uint64_t cols = *entry.shape.count() / rows;
    for (uint64_t at = 0; at < rows * cols; ++at) {
      const auto* number = bytes.bytes().data() + ((at % rows) * cols + at / rows) * 4;
      out.insert(out.end(), number, number + 4);
    }
  }
  return out;
}

inline void OnnxEncoderCase::add_weights(const io::Json& facts) {
  std::vector<File> beside;  // matrices whose rows lie beside each other
  for (const io::Json& weight : facts.find("weights")->items()) {
    const File bytes =
        bytes_of(weight.find("name")->string(), weight.find("transposed")->boolean());
    const io::Json* count = weight.find("beside");
    if (count == nullptr || count->number() == 1) {
      weights.insert(weights.end(), bytes.begin(), bytes.end());
      continue;
    }
    beside.push_back(bytes);
    if (static_cast<double>(beside.size()) < count->number()) continue;
    const size_t row = of.config.hidden_size * 4;
    for (size_t at = 0; at < bytes.size(); at += row) {
      for (const File& part : beside) {
        const auto from = part.begin() + static_cast<std::ptrdiff_t>(at);
        weights.insert(weights.end(), from, from + static_cast<std::ptrdiff_t>(row));
      }
    }
    beside.clear();
  }
}

inline Result<File> OnnxEncoderCase::convert(const File& changed) const {
  const io::MemorySource main(changed);
  const io::MemorySource beside(weights);
  SourceFiles sources(main, side);
  sources.name_main("model.onnx");
  sources.add("weights", beside);
  return run(sources, {changed, weights}, to("embd"));
}

}  // namespace ambry::convert::testing
