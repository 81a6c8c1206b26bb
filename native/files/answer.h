// Answers requests about files: what desk-peek prints for them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "files/databases.h"
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

// Bytes of privileged programs that are read, and those of one file system that belong to others than root.
inline constexpr std::uint64_t kMostPrivileged = 1 << 30;
inline constexpr std::size_t kMostOfUsers = 512;

// Folders that one answer names as unread.
inline constexpr std::size_t kMostRefused = 100;

// "VIEWER HEX", HEX the bytes of the pattern; false when it is not that.
bool ParsePattern(std::string_view line, FileQuery& query);

// "text|digest|facts VIEWER HEX", HEX the bytes of the pattern; nothing when it is not that.
bool ParseQuery(std::string_view line, FileQuery& query);

// One JSON object, of the shape in src/features/startup/scanned-file.ts: {"files":[…],"unread":[…],"cut":…,
// "databases":[…],"busy":…}. Reading may block forever, as on a file server: the caller must be prepared to
// be killed.
std::string AnswerQuery(const FileQuery& query, PackageDatabases& databases);

// {"packages":[{"id","name","version","database"}…],"databases":[{"name","state"}…]}: those that are
// installed, and "read", or why a database was not.
std::string AnswerPackages(PackageDatabases& databases);

// "ID SEAL", the SEAL of an earlier answer or nothing: compares the files of a package (files/verify.h).
// "installed" is false where no package with this id is.
std::string AnswerVerify(std::string_view line, PackageDatabases& databases);

// {"logins":[{"user","line","host","seconds"}…],"error"}: the last login of each user (files/logins.h).
std::string AnswerLogins(const std::string& path);

// The same for the programs of a mount point that run with rights of others (files/privileged.h).
std::string AnswerPrivileged(const std::string& mount, PackageDatabases& databases);

}  // namespace desk::files
