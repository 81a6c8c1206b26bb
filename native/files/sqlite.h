// Reads rows of a table from an SQLite database by its file format
// (https://www.sqlite.org/fileformat2.html). The file may have any content.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/fd.h"
#include "core/result.h"
#include "files/sqlite_wal.h"

namespace desk::files {

// Bytes of a database, and of a row.
inline constexpr std::uint64_t kMostDatabase = std::uint64_t{4} << 30;
inline constexpr std::uint64_t kMostRow = 64 << 20;

// A value of a row.
struct SqliteValue {
  // The bytes of a text or blob; of an integer its big-endian bytes.
  std::string_view bytes;
  bool integer = false;
};

class Sqlite {
 public:
  // The values of a row, valid during the call. 0, or an errno that ends the reading.
  using Visit = std::function<int(std::int64_t row, const std::vector<SqliteValue>& values)>;

  Sqlite() = default;
  // `wal`: its write-ahead log, which may be no file. EBADMSG where it is another kind of file or damaged,
  // here and below; EFBIG beyond the limits.
  static Result<Sqlite> Open(Fd file, Fd wal);

  // Visits the rows of a table that has no WITHOUT ROWID, in order. `only`: this row alone. ENOENT where the
  // table is not there.
  int EachRow(std::string_view table, const Visit& visit, std::optional<std::int64_t> only = {}) const;

 private:
  struct Walk {
    const Visit& visit;
    std::optional<std::int64_t> only;
    // Pages that may still be read: each is part of one table alone.
    std::uint64_t left = 0;
    // Pages to read next, the last one first, and how deep they are.
    std::vector<std::pair<std::uint32_t, int>> pending;
  };

  int ReadPage(std::uint32_t number, std::string& into, std::uint64_t& left) const;
  int EachIn(std::uint32_t root, const Visit& visit, std::optional<std::int64_t> only) const;
  int VisitNext(Walk& walk) const;
  int VisitBranches(std::string_view page, std::size_t head, int depth, Walk& walk) const;
  int VisitLeaves(std::string_view page, std::size_t head, Walk& walk) const;
  // The rest of a row is in pages of its own.
  int ReadOverflow(std::uint32_t number, std::uint64_t size, std::string& row, std::uint64_t& left) const;

  Fd file_;
  Fd wal_file_;
  WalPages wal_;
  std::uint32_t page_size_ = 0;
  // Bytes of a page that are used.
  std::uint32_t usable_ = 0;
  std::uint64_t pages_ = 0;
};

}  // namespace desk::files
