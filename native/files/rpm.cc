#include "files/rpm.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <set>
#include <string_view>
#include <utility>

#include "core/errno_name.h"
#include "core/open_at.h"
#include "core/siphash.h"
#include "files/rpm_header.h"
#include "files/stat.h"

namespace desk::files {
namespace {

constexpr const char* kSqlite = "/rpmdb.sqlite";
// lib/backend of rpm.
constexpr std::array<std::pair<const char*, const char*>, 2> kUnreadFormats{
    {{"/Packages.db", "its format, ndb, is not supported"},
     {"/Packages", "its format, Berkeley DB, is not supported"}}};
constexpr const char* kTable = "Packages";

bool Exists(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 || !IsGone(errno);
}

// A transaction that has to be rolled back first: SQLite would, and this does not write.
bool HasJournal(const std::string& path) {
  struct stat info {};
  return ::stat((path + "-journal").c_str(), &info) == 0 && info.st_size > 0;
}

// Visible characters alone: it is a word of requests.
std::string IdOf(const RpmHeader& header) {
  std::string id = "rpm:" + header.name + "-" + header.version;
  if (!header.architecture.empty()) id.append(".").append(header.architecture);
  std::ranges::replace_if(
      id, [](char c) { return c <= ' ' || c > '~'; }, '?');
  return id;
}

Result<Sqlite> OpenDatabase(const std::string& path) {
  constexpr int kFlags = O_RDONLY | O_NONBLOCK | O_NOCTTY;
  Result<Fd> file = OpenAt(AT_FDCWD, path.c_str(), kFlags, 0);
  if (!file) return file.refusal();
  Result<Fd> wal = OpenAt(AT_FDCWD, (path + "-wal").c_str(), kFlags, 0);
  if (!wal && !IsGone(wal.error())) return wal.refusal();
  return Sqlite::Open(std::move(*file), std::move(*wal));
}

}  // namespace

bool Rpm::IsBusy() const {
  return std::ranges::any_of(
      folders_, [](const std::string& folder) { return IsLocked(folder + "/.rpm.lock"); });
}

std::vector<std::string> Rpm::Sources() const {
  std::vector<std::string> sources;
  for (const std::string& folder : folders_) {
    for (const char* const end : {"", "-wal", "-journal"}) sources.push_back(folder + kSqlite + end);
    for (const auto& [file, why] : kUnreadFormats) sources.push_back(folder + file);
  }
  return sources;
}

std::string Rpm::Load() {
  rows_.clear();
  for (const std::string& folder : folders_) {
    const std::string path = folder + kSqlite;
    if (Exists(path)) {
      if (HasJournal(path)) return "an unfinished transaction is in its journal";
      const int error = LoadFrom(path);
      return error == 0 ? std::string(kRead) : ErrnoName(error);
    }
    for (const auto& [file, why] : kUnreadFormats)
      if (Exists(folder + file)) return why;
  }
  return std::string(kNone);
}

int Rpm::LoadFrom(const std::string& path) {
  Result<Sqlite> opened = OpenDatabase(path);
  if (!opened) return opened.error();
  database_ = std::move(*opened);
  std::set<std::string> ids;
  const int error = database_.EachRow(kTable, [&](std::int64_t row, const std::vector<SqliteValue>& values) {
    const auto header = values.size() < 2 ? std::nullopt : ParseRpmHeader(values[1].bytes);
    if (!header) return EBADMSG;
    std::string id = IdOf(*header);
    if (!ids.insert(id).second) id.append("#").append(std::to_string(row));
    const std::uint32_t number = Add(Package{.id = std::move(id),
                                             .name = header->name,
                                             .version = header->version,
                                             .installed = header->installed * kSecondNs});
    rows_.push_back(row);
    const bool whole = EachRpmFile(values[1].bytes, [&](const RpmFile& file) {
      Add(File{.path = HashIdentity(Canonical(file.path)),
               .package = number,
               .mode = file.mode,
               .digested = file.digest.has_value(),
               .configuration = file.configuration,
               .digest = file.digest.value_or(Digest{})});
    });
    if (!whole) return EBADMSG;
    return IsFull() ? EFBIG : 0;
  });
  // A database that was never written to has no table.
  return error == ENOENT ? 0 : error;
}

int Rpm::EachDigest(const Package& package, const Visit& visit) const {
  const auto number = static_cast<std::size_t>(&package - packages().data());
  bool found = false;
  const auto read = [&](std::int64_t, const std::vector<SqliteValue>& values) {
    const auto header = values.size() < 2 ? std::nullopt : ParseRpmHeader(values[1].bytes);
    if (!header || header->name != package.name || header->version != package.version) return EBADMSG;
    found = true;
    const bool whole = EachRpmFile(values[1].bytes, [&](const RpmFile& file) {
      if (file.digest && !file.configuration) visit(Canonical(file.path), *file.digest);
    });
    return whole ? 0 : EBADMSG;
  };
  const int error = database_.EachRow(kTable, read, rows_[number]);
  return error != 0 || found ? error : EBADMSG;
}

}  // namespace desk::files
