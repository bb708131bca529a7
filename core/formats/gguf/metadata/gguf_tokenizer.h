// Reads the vocabulary of a GGUF file: the long arrays under `tokenizer.ggml.`, in compact form.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "formats/gguf/metadata/values.h"
#include "io/byte_reader.h"
#include "io/diagnostics.h"
#include "io/source.h"
#include "model/file/model.h"

namespace ambry::formats::gguf {

class TokenizerReader {
 public:
  TokenizerReader(const io::Source& source, io::ByteReader& reader, ValueReader& values,
                  const model::ReadOptions& options, io::Diagnostics& diagnostics)
      : source_(source),
        reader_(reader),
        values_(values),
        options_(options),
        diagnostics_(diagnostics) {}

  // Reads the value if `key` belongs to the vocabulary. Otherwise returns false and does not move
  // the reader. `read_ahead` is the size of what follows the metadata.
  [[nodiscard]] Result<bool> take(std::string_view key, ValueType type, uint64_t read_ahead);
  // The summary of the last value, for the metadata.
  [[nodiscard]] io::Json summary() const { return summary_; }

  // Sets the model's tokenizer, when all metadata is read.
  void finish(model::Model& model);

 private:
  // The part of the file with all elements of an array of texts, each after its length.
  struct Texts {
    Bytes bytes;
    uint64_t at = 0;
    uint64_t count = 0;
    [[nodiscard]] uint64_t text_bytes() const { return bytes.size() - count * sizeof(uint64_t); }
  };

  Result<bool> take_text();
  Result<Texts> read_texts(const ValueReader::Array& array);
  Result<void> take_tokens(const ValueReader::Array& array);
  Result<void> take_merges(const ValueReader::Array& array);
  Result<void> take_scores(const ValueReader::Array& array);
  Result<void> take_types(const ValueReader::Array& array);
  void check_lengths();
  Result<void> read_charsmap(ValueType type);
  void read_ids(const model::Model& model);
  void set_piece_merges();
  void read_settings(const model::Model& model);
  void read_added_tokens(const model::Model& model);
  void restore_word_pieces();

  const io::Source& source_;
  io::ByteReader& reader_;
  ValueReader& values_;
  const model::ReadOptions& options_;
  io::Diagnostics& diagnostics_;
  io::Json summary_;
  model::TokenizerData data_;
  bool found_ = false;
  // The two arrays that must be as long as the tokens. kNoOffset means absent.
  ValueReader::Array scores_{ValueType::F32, 0, kNoOffset};
  ValueReader::Array types_{ValueType::I32, 0, kNoOffset};
};

// NotFound for BPE without its list of merges, which would cut every text into bytes.
[[nodiscard]] Result<void> require_merges(const model::Model& file);

}  // namespace ambry::formats::gguf
