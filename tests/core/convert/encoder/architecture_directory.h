// The directory of a case of tests/fixtures/encoder_architectures/.
#pragma once

#include <string>
#include <vector>

#include "convert/run_conversion.h"
#include "formats/safetensors/make_safetensors.h"
#include "infer/encoder/architecture_case.h"

namespace ambry::convert::testing {

inline SideFiles side_files(const ArchitectureCase& of) {
  std::string vocabulary = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n";
  for (uint32_t i = 5; i < of.config.vocab_size; ++i) vocabulary += concat({"w", i, "\n"});
  SideFiles files;
  files.add("config.json", of.config_json.dump());
  files.add("vocab.txt", vocabulary);
  files.add("tokenizer_config.json", R"({"do_lower_case":true,"tokenizer_class":"BertTokenizer"})");
  return files;
}

inline File safetensors_of(const ArchitectureCase& of, const std::string& prefix = "") {
  std::vector<formats::safetensors::testing::Tensor> tensors;
  for (size_t i = 0; i < of.model.tensors.size(); ++i) {
    const model::TensorEntry& entry = of.model.tensors[i];
    const AlignedBuffer bytes = of.bytes(i);
    const auto extents = entry.shape.extents();
    tensors.push_back(
        {prefix + entry.name,
         "F32",
         {extents.begin(), extents.end()},
         std::string(reinterpret_cast<const char*>(bytes.bytes().data()), bytes.bytes().size())});
  }
  return formats::safetensors::testing::from_tensors(tensors);
}

}  // namespace ambry::convert::testing
