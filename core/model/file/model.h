// The result of every parser, independent of the format: facts and offsets, but no weights. Tensor
// bytes stay in the file; the code that runs, checks or converts the model reads them from `offset`
// on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "io/json/json.h"
#include "model/text_classifier/text_classifier_data.h"
#include "model/tokenizer/tokenizer_data.h"
#include "model/words/word_vocabulary.h"
#include "tensor/dtype/dtype.h"
#include "tensor/dtype/quantization.h"
#include "tensor/dtype/shape.h"

namespace ambry::model {

struct TensorEntry {
  std::string name;
  tensor::DType dtype = tensor::DType::F32;
  float factor = 1;  // multiplies all values; GGUF has it in a tensor of its own
  tensor::Shape shape;
  uint64_t offset = 0;                // absolute in the file
  uint64_t bytes = 0;                 // without padding
  uint64_t index_offset = kNoOffset;  // where the file describes the tensor, for errors
  // NOLINTBEGIN(readability-redundant-member-init): GCC warns about aggregates that leave these out
  std::optional<tensor::Quantization> quantization = {};  // for AMB's quantized types
  // What the values must satisfy. The code that streams them checks it.
  uint32_t value_limit = 0;  // unless 0: values are integers below this, such as codes
  // If set: values must be finite and above this; others make results NaN and are errors in strict
  // reading, warnings in lenient reading. If not set, values that are not finite are errors.
  std::optional<float> finite_above = {};
  // NOLINTEND(readability-redundant-member-init)
  // The elements are some of those in `bytes`, or several share one (a slice in a PyTorch file).
  bool has_gaps = false;
  uint64_t n_unit_rows = 0;  // this many rows, from the first on, are zero or have length 1

  friend bool operator==(const TensorEntry&, const TensorEntry&) = default;
};

// A CRC-32 that the file states over a range of its own bytes. Parsers do not read tensor bytes, so
// the loader or the validator checks it while streaming the file.
struct ByteRangeCrc {
  uint64_t begin = 0;
  uint64_t end = 0;
  uint32_t expected = 0;
  uint64_t field_offset = 0;  // where the file stores the checksum
  std::string path;
  // A little-endian integer, or eight hexadecimal digits in a text.
  enum class Form : uint8_t { Le32, Hex } form = Form::Le32;
  // The source is sequential, so the parser has not seen `expected`: the code that streams the file
  // reads it at `field_offset`, which lies after the range. Only for Le32.
  bool read_later = false;

  friend bool operator==(const ByteRangeCrc&, const ByteRangeCrc&) = default;
};

// Bytes that must end the file. Set by a parser that cannot see them in a sequential source.
struct ClosingMagic {
  uint64_t offset = 0;
  std::string_view bytes;
  std::string_view path;

  friend bool operator==(const ClosingMagic&, const ClosingMagic&) = default;
};

// A part of the file that is not a tensor, for the file map: `header`, `metadata`, and so on.
struct Region {
  std::string name;
  uint64_t offset = 0;
  uint64_t bytes = 0;

  friend bool operator==(const Region&, const Region&) = default;
};

// Parts that a parser may skip, so that fewer bytes of a remote file are fetched.
struct ReadOptions {
  // Tokens, merges and payload. Without them, `TokenizerData::n_tokens` and the special ids are
  // still read.
  bool vocabulary = true;
};

// How the file stores the weight matrices of linear layers.
enum class LinearLayout : uint8_t { OutIn, InOut };

// The special members are out of line, as in Error, to keep the WebAssembly small.
struct Model {
  Model();
  Model(const Model&);
  Model(Model&&) noexcept;
  Model& operator=(const Model&);
  Model& operator=(Model&&) noexcept;
  ~Model();

  std::string format;   // id in the registry: "embd", "safetensors"
  std::string version;  // as shown to people: "F0 1.0"
  uint64_t file_bytes = 0;
  io::Json metadata = io::Json::object();  // as stored, in file order
  // The metadata in the file's own form, where `metadata` cannot express all of it (TOML, JSON,
  // GGUF's typed values). A rewrite keeps it byte for byte.
  std::string metadata_text;
  // The format's own facts about the model, under the names on the format's page. Null where the
  // format has none.
  io::Json config;
  std::string config_text;      // like metadata_text
  std::vector<Region> regions;  // in file order
  std::optional<TokenizerData> tokenizer;
  std::optional<WordVocabulary> words;            // for word vectors, instead of a tokenizer
  std::optional<TextClassifier> text_classifier;  // for classifiers of texts, likewise
  std::vector<TensorEntry> tensors;               // in the order of the file's index
  // Some parsers guess the layout. A caller that knows it may set it before running or converting.
  LinearLayout linear_layout = LinearLayout::OutIn;
  std::vector<ByteRangeCrc> checksums;
  std::optional<ClosingMagic> closing_magic;

  // The tensor with this canonical name, with or without an exporter's prefix (`bert.`, `model.`,
  // `0.auto_model.`). Returns nullptr when there is none.
  [[nodiscard]] const TensorEntry* find(std::string_view canonical_name) const;
};

// The name without an exporter's prefix: `bert.encoder.layer.0.…` → `encoder.layer.0.…`.
[[nodiscard]] std::string_view canonical_tensor_name(std::string_view name);

}  // namespace ambry::model
