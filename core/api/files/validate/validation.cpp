#include "api/files/validate/validation.h"

#include <algorithm>
#include <utility>

#include "api/call/documents.h"
#include "base/order.h"
#include "convert/plan/rewrite.h"

namespace ambry::api {
namespace {

bool is_truncated(const Error& error) { return error.code == ErrorCode::Truncated; }

bool is_cut_off(const io::Diagnostics& found) {
  return std::ranges::any_of(found.errors, is_truncated);
}

// A file that ends too early has one problem, however many parts are missing: the first one that
// tells how long the file was, or else the first one.
void keep_one_cut(std::vector<Error>& errors) {
  const auto tells = [](const Error& error) { return is_truncated(error) && error.need_size != 0; };
  auto kept = std::ranges::find_if(errors, tells);
  if (kept == errors.end()) kept = std::ranges::find_if(errors, is_truncated);
  if (kept == errors.end()) return;
  const auto index = static_cast<size_t>(kept - errors.begin());
  std::vector<Error> left;
  for (size_t i = 0; i < errors.size(); ++i) {
    if (i == index || !is_truncated(errors[i])) left.push_back(std::move(errors[i]));
  }
  errors = std::move(left);
}

}  // namespace

Result<std::unique_ptr<Validation>> Validation::begin(const io::Source& source,
                                                      const ValidateOptions& options) {
  std::unique_ptr<Validation> validation(new Validation());
  auto examined = validation->examine(source, options);
  if (!examined) {
    if (examined.error().code == ErrorCode::NeedBytes) return examined.take_error();
    validation->diagnostics_.error(examined.take_error());
  }
  return validation;
}

Result<void> Validation::examine(const io::Source& source, const ValidateOptions& options) {
  diagnostics_.strictness = options.strictness;
  diagnostics_.validates = true;
  AMBRY_TRY(format_, formats::recognise(source));
  model_.format = format_->facts.id;
  AMBRY_TRY(model_, format_->parse(source, diagnostics_, {.vocabulary = options.vocabulary}));
  vocabulary_ = options.vocabulary;
  const auto is_sound = [&] { return diagnostics_.errors.size() == diagnostics_.n_bearable; };
  check_map();
  // The values can be checked if the table is sound, even if it does not describe a model.
  const bool values_are_sound = is_sound() && !tensors_overlap_;
  format_->check(model_, diagnostics_);
  in_doubt_ = !is_sound();
  return plan_stream(options, values_are_sound);
}

// Records whether the tensors overlap, and whether they are inside the file.
void Validation::check_map() {
  const bool mapped = !model_.regions.empty();
  uint64_t end = 0;
  for (const MapRegion& region : file_map(model_)) {
    if (mapped && region.kind == RegionKind::Padding) padding_.push_back(region);
    if (mapped && region.kind == RegionKind::Unclaimed && !is_cut_off(diagnostics_)) {
      diagnostics_.warn(
          error_at(ErrorCode::BadValue, region.offset, "file",
                   {region.bytes, " bytes are not referenced by anything in the file"}));
    }
    if (region.kind != RegionKind::Tensor) continue;
    tensors_overlap_ |= region.offset < end;
    end = region.offset + region.bytes;
  }
  tensors_overlap_ |= end > model_.file_bytes;
}

Result<void> Validation::plan_stream(const ValidateOptions& options, bool values_are_sound) {
  const bool rules = options.checksums && options.strictness == Strictness::Strict;
  std::vector<size_t> tensors;
  for (size_t i = 0; i < model_.tensors.size() && values_are_sound; ++i) {
    if (options.values || (rules && model_.tensors[i].finite_above)) tensors.push_back(i);
  }
  statistics_ = options.values && values_are_sound;
  if (statistics_ || !tensors.empty()) {
    values_.emplace(model_, diagnostics_);
  } else if (!options.checksums || model_.checksums.empty()) {
    return {};
  }
  return lay_out(model_, tensors, 0, model_.file_bytes);
}

Result<void> Validation::on_chunk(const Segment& segment, uint64_t offset, AlignedBuffer& chunk) {
  if (segment.tensor == kNoTensor) {
    check_padding(segment.offset + offset, chunk.bytes());
  } else {
    values_->pass(segment.tensor, offset, chunk.bytes());
  }
  return {};
}

void Validation::check_padding(uint64_t offset, Bytes bytes) {
  const uint64_t end = offset + bytes.size();
  for (; next_padding_ < padding_.size(); ++next_padding_) {
    const MapRegion& padding = padding_[next_padding_];
    if (padding.offset >= end) return;
    const uint64_t last = padding.offset + padding.bytes;
    for (uint64_t at = std::max(offset, padding.offset); at < std::min(end, last); ++at) {
      if (bytes[static_cast<size_t>(at - offset)] == 0) continue;
      diagnostics_.tolerate(error_at(ErrorCode::BadValue, at, "padding", "padding must be zero"));
      break;
    }
    if (last > end) return;
  }
}

Result<void> Validation::on_mismatch(Failure mismatch) {
  in_doubt_ = true;
  diagnostics_.error(std::move(mismatch));
  return {};
}

// Uses the model up: laying it out moves its tensors.
bool Validation::rewritable() {
  return !in_doubt_ && vocabulary_ && convert::make_same_layout(*format_, model_).has_value();
}

std::string Validation::finish() {
  const auto by_offset = [](const Error& a, const Error& b) {
    return a.byte_offset + 1 < b.byte_offset + 1;  // problems without an offset come first
  };
  sort_items(diagnostics_.errors, by_offset);
  keep_one_cut(diagnostics_.errors);
  sort_items(diagnostics_.warnings, by_offset);
  io::Json report = io::Json::object();
  report.set("format", format_ != nullptr ? io::Json(format_->facts.id) : io::Json());
  report.set("version", model_.version.empty() ? io::Json() : io::Json(model_.version));
  report.set("valid", diagnostics_.errors.empty());
  report.set("errors", problems(diagnostics_.errors));
  report.set("warnings", problems(diagnostics_.warnings));
  report.set("rewritable", rewritable());
  std::string text = report.dump();
  if (statistics_) {
    text.pop_back();
    text += ",\"statistics\":" + values_->statistics() + '}';
  }
  return text;
}

}  // namespace ambry::api
