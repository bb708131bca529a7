#include <vector>

#include "base/order.h"
#include "formats/embd/embd_layout.h"
#include "formats/embd/embd_parse.h"
#include "formats/embd/embd_tensor_index.h"
#include "formats/embd/f0_header.h"
#include "formats/embd/metadata_section.h"
#include "formats/embd/tokenizer/tokenizer_parts.h"
#include "formats/embd/vocabulary_section.h"
#include "model/static_encoder/static_config.h"

namespace ambry::formats::embd {
namespace {

// The map of the file without the tensors.
std::vector<model::Region> regions_of(const F0Header& header, const model::Model& model) {
  std::vector<model::Region> regions = {{"header", 0, kHeaderBytes}};
  const auto add = [&](const char* name, uint64_t offset, uint64_t bytes) {
    if (bytes > 0) regions.push_back({name, offset, bytes});
  };
  uint64_t name_bytes = 0;
  for (const model::TensorEntry& tensor : model.tensors) name_bytes += tensor.name.size();
  const uint64_t descriptor_bytes = uint64_t{header.index_count} * kDescriptorBytes;
  add("metadata", header.metadata_offset, header.metadata_size);
  if (header.has(kFlagVocabEmbedded)) add("vocabulary", header.vocab_offset, header.vocab_size);
  add("tensor index", header.index_offset, descriptor_bytes);
  add("tensor names", header.index_offset + descriptor_bytes, name_bytes);
  add("footer", model.file_bytes - kFooterBytes, kFooterBytes);
  sort_items(regions, [](const auto& a, const auto& b) { return a.offset < b.offset; });
  return regions;
}

}  // namespace

Result<model::Model> parse_f0(const io::Source& source, io::Diagnostics& diagnostics,
                              const model::ReadOptions& options) {
  AMBRY_TRY(const F0Header header, read_f0_header(source, diagnostics));
  model::Model model;
  model.format = "embd";
  model.version = concat({"F0 1.", header.version_minor});
  model.file_bytes = header.total_size;
  AMBRY_RETURN_IF_ERROR(read_f0_footer(source, header, diagnostics, model));
  AMBRY_RETURN_IF_ERROR(check_f0_sections(header, model.file_bytes, diagnostics));
  AMBRY_TRY(model.metadata, read_metadata_section(source, header.metadata_offset,
                                                  header.metadata_size, diagnostics));
  if (header.has(kFlagVocabEmbedded)) {
    AMBRY_TRY(model.tokenizer, read_vocabulary_section(source, header.vocab_offset,
                                                       header.vocab_size, diagnostics, options));
  }
  AMBRY_TRY(model.tensors, read_tensor_index(source, header, diagnostics));
  model.regions = regions_of(header, model);
  AMBRY_RETURN_IF_ERROR(take_tokenizer_parts(source, options, model));
  if (model::is_static(model)) model::apply_static_rules(model);
  return model;
}

}  // namespace ambry::formats::embd
