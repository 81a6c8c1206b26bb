// The write-ahead log of an SQLite database: pages that are newer than those of the database file
// (https://www.sqlite.org/fileformat2.html#the_write_ahead_log).
#pragma once

#include <cstdint>
#include <unordered_map>

#include "core/result.h"

namespace desk::files {

// Bytes of a log that are read.
inline constexpr std::uint64_t kMostWal = 256 << 20;

constexpr bool IsPageSize(std::uint32_t size) {
  return size >= 512 && size <= 65'536 && (size & (size - 1)) == 0;
}

struct WalPages {
  // 0 where the log has no transaction.
  std::uint32_t page_size = 0;
  // Pages of the database after the last transaction.
  std::uint32_t pages = 0;
  // By number, where in the log its last content is.
  std::unordered_map<std::uint32_t, std::uint64_t> offsets;
};

// Reads the transactions that were completed; `file` may be -1: no log. A log that does not begin as one has
// none, as for SQLite. EFBIG where it is larger than `kMostWal`.
Result<WalPages> ReadWal(int file);

}  // namespace desk::files
