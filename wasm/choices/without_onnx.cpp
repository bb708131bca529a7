// A module with this file does not read ONNX files.
#include "api/files/onnx/without_onnx.h"
