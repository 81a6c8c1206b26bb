// A database of SQLite with headers of rpm: the first two bytes say how many of the next are its log.
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/fd.h"
#include "files/rpm_header.h"
#include "files/sqlite.h"
#include "fuzz/support/fuzz.h"

namespace desk::fuzz {
namespace {

Fd FileOf(std::span<const std::uint8_t> bytes) {
  Fd file(::memfd_create("fuzz", MFD_CLOEXEC));
  Ensure(file.valid());
  Ensure(::write(file.get(), bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  return file;
}

void EnsureError(int error) { Ensure(error == 0 || error == EBADMSG || error == EFBIG || error == ENOENT); }

void TakeHeader(std::string_view bytes) {
  const std::optional<files::RpmHeader> header = files::ParseRpmHeader(bytes);
  if (!header) return;
  Ensure(!header->name.empty() && header->version.find('-') != std::string::npos);
  std::size_t files = 0;
  static_cast<void>(files::EachRpmFile(bytes, [&](const files::RpmFile& file) {
    ++files;
    Ensure(file.mode <= 07777 && file.path.size() < 4096);
  }));
  // Each has a NUL in the header at least.
  Ensure(files <= bytes.size());
}

}  // namespace

void FuzzOne(std::span<const std::uint8_t> input) {
  TakeHeader(TextOf(input));
  Taker taker(input);
  const std::size_t size = taker.Take<std::uint16_t>();
  const std::span<const std::uint8_t> rest = taker.rest();
  const std::size_t log = size < rest.size() ? size : rest.size();
  Result<files::Sqlite> database = files::Sqlite::Open(FileOf(rest.subspan(log)), FileOf(rest.first(log)));
  if (!database) return EnsureError(database.error());
  std::vector<std::int64_t> rows;
  std::size_t bytes = 0;
  const auto visit = [&](std::int64_t row, const std::vector<files::SqliteValue>& values) {
    rows.push_back(row);
    Ensure(values.size() <= 8);
    for (const files::SqliteValue& value : values) bytes += value.bytes.size();
    if (values.size() > 1) TakeHeader(values[1].bytes);
    return 0;
  };
  EnsureError((*database).EachRow("Packages", visit));
  // A cell may be listed any number of times, but no page is read twice.
  Ensure(bytes <= rest.size() * 256);
  const std::size_t count = rows.size();
  for (std::size_t at = 0; at < count && at < 4; ++at) {
    const std::int64_t wanted = rows[at];
    rows.clear();
    EnsureError((*database).EachRow("Packages", visit, wanted));
    for (const std::int64_t row : rows) Ensure(row == wanted);
    rows.resize(count, wanted);
  }
}

}  // namespace desk::fuzz
