// The options of a conversion.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "convert/plan/quantization_options.h"
#include "model/file/model.h"
#include "tensor/dtype/dtype.h"

namespace ambry::convert {

// The types in which weight matrices can be stored. Only EMBD has Int8 (with one scale per row);
// other formats have their quantized types.
inline constexpr std::array kTargetDTypes = {tensor::DType::F32, tensor::DType::F16,
                                             tensor::DType::BF16, tensor::DType::Int8};

// The selected words of word vectors, in output order.
struct WordSelection {
  std::vector<std::string> words;
  bool ignore_unknown = false;  // leaves out words that get no vector instead of failing
};

struct Options {
  // The target format's id in the registry. May be empty to quantize a file in its own format.
  std::string to = "embd";
  // The source format: an id of the registry or of an import format (import_formats.h). Empty: the
  // bytes decide.
  std::string from;
  std::string arch;  // the model's architecture, where the source does not state it
  // Whether a directory's vocab.txt is of an uncased model, where no file says so.
  std::optional<bool> lowercase;
  // The task whose adapter is merged into an encoder's weights (encoder/adapters.h). Empty: none.
  std::string task;
  // `fillMask` keeps the head of a masked language model, which is left out otherwise.
  std::string head;
  // The factor of each LoRA adapter that is merged into the weights. The files of the i-th are in
  // the folder `adapter[i]/` (convert/adapter/adapter_file.h).
  std::vector<double> adapters;
  std::optional<tensor::DType> dtype;  // one of kTargetDTypes; absent: as in the source
  // Static encoders: how many of the first numbers of each vector are kept. Absent: all.
  std::optional<uint64_t> dim;
  // Leaves out what the target cannot store, and goes on where a checksum of the source is wrong,
  // with a warning instead of an error.
  bool lossy = false;
  // Word vectors: multiplies the rows by their norms, which undoes their normalization.
  bool unnormalize = false;
  // The target is opened and then dropped, so it may be what only Ambry reads: word vectors keep
  // the bytes of their words and fastText's rule of n-grams
  // (core/formats/finalfusion/README.md#made-to-run).
  bool to_run = false;
  // Writes the tokenizer of a directory alone (tokenizer_plan.h).
  bool tokenizer_only = false;
  std::optional<QuantizeOptions> quantize;
  // finalfusion word vectors; at most one of these: quantized vectors become dense, hashed n-grams
  // are stored explicitly, or only some words are kept.
  bool reconstruct = false;
  bool explicit_ngrams = false;
  std::optional<WordSelection> select;
  // Metadata that overrides or extends the source's. "created_at" comes from the caller, because
  // the core has no clock and equal input must give equal bytes.
  std::vector<std::pair<std::string, std::string>> metadata;
  // finalfusion: the target's metadata as TOML, instead of the source's.
  std::optional<std::string> metadata_toml;
  // Called when a conversion begins, with the model as the target's reader will see it. Adds
  // warnings. nullptr: nobody looks.
  void (*inspect_target)(model::Model& target, std::vector<Error>& warnings) = nullptr;
  // Where to put that model when all is checked; formats of word vectors put none. nullptr:
  // nowhere.
  model::Model* target = nullptr;
  // For sources that do not state it (EMBD F1 with square matrices). Overrides the reader's guess.
  std::optional<model::LinearLayout> linear_layout;
};

}  // namespace ambry::convert
