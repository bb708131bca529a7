// A small static encoder as EMBD, byte by byte from the format's page.
#pragma once

#include <string>
#include <vector>

#include "formats/embd/make_embd.h"

namespace ambry::formats::embd::testing {

// Eight tokens of four values. The data of tensors is small floats that differ.
inline F0Maker static_maker() {
  F0Maker maker;
  maker.metadata = {{"architecture", "static"}, {"model_name", "tiny"},
                    {"model_version", "1.0.0"}, {"embedding_dim", "4"},
                    {"vocab_size", "8"},        {"created_at", "2026-01-01"},
                    {"normalize", "false"}};
  maker.tensors = {{"embeddings.word_embeddings.weight", {8, 4}}};
  return maker;
}

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

}  // namespace ambry::formats::embd::testing
