// Stale files of the desk are set aside, never deleted: moved within the file system from the state folder
// into its folder `quarantine`, after a manifest is written there. All calls use descriptors of these two
// folders and names without a slash, so that no link, mount or concurrent swap can lead anywhere else:
// openat2(2), renameat2(2).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace desk {

// The step that failed, and its errno; `step` is "" on success.
struct QuarantineStop {
  const char* step = "";
  int error = 0;
  bool ok() const { return *step == '\0'; }
};

// Steps of a stop.
namespace stop {
inline constexpr const char* kState = "state folder";        // not our folder, or writable by others
inline constexpr const char* kFolder = "quarantine folder";  // likewise
inline constexpr const char* kName = "name";                 // with a slash, or not the name of an entry
inline constexpr const char* kOpen = "open";                 // a link, a mount, or missing
inline constexpr const char* kKind = "kind";                 // not a regular file
inline constexpr const char* kLinks = "links";               // it has another name
inline constexpr const char* kOwner = "owner";               // not ours
inline constexpr const char* kHeld = "held";                 // a process has it open
inline constexpr const char* kManifest = "manifest";         // it could not be written to disk
inline constexpr const char* kMove = "move";
inline constexpr const char* kSwapped = "swapped";  // the moved file is not the one that was checked
}  // namespace stop

// The content of an entry.
struct QuarantineEntry {
  std::string id;
  // Bytes of the manifest, at most 64 KiB.
  std::string manifest;
  // The file itself exists too.
  bool present = false;
};

// Moves `name` of the state folder to `quarantine/ENTRY`, with `manifest` as `quarantine/ENTRY.json`. The
// file must be regular, have one name, be ours, lie in the folder's own mount and not be open in any
// accessible process. An entry is 16 hexadecimal digits. `swapped`: the file was exchanged during the move;
// it was moved back, or stays in quarantine when its name was taken again.
QuarantineStop MoveToQuarantine(const std::string& state, const std::string& name, const std::string& entry,
                                std::string_view manifest);

// Entries with a manifest; none when there is no quarantine yet.
QuarantineStop ListQuarantine(const std::string& state, std::vector<QuarantineEntry>& entries);

// Moves an entry back to `name`, which must not exist (EEXIST), and deletes its manifest.
QuarantineStop RestoreFromQuarantine(const std::string& state, const std::string& entry,
                                     const std::string& name);

// Deletes an entry and its manifest.
QuarantineStop PurgeFromQuarantine(const std::string& state, const std::string& entry);

}  // namespace desk
