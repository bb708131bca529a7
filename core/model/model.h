// The format-neutral result of every parser: facts and places, no weights. Tensor bytes stay in the
// file; whoever runs, checks or converts the model reads them from `offset` on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "io/json/json.h"
#include "model/tokenizer/tokenizer_data.h"
#include "model/words/word_vocabulary.h"
#include "tensor/dtype.h"
#include "tensor/quantization.h"
#include "tensor/shape.h"

namespace ambry::model {

struct TensorEntry {
  std::string name;
  tensor::DType dtype = tensor::DType::F32;
  tensor::Shape shape;
  uint64_t offset = 0;                // absolute in the file
  uint64_t bytes = 0;                 // without padding
  uint64_t index_offset = kNoOffset;  // where the file describes it, for errors
  // NOLINTBEGIN(readability-redundant-member-init): GCC warns of aggregates that leave these out
  std::optional<tensor::Quantization> quantization = {};  // for AMB's quantised types
  // What ought to hold of the values, for whoever streams them.
  uint32_t value_limit = 0;  // unless 0: integers below this, which choose one of so many
  // If set: finite numbers above this. Others make results NaN, which is a warning; where nothing
  // is set, numbers that are not finite are errors.
  std::optional<float> finite_above = {};
  // NOLINTEND(readability-redundant-member-init)
  uint64_t n_unit_rows = 0;  // so many rows, from the first on, are zero or of length 1

  friend bool operator==(const TensorEntry&, const TensorEntry&) = default;
};

// A CRC-32 that the file states over a range of its own bytes. Parsers do not read tensor bytes, so
// whoever streams the file checks it: the loader, the validator.
struct ByteRangeCrc {
  uint64_t begin = 0;
  uint64_t end = 0;
  uint32_t expected = 0;
  uint64_t field_offset = 0;  // where the file states it
  std::string path;
  // A little-endian number, or eight hexadecimal digits in a text.
  enum class Form : uint8_t { Le32, Hex } form = Form::Le32;
  // The file streams by, so the parser did not see `expected`: whoever streams it takes it from
  // `field_offset`, which lies behind the range. For Le32.
  bool read_later = false;

  friend bool operator==(const ByteRangeCrc&, const ByteRangeCrc&) = default;
};

// Bytes that must end a file, from a parser that could not see them because the file streams by.
struct ClosingMagic {
  uint64_t offset = 0;
  std::string_view bytes;
  std::string_view path;

  friend bool operator==(const ClosingMagic&, const ClosingMagic&) = default;
};

// A part of the file that is not a tensor, for the map of the file: `header`, `metadata`, ….
struct Region {
  std::string name;
  uint64_t offset = 0;
  uint64_t bytes = 0;

  friend bool operator==(const Region&, const Region&) = default;
};

// What a parser may leave out when nobody wants it, so that fewer bytes of a remote file are asked
// for.
struct ReadOptions {
  // Tokens, merges and payload; without them `TokenizerData::n_tokens` and the special ids remain.
  bool vocabulary = true;
};

// How the file stores the weight matrices of linear layers.
enum class LinearLayout : uint8_t { OutIn, InOut };

// Special members out of line, as for Error.
struct Model {
  Model();
  Model(const Model&);
  Model(Model&&) noexcept;
  Model& operator=(const Model&);
  Model& operator=(Model&&) noexcept;
  ~Model();

  std::string format;   // registry id: "embd", "safetensors"
  std::string version;  // as people say it: "F0 1.0"
  uint64_t file_bytes = 0;
  io::Json metadata = io::Json::object();  // as stored, in file order
  // The file's own form of it, where `metadata` cannot say it all (TOML, JSON, GGUF's typed
  // values): a rewrite keeps it byte for byte.
  std::string metadata_text;
  // The format's own facts about the model in the names of its page; null where it has none and the
  // metadata says it all.
  io::Json config;
  std::string config_text;      // as metadata_text
  std::vector<Region> regions;  // in file order
  std::optional<TokenizerData> tokenizer;
  std::optional<WordVocabulary> words;  // of word vectors, instead of a tokenizer
  std::vector<TensorEntry> tensors;     // in the order of the file's index
  // A caller that knows better than a guessing reader may set it before running or converting.
  LinearLayout linear_layout = LinearLayout::OutIn;
  std::vector<ByteRangeCrc> checksums;
  std::optional<ClosingMagic> closing_magic;

  // The tensor of this canonical name, with or without the prefixes that exporters put before it
  // (`bert.`, `model.`, `0.auto_model.`); nullptr when absent.
  [[nodiscard]] const TensorEntry* find(std::string_view canonical_name) const;
};

// The name without exporters' prefixes: `bert.encoder.layer.0.…` → `encoder.layer.0.…`.
[[nodiscard]] std::string_view canonical_tensor_name(std::string_view name);

}  // namespace ambry::model
