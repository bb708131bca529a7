#include "formats/huggingface/tokenizer/stated_ends.h"

#include <limits>
#include <string>
#include <utility>

#include "formats/huggingface/side_files/file_values.h"
#include "model/tokenizer/end_tokens.h"

namespace ambry::formats::huggingface {
namespace {

using io::Json;

constexpr const char* kEosKey = "eos_token_id";
constexpr const char* kGenerationFile = "generation_config.json";

class EndsReader {
 public:
  EndsReader(const Json& config, std::vector<Error>& warnings) : warnings_(warnings) {
    const Json* size = config.find("vocab_size");
    if (size != nullptr && size->is_uint()) n_vocab_ = size->uint();
  }

  Result<void> read(const Json& json, const std::string& file) {
    const Json* value = json.find(kEosKey);
    if (value == nullptr || value->is_null()) return {};
    const std::string path = concat({file, ".", kEosKey});
    if (!value->is_array()) return add(*value, path);
    const auto& items = value->items();
    if (items.size() > model::kMaxStatedEnds) {
      return error_at(ErrorCode::LimitExceeded, value->byte_offset(), path,
                      {items.size(), " ids, at most ", model::kMaxStatedEnds, " are supported"});
    }
    for (size_t i = 0; i < items.size(); ++i) {
      AMBRY_RETURN_IF_ERROR(add(items[i], concat({path, "[", i, "]"})));
    }
    return {};
  }

  std::vector<uint32_t> take() { return std::move(ids_); }

 private:
  Result<void> add(const Json& id, const std::string& path) {
    const bool none = id.kind() == Json::Kind::Int && id.integer() == -1;
    if (!none && !id.is_uint()) {
      return error_at(ErrorCode::BadValue, id.byte_offset(), path,
                      {id.dump(), " is no id of a token; give a number or a list of numbers"});
    }
    if (none || id.uint() >= n_vocab_) {
      warnings_.push_back(error_at(ErrorCode::BadValue, id.byte_offset(), path,
                                   {"left out: the model has no token ", id.dump()}));
      return {};
    }
    ids_.push_back(static_cast<uint32_t>(id.uint()));
    return {};
  }

  std::vector<Error>& warnings_;
  uint64_t n_vocab_ = std::numeric_limits<uint32_t>::max();
  std::vector<uint32_t> ids_;
};

}  // namespace

Result<std::vector<uint32_t>> read_stated_ends(const SideFiles& files, const Json& config,
                                               std::vector<Error>& warnings) {
  EndsReader reader(config, warnings);
  AMBRY_RETURN_IF_ERROR(reader.read(config, "config.json"));
  AMBRY_TRY(const auto generation, read_json_file(files, kGenerationFile));
  if (generation) AMBRY_RETURN_IF_ERROR(reader.read(*generation, kGenerationFile));
  return reader.take();
}

}  // namespace ambry::formats::huggingface
