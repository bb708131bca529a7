#include "convert/import/import_formats.h"

#include <array>

#include "convert/import/llama2c_layout.h"
#include "formats/wordvec/probe.h"

namespace ambry::convert {
namespace {

using formats::wordvec::Form;

// Formats without a magic come last. The least certain one is at the end.
constexpr std::array kImportFormats = {
    ImportFormat{.facts = {.id = "llama2c",
                           .label = "llama2.c",
                           .file = "a llama2.c checkpoint",
                           .extensions = {".bin"},
                           .magics = {kLlama2cMagic}},
                 .probe = probe_llama2c},
    ImportFormat{.facts = {.id = "floret",
                           .label = "floret",
                           .file = "floret vectors",
                           .extensions = {".floret"}},
                 .probe = formats::wordvec::probe<Form::Floret>},
    ImportFormat{.facts = {.id = "word2vec",
                           .label = "word2vec",
                           .file = "word2vec vectors",
                           .extensions = {".w2v"}},
                 .probe = formats::wordvec::probe<Form::Word2Vec>},
    ImportFormat{.facts = {.id = "textdims",
                           .label = "word2vec text",
                           .file = "word2vec vectors as text",
                           .extensions = {".vec"}},
                 .probe = formats::wordvec::probe<Form::TextDims>},
    ImportFormat{.facts = {.id = "text",
                           .label = "GloVe text",
                           .file = "GloVe vectors as text",
                           .extensions = {".txt"}},
                 .probe = formats::wordvec::probe<Form::Text>},
};

}  // namespace

std::span<const ImportFormat> import_formats() { return kImportFormats; }

}  // namespace ambry::convert
