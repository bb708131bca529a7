// Makes parts of models for tests.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/file/model.h"
#include "model/vocabulary/vocabulary.h"

namespace ambry::model {

inline TensorEntry entry(std::string name, tensor::Shape shape) {
  TensorEntry tensor;
  tensor.name = std::move(name);
  tensor.shape = shape;
  return tensor;
}

inline Vocabulary vocabulary_of(const std::vector<std::string>& tokens) {
  Vocabulary vocabulary;
  for (const std::string& token : tokens) vocabulary.push_back(token);
  return vocabulary;
}

}  // namespace ambry::model
