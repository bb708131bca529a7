#include "convert/import_formats.h"

#include <array>

#include "convert/decoder/llama2c.h"
#include "formats/fasttext/parse.h"
#include "formats/wordvec/probe.h"

namespace ambry::convert {
namespace {

using formats::wordvec::Form;

// Formats without a magic come last. The least certain one is at the end.
constexpr std::array kImportFormats = {
    ImportFormat{"fasttext", formats::fasttext::probe},
    ImportFormat{"llama2c", probe_llama2c},
    ImportFormat{"floret", formats::wordvec::probe<Form::Floret>},
    ImportFormat{"word2vec", formats::wordvec::probe<Form::Word2Vec>},
    ImportFormat{"textdims", formats::wordvec::probe<Form::TextDims>},
    ImportFormat{"text", formats::wordvec::probe<Form::Text>},
};

}  // namespace

std::span<const ImportFormat> import_formats() { return kImportFormats; }

}  // namespace ambry::convert
