// Stale files of the desk are set aside, never deleted: moved within their file system from the state folder
// into its folder `quarantine`, where a manifest stands before the file comes. Everything goes by descriptors
// of these two folders and by names without a slash, so that no link, mount or swap under the move can lead
// anywhere else: openat2(2), renameat2(2).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace desk {

// Where a call stopped, and with which errno; `step` is "" when it went through.
struct QuarantineStop {
  const char* step = "";
  int error = 0;
  bool ok() const { return *step == '\0'; }
};

// Steps that a stop names.
namespace stop {
inline constexpr const char* kState = "state folder";        // not a folder of ours that is closed to others
inline constexpr const char* kFolder = "quarantine folder";  // likewise
inline constexpr const char* kName = "name";                 // with a slash, or no name of an entry
inline constexpr const char* kOpen = "open";                 // a link, a mount, or not there
inline constexpr const char* kKind = "kind";                 // not a regular file
inline constexpr const char* kLinks = "links";               // it has another name
inline constexpr const char* kOwner = "owner";               // not ours
inline constexpr const char* kHeld = "held";                 // a process has it open
inline constexpr const char* kManifest = "manifest";         // it could not be written to disk
inline constexpr const char* kMove = "move";
inline constexpr const char* kSwapped = "swapped";  // what moved is not what was looked at
}  // namespace stop

// What stands under an entry.
struct QuarantineEntry {
  std::string id;
  // Bytes of the manifest as they stand there, at most 64 KiB.
  std::string manifest;
  // The file itself is there too.
  bool present = false;
};

// Moves `name` of the state folder to `quarantine/ENTRY`, with `manifest` as `quarantine/ENTRY.json`. The
// file must be regular, have one name, be ours, lie in the folder's own mount and be open in no process that
// we may look into. An entry is 16 hexadecimal digits. `swapped`: somebody exchanged the file under the move;
// it went back, or stays in quarantine when its place was taken again.
QuarantineStop MoveToQuarantine(const std::string& state, const std::string& name, const std::string& entry,
                                std::string_view manifest);

// Entries with a manifest, in no order; none when there is no quarantine yet.
QuarantineStop ListQuarantine(const std::string& state, std::vector<QuarantineEntry>& entries);

// Moves an entry back to `name`, where nothing may stand (EEXIST), and drops its manifest.
QuarantineStop RestoreFromQuarantine(const std::string& state, const std::string& entry,
                                     const std::string& name);

// Deletes an entry and its manifest.
QuarantineStop PurgeFromQuarantine(const std::string& state, const std::string& entry);

}  // namespace desk
