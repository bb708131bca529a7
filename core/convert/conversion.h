// Converts a model to EMBD layout F0, or writes a file of any format again, as a stream: the caller
// alternates between filling a block that is to be read and taking a block that is to be written.
// Blocks come in order from offset 0 to total_bytes(), so a pipe can take them; where a checksum
// stands before what it covers, it is written over at the end; memory stays at one block (at most a
// few MiB, or one matrix when its storage order must be turned) plus the vocabulary.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "formats/huggingface/side_files.h"
#include "io/diagnostics.h"
#include "io/source.h"
#include "model/model.h"

namespace ambry::convert {

enum class TargetDType : uint8_t { AsStored, F32, F16, BF16, Int8 };

struct Options {
  std::string to = "embd";  // registry id of the target's format
  TargetDType dtype = TargetDType::AsStored;
  // Metadata that replaces or extends what the source says; "created_at" is the caller's to give,
  // because the core has no clock and equal input must give equal bytes.
  std::vector<std::pair<std::string, std::string>> metadata;
  // For sources that do not say it (EMBD F1 with square matrices); overrides the reader's guess.
  std::optional<model::LinearLayout> linear_layout;
};

struct Step {
  enum class Kind : uint8_t { Read, Write, Done };
  Kind kind = Kind::Done;
  uint64_t offset = 0;  // in the source for Read, in the target for Write
  MutableBytes target;  // Read: to be filled before the next call
  Bytes bytes;          // Write: to be taken before the next call
};

class Conversion {
 public:
  // `main` is the file with the weights: safetensors with its directory's side files, or EMBD with
  // none. Restartable on NeedBytes.
  [[nodiscard]] static Result<Conversion> begin(const io::Source& main,
                                                const formats::huggingface::SideFiles& files,
                                                const Options& options);

  Conversion(Conversion&&) noexcept;
  Conversion& operator=(Conversion&&) noexcept;
  ~Conversion();

  [[nodiscard]] uint64_t total_bytes() const;
  // What the target will hold.
  [[nodiscard]] const model::Model& target() const;
  // Things left out or guessed; never errors.
  [[nodiscard]] const std::vector<Error>& warnings() const;
  [[nodiscard]] Result<Step> next();

 private:
  class State;
  explicit Conversion(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace ambry::convert
