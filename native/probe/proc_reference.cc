#include "probe/proc_reference.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "probe/proc_ns.h"
#include "probe/proc_pids.h"
#include "probe/proc_stat.h"
#include "probe/proc_status.h"

namespace desk {
namespace {

struct Kind {
  const char* name;
  std::uint32_t Reference::*number;
  // Initial inode number, PROC_*_INIT_INO of linux/proc_ns.h (linux/nsfs.h since 6.18).
  std::uint32_t fixed;
  // Older kernels number the first mount and net namespace like any other, from 0xF0000000 on: then the fixed
  // number is used only if some process has it.
  bool always;
};

constexpr std::array<Kind, 4> kKinds{{
    {"user", &Reference::ns_user, 0xEFFFFFFD, true},
    {"pid", &Reference::ns_pid, 0xEFFFFFFC, true},
    {"mnt", &Reference::ns_mnt, 0xEFFFFFF8, false},
    {"net", &Reference::ns_net, 0xEFFFFFF9, false},
}};

struct Candidate {
  ReferenceSource source;
  std::string directory;
};

std::uint32_t NumberOf(const Root& root, const std::string& directory, const char* kind) {
  const auto number = ReadNamespace(root.fd(), (directory + "/ns/" + kind).c_str(), kind);
  return number ? *number : 0;
}

// Whether any readable process is in the namespace.
bool AnyProcessIn(const Root& root, const char* kind, std::uint32_t wanted) {
  std::vector<std::int32_t> pids(4096);
  const auto count = ListPids(root.fd(), pids);
  if (!count) return false;
  pids.resize(std::min<std::size_t>(*count, pids.size()));
  return std::ranges::any_of(
      pids, [&](std::int32_t pid) { return NumberOf(root, std::to_string(pid), kind) == wanted; });
}

}  // namespace

const char* SourceName(ReferenceSource source) {
  // In the order of ReferenceSource.
  constexpr const char* kNames[] = {"fixed", "pid 2", "pid 1", "self", "unknown"};
  return kNames[static_cast<std::size_t>(source)];
}

Reference ReadReference(Root& root) {
  std::vector<Candidate> candidates;
  const auto kthreadd = ReadStat(root.fd(), 2);
  if (kthreadd && kthreadd->kernel_thread()) candidates.push_back({ReferenceSource::kPid2, "2"});
  candidates.push_back({ReferenceSource::kPid1, "1"});
  candidates.push_back({ReferenceSource::kSelf, "self"});

  Reference reference;
  reference.source = ReferenceSource::kFixed;
  for (const Kind& kind : kKinds) {
    std::uint32_t number = kind.always ? kind.fixed : 0;
    auto source = ReferenceSource::kFixed;
    if (!kind.always) {
      source = ReferenceSource::kUnknown;
      for (const Candidate& candidate : candidates) {
        const std::uint32_t shown = NumberOf(root, candidate.directory, kind.name);
        if (shown == kind.fixed) source = ReferenceSource::kFixed;
        if (shown == kind.fixed || (number == 0 && shown != 0)) {
          number = shown;
          if (shown == kind.fixed) break;
          source = candidate.source;
        }
      }
      if (source != ReferenceSource::kFixed && AnyProcessIn(root, kind.name, kind.fixed)) {
        number = kind.fixed;
        source = ReferenceSource::kFixed;
      }
    }
    reference.*kind.number = number;
    reference.source = std::max(reference.source, source);
  }
  for (const Candidate& candidate : candidates) {
    const auto status = ReadStatus(root.fd(), (candidate.directory + "/status").c_str());
    if (!status) continue;
    reference.cap_bnd = status->cap_bnd;
    reference.cap_bnd_known = true;
    break;
  }
  root.set_reference(reference);
  return reference;
}

Reference KeptReference(Root& root) {
  const auto kept = root.reference();
  return kept ? *kept : ReadReference(root);
}

}  // namespace desk
