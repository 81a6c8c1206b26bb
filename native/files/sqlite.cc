#include "files/sqlite.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "files/bytes.h"

namespace desk::files {
namespace {

constexpr std::string_view kMagic("SQLite format 3\0", 16);
constexpr std::size_t kDatabaseHeader = 100;
// The least part of a page that may be used.
constexpr std::uint32_t kLeastUsable = 480;
// As deep as SQLite reads.
constexpr int kMostTreeDepth = 20;
// Values of a row that are read.
constexpr std::size_t kMostValues = 8;

constexpr unsigned kLeaf = 0x0d;
constexpr unsigned kBranch = 0x05;

unsigned Byte(std::string_view page, std::size_t at) { return static_cast<unsigned char>(page[at]); }

// Nothing where the bytes end before.
std::optional<std::uint64_t> TakeBigEndian(std::string_view& rest, std::size_t size) {
  if (rest.size() < size) return std::nullopt;
  const std::uint64_t number = BigEndian(rest.substr(0, size));
  rest.remove_prefix(size);
  return number;
}

// Seven bits of each byte as long as the first bit is set; all eight of the ninth.
std::optional<std::uint64_t> TakeVarint(std::string_view& rest) {
  std::uint64_t number = 0;
  for (std::size_t at = 0; at < 9 && at < rest.size(); ++at) {
    const unsigned byte = Byte(rest, at);
    const bool last = at == 8 || byte < 0x80;
    number = at == 8 ? number << 8U | byte : number << 7U | (byte & 0x7fU);
    if (!last) continue;
    rest.remove_prefix(at + 1);
    return number;
  }
  return std::nullopt;
}

// Bytes of a value of this serial type; nothing for one that is reserved.
std::optional<std::uint64_t> SizeOf(std::uint64_t type) {
  constexpr std::array<std::uint8_t, 10> kSizes{0, 1, 2, 3, 4, 6, 8, 8, 0, 0};
  if (type < kSizes.size()) return kSizes[type];
  if (type < 12) return std::nullopt;
  return (type - 12) / 2;
}

std::optional<std::vector<SqliteValue>> ParseRow(std::string_view row) {
  std::string_view types = row;
  const std::optional<std::uint64_t> head = TakeVarint(types);
  const std::size_t taken = row.size() - types.size();
  if (!head || *head < taken || *head > row.size()) return std::nullopt;
  types = types.substr(0, *head - taken);
  std::string_view rest = row.substr(*head);
  std::vector<SqliteValue> values;
  while (!types.empty() && values.size() < kMostValues) {
    const std::optional<std::uint64_t> type = TakeVarint(types);
    const std::optional<std::uint64_t> size = type ? SizeOf(*type) : std::nullopt;
    if (!size || *size > rest.size()) return std::nullopt;
    values.push_back({.bytes = rest.substr(0, *size), .integer = *type >= 1 && *type <= 6});
    rest.remove_prefix(*size);
  }
  return values;
}

// Offsets of the cells of a page, in the order of their keys; nothing where the page is damaged.
std::optional<std::vector<std::size_t>> CellsOf(std::string_view page, std::size_t head, std::size_t length) {
  const auto count = static_cast<std::size_t>(BigEndian(page.substr(head + 3, 2)));
  std::string_view pointers = page.substr(head + length);
  if (pointers.size() < 2 * count) return std::nullopt;
  std::vector<std::size_t> cells;
  for (std::size_t at = 0; at < count; ++at) {
    cells.push_back(BigEndian(pointers.substr(2 * at, 2)));
    if (cells.back() >= page.size()) return std::nullopt;
  }
  return cells;
}

}  // namespace

Result<Sqlite> Sqlite::Open(Fd file, Fd wal) {
  Sqlite database;
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) return Errno{errno};
  if (!S_ISREG(info.st_mode)) return Errno{EBADMSG};
  Result<WalPages> newer = ReadWal(wal.get());
  if (!newer) return newer.refusal();
  database.wal_ = std::move(*newer);
  database.file_ = std::move(file);
  database.wal_file_ = std::move(wal);
  std::array<char, kDatabaseHeader> head{};
  const auto first = database.wal_.offsets.find(1);
  const bool is_newer = first != database.wal_.offsets.end();
  const int error = is_newer ? ReadAt(database.wal_file_.get(), first->second, head)
                             : ReadAt(database.file_.get(), 0, head);
  if (error != 0) return Errno{error};
  const std::string_view header(head.data(), head.size());
  const auto size = static_cast<std::uint32_t>(BigEndian(header.substr(16, 2)));
  // 65536 has no room in two bytes.
  database.page_size_ = size == 1 ? 65'536 : size;
  const unsigned reserved = Byte(header, 20);
  const bool known = header.starts_with(kMagic) && IsPageSize(database.page_size_) && Byte(header, 19) <= 2 &&
                     BigEndian(header.substr(56, 4)) <= 1 && database.page_size_ - reserved >= kLeastUsable;
  const bool same = database.wal_.page_size == 0 || database.wal_.page_size == database.page_size_;
  if (!known || !same) return Errno{EBADMSG};
  database.usable_ = database.page_size_ - reserved;
  const auto bytes = static_cast<std::uint64_t>(info.st_size);
  database.pages_ = std::max<std::uint64_t>(bytes / database.page_size_, database.wal_.pages);
  if (database.pages_ * database.page_size_ > kMostDatabase) return Errno{EFBIG};
  return database;
}

