// What the tests include of libraries, for builds that read it once.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "../core/precompiled.h"
