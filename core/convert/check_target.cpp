#include "convert/check_target.h"

#include <utility>
#include <vector>

#include "formats/registry.h"
#include "io/source.h"

namespace ambry::convert {
namespace {

Failure invalid(Failure error) {
  error->message = concat({"the target will be invalid: ", error->message});
  error->byte_offset = kNoOffset;  // it counts in the target, which is not written
  return error;
}

// The target's tokenizer and config as a reader will see them, from a file of them alone. Tensors
// do not change them, and their bytes do not exist yet.
Result<void> read_back(const formats::Format& format, model::Model& target,
                       io::Diagnostics& diagnostics) {
  model::Model bare = target;
  bare.tensors.clear();
  auto layout = format.lay_out(bare);
  if (!layout) return {};  // no file of this format is without tensors
  std::vector<uint8_t> file;
  for (const model::FilePiece& piece : layout->pieces) {
    file.insert(file.end(), piece.bytes.begin(), piece.bytes.end());
  }
  const io::MemorySource source(file);
  AMBRY_TRY(model::Model read, format.parse(source, diagnostics, {}));
  read.tensors = std::move(target.tensors);
  target = std::move(read);
  return {};
}

}  // namespace

Result<void> check_target(Plan& plan, std::string_view format, const Options& options) {
  const formats::Format* known = formats::find_format(format);
  if (known == nullptr || known->lay_out == nullptr) return {};
  model::Model target = plan.target;
  io::Diagnostics diagnostics;
  if (known->runs == formats::Runs::Decoder && known->to_run == nullptr) {
    if (auto read = read_back(*known, target, diagnostics); !read) {
      return invalid(read.take_error());
    }
  }
  known->check(target, diagnostics);
  for (Error& error : diagnostics.errors) {
    Failure problem = invalid(Failure(std::move(error)));
    if (!plan.rewrites) return problem;
    plan.warnings.push_back(std::move(problem));
  }
  if (options.inspect_target != nullptr) options.inspect_target(target, plan.warnings);
  if (options.target != nullptr) *options.target = std::move(target);
  return {};
}

}  // namespace ambry::convert