int Sqlite::EachRow(std::string_view table, const Visit& visit, std::optional<std::int64_t> only) const {
  std::optional<std::uint32_t> root;
  // type, name, tbl_name, rootpage, sql.
  const int error = EachIn(
      1,
      [&](std::int64_t, const std::vector<SqliteValue>& values) {
        const bool found = values.size() >= 4 && values[0].bytes == "table" && values[1].bytes == table;
        if (found && values[3].integer && values[3].bytes.size() <= 4)
          root = static_cast<std::uint32_t>(BigEndian(values[3].bytes));
        return 0;
      },
      std::nullopt);
  if (error != 0) return error;
  return root ? EachIn(*root, visit, only) : ENOENT;
}

int Sqlite::EachIn(std::uint32_t root, const Visit& visit, std::optional<std::int64_t> only) const {
  Walk walk{.visit = visit, .only = only, .left = pages_, .pending = {{root, 0}}};
  while (!walk.pending.empty())
    if (const int error = VisitNext(walk); error != 0) return error;
  return 0;
}

int Sqlite::ReadPage(std::uint32_t number, std::string& into, std::uint64_t& left) const {
  if (number == 0 || number > pages_ || left == 0) return EBADMSG;
  --left;
  into.resize(page_size_);
  const auto newer = wal_.offsets.find(number);
  if (newer != wal_.offsets.end()) return ReadAt(wal_file_.get(), newer->second, into);
  return ReadAt(file_.get(), std::uint64_t{number - 1} * page_size_, into);
}

int Sqlite::VisitNext(Walk& walk) const {
  const std::uint32_t number = walk.pending.back().first;
  const int depth = walk.pending.back().second;
  walk.pending.pop_back();
  std::string bytes;
  if (const int error = ReadPage(number, bytes, walk.left); error != 0) return error;
  const std::string_view page = std::string_view(bytes).substr(0, usable_);
  const std::size_t head = number == 1 ? kDatabaseHeader : 0;
  if (Byte(page, head) == kLeaf) return VisitLeaves(page, head, walk);
  return Byte(page, head) == kBranch ? VisitBranches(page, head, depth, walk) : EBADMSG;
}

int Sqlite::VisitBranches(std::string_view page, std::size_t head, int depth, Walk& walk) const {
  const auto cells = CellsOf(page, head, 12);
  if (!cells || depth == kMostTreeDepth) return EBADMSG;
  std::vector<std::uint32_t> children;
  for (const std::size_t at : *cells) {
    std::string_view cell = page.substr(at);
    const std::optional<std::uint64_t> child = TakeBigEndian(cell, 4);
    const std::optional<std::uint64_t> last = TakeVarint(cell);
    if (!child || !last) return EBADMSG;
    if (walk.only && *walk.only > static_cast<std::int64_t>(*last)) continue;
    children.push_back(static_cast<std::uint32_t>(*child));
    if (walk.only) break;
  }
  if (!walk.only || children.empty())
    children.push_back(static_cast<std::uint32_t>(BigEndian(page.substr(head + 8, 4))));
  // Each page is read once.
  if (walk.pending.size() + children.size() > pages_) return EBADMSG;
  std::ranges::reverse(children);
  for (const std::uint32_t child : children) walk.pending.emplace_back(child, depth + 1);
  return 0;
}

int Sqlite::VisitLeaves(std::string_view page, std::size_t head, Walk& walk) const {
  const auto cells = CellsOf(page, head, 8);
  if (!cells) return EBADMSG;
  // What of a row fits in its page: "B-tree Cell Format".
  const std::uint64_t most = usable_ - 35;
  const std::uint64_t least = (usable_ - 12) * 32 / 255 - 23;
  // Cells do not overlap: together they fit in the page.
  std::uint64_t held = 0;
  for (const std::size_t at : *cells) {
    std::string_view cell = page.substr(at);
    const std::optional<std::uint64_t> size = TakeVarint(cell);
    const std::optional<std::uint64_t> number = TakeVarint(cell);
    if (!size || !number) return EBADMSG;
    const auto row = static_cast<std::int64_t>(*number);
    if (walk.only && row != *walk.only) continue;
    if (*size > kMostRow) return EFBIG;
    const std::uint64_t part = least + (*size - least) % (usable_ - 4);
    const std::uint64_t local = *size <= most ? *size : part <= most ? part : least;
    held += local;
    if (cell.size() < local || held > usable_) return EBADMSG;
    std::string bytes(cell.substr(0, local));
    cell.remove_prefix(local);
    if (local < *size) {
      const std::optional<std::uint64_t> next = TakeBigEndian(cell, 4);
      if (!next) return EBADMSG;
      const int error = ReadOverflow(static_cast<std::uint32_t>(*next), *size, bytes, walk.left);
      if (error != 0) return error;
    }
    const auto values = ParseRow(bytes);
    if (!values) return EBADMSG;
    if (const int error = walk.visit(row, *values); error != 0) return error;
  }
  return 0;
}

int Sqlite::ReadOverflow(std::uint32_t number, std::uint64_t size, std::string& row,
                         std::uint64_t& left) const {
  std::string page;
  while (row.size() < size) {
    if (const int error = ReadPage(number, page, left); error != 0) return error;
    const std::uint64_t most = std::min<std::uint64_t>(size - row.size(), usable_ - 4);
    row.append(page, 4, most);
    number = static_cast<std::uint32_t>(BigEndian(std::string_view(page).substr(0, 4)));
  }
  return 0;
}

}  // namespace desk::files
