#include "formats/amb/checksums.h"

#include <charconv>

namespace ambry::formats::amb {
namespace {

constexpr std::string_view kAlgorithm = "crc32";
constexpr size_t kDigits = 8;

Failure fail(const io::Json& at, ErrorCode code, const char* key, const Text& message) {
  return error_at(code, at.byte_offset(), {"metadata.checksums", key}, message);
}

Result<model::ByteRangeCrc> read_checksum(const io::Json& checksums, const char* key,
                                          uint64_t begin, uint64_t end) {
  const std::string path = concat({".", key});
  const io::Json* value = checksums.find(key);
  if (value == nullptr) return fail(checksums, ErrorCode::NotFound, path.c_str(), "missing");
  uint32_t number = 0;
  bool good = value->is_string() && value->string().size() == kDigits;
  if (good) {
    const char* text = value->string().data();
    const auto [stopped, problem] = std::from_chars(text, text + kDigits, number, 16);
    good = problem == std::errc() && stopped == text + kDigits;
  }
  if (!good) {
    return fail(*value, ErrorCode::BadValue, path.c_str(), "not eight hexadecimal digits");
  }
  return model::ByteRangeCrc{begin,
                             end,
                             number,
                             value->byte_offset() + 1,  // after the quote
                             concat({"metadata.checksums", path}),
                             model::ByteRangeCrc::Form::Hex};
}

}  // namespace

Result<std::vector<model::ByteRangeCrc>> read_checksums(const io::Json& metadata,
                                                        const Sections& sections) {
  const io::Json* checksums = metadata.find(kChecksumsKey);
  if (checksums == nullptr || !checksums->is_object()) {
    return error_at(ErrorCode::NotFound, kFlagsAt, "header.flags",
                    "the CHECKSUMS flag is set, but the metadata has no object \"checksums\"");
  }
  const io::Json* algorithm = checksums->find("algorithm");
  if (algorithm == nullptr || !algorithm->is_string() || algorithm->string() != kAlgorithm) {
    return fail(algorithm == nullptr ? *checksums : *algorithm, ErrorCode::Unsupported,
                ".algorithm", "not \"crc32\"");
  }
  std::vector<model::ByteRangeCrc> all;
  const auto add = [&](const char* key, uint64_t begin, uint64_t end) -> Result<void> {
    AMBRY_TRY(model::ByteRangeCrc crc, read_checksum(*checksums, key, begin, end));
    all.push_back(std::move(crc));
    return {};
  };
  AMBRY_RETURN_IF_ERROR(add("config", sections.config, sections.tokenizer));
  AMBRY_RETURN_IF_ERROR(add("tokenizer", sections.tokenizer, sections.weights));
  AMBRY_RETURN_IF_ERROR(add("weights", sections.weights, sections.end));
  return all;
}

io::Json checksums_to_fill_in() {
  const std::string zeros(kDigits, '0');
  io::Json checksums = io::Json::object();
  checksums.set("algorithm", kAlgorithm);
  for (const char* key : {"config", "tokenizer", "weights"}) checksums.set(key, zeros);
  return checksums;
}

}  // namespace ambry::formats::amb
