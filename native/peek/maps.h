// /proc/PID/maps (proc_pid_maps(5)): executable mappings that are not backed by a regular file.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/result.h"

namespace desk {

// One line; `path` lies in the text.
struct MapLine {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  // "rwxp", "-" for what is not allowed, "s" instead of "p" for a shared one.
  std::array<char, 4> permissions{};
  // As the kernel writes it: a path, "[heap]" and its like, empty for anonymous memory. A newline in it is
  // "\012".
  std::string_view path;

  bool writable() const { return permissions[1] == 'w'; }
  bool executable() const { return permissions[2] == 'x'; }
};

// EBADMSG when it is malformed.
Result<MapLine> ParseMapLine(std::string_view line);

// What backs a mapping.
enum class Backing {
  // A file with a name.
  kFile,
  // A file that was unlinked.
  kDeleted,
  // Memory without a file: anonymous, heap, stack, shared memory.
  kAnonymous,
  // memfd_create(2).
  kMemfd,
  // Code of the kernel: the vdso and similar.
  kKernel,
};

Backing BackingOf(std::string_view path);
// The path of an unlinked file without the kernel's " (deleted)".
std::string_view WithoutDeleted(std::string_view path);

struct Mapping {
  std::uint64_t start = 0;
  std::uint64_t bytes = 0;
  std::string permissions;
  // At most kMostMappingPath bytes.
  std::string path;
  bool operator==(const Mapping&) const = default;
};
inline constexpr std::size_t kMostMappingPath = 1024;

// The first kMostMappings of a kind, and how many there are.
struct Mappings {
  std::vector<Mapping> some;
  std::uint32_t total = 0;
  // `some` contains the complete paths of all of them.
  bool whole = true;
  bool operator==(const Mappings&) const = default;
};
inline constexpr std::size_t kMostMappings = 16;

// Distinct paths, at most kMostPaths.
struct Paths {
  std::set<std::string, std::less<>> some;
  bool whole = true;
};
inline constexpr std::size_t kMostPaths = 1024;

struct MapFacts {
  // Writable and executable at once.
  Mappings writable_code;
  // Executable, without a file or of a memfd; not those that are also writable.
  Mappings anonymous_code;
  // Executable, of unlinked files other than the program's own.
  Mappings deleted_code;
  Paths deleted_paths;
  // The one with the lowest address; nothing when there is none.
  std::optional<Mapping> first;
  // The first one is executable and has no file.
  bool first_is_anonymous_code = false;
  // The program's code starts in the first one (startcode of proc_pid_stat(5)).
  bool first_holds_code = false;
};

// Parses a file of any length in pieces.
class MapReader {
 public:
  // `code_start`: address of the program's first instruction; 0 or 1 when it is hidden. `executable`:
  // target of its exe link.
  MapReader(std::uint64_t code_start, std::string executable)
      : code_start_(code_start), executable_(std::move(executable)) {}

  void Take(std::string_view piece);
  // After the last piece; EBADMSG when a line was malformed.
  Result<MapFacts> End();

 private:
  void TakeLine(std::string_view line);

  std::uint64_t code_start_;
  std::string executable_;
  MapFacts facts_;
  // The current, incomplete line.
  std::string line_;
  bool malformed_ = false;
};

}  // namespace desk
