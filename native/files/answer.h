// Answers requests about files: what desk-peek prints for them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "files/dpkg.h"
#include "files/file_facts.h"

namespace desk::files {

// Files that one pattern reports, and bytes of text in all of them.
inline constexpr std::size_t kMostFiles = 4'096;
inline constexpr std::size_t kMostTexts = 8 << 20;

struct FileQuery {
  std::string pattern;
  std::uint32_t viewer = 0;
  Depth depth = Depth::kFacts;
};

// "VIEWER HEX", HEX the bytes of the pattern; false when it is not that.
bool ParsePattern(std::string_view line, FileQuery& query);

// "text|digest|facts VIEWER HEX", HEX the bytes of the pattern; nothing when it is not that.
bool ParseQuery(std::string_view line, FileQuery& query);

// One JSON object, of the shape in src/features/startup/scanned-file.ts: {"files":[…],"unread":[…],"cut":…,
// "packages":…,"busy":…}. Reading may block forever, as on a file server: the caller must be prepared to be
// killed.
std::string AnswerQuery(const FileQuery& query, Dpkg& dpkg);

}  // namespace desk::files
