// Hangul syllables decompose and compose by arithmetic (Unicode 3.12).
#pragma once

namespace ambry::text::hangul {

inline constexpr char32_t kSyllables = 0xAC00;
inline constexpr char32_t kLeads = 0x1100;
inline constexpr char32_t kVowels = 0x1161;
inline constexpr char32_t kTrails = 0x11A7;  // one before the first: a syllable may have none
inline constexpr char32_t kLeadCount = 19;
inline constexpr char32_t kVowelCount = 21;
inline constexpr char32_t kTrailCount = 28;
inline constexpr char32_t kSyllableCount = kLeadCount * kVowelCount * kTrailCount;

[[nodiscard]] constexpr bool is_syllable(char32_t c) { return c - kSyllables < kSyllableCount; }

}  // namespace ambry::text::hangul
