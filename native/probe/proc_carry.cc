#include "probe/proc_carry.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "core/arena.h"
#include "core/sorted.h"
#include "probe/proc_fill.h"
#include "probe/proc_pids.h"

namespace desk {
namespace {

using Pids = std::vector<std::int32_t>;

bool Contains(const Pids& pids, std::int32_t pid) { return std::ranges::binary_search(pids, pid); }

// Copies `count` rows; the two may overlap.
void CopyRows(const ProcessView& from, std::uint32_t source, const ProcessView& to, std::uint32_t target,
              std::uint32_t count) {
  const auto copy = [=, &from, &to](const auto& column) {
    const std::size_t width = column.width;
    std::memmove(to.*(column.member) + target * width, from.*(column.member) + source * width,
                 count * width * sizeof *(to.*(column.member)));
  };
  std::apply([&](const auto&... column) { (copy(column), ...); }, kProcessColumns);
}

class Carrier {
 public:
  Carrier(Root& root, const Columns& from, const Columns& to, const CarryRequest& request)
      : root_(root),
        from_(from),
        to_(to),
        request_(request),
        arena_(to.text, 0, request.capacity.text),
        filler_(root, to, arena_) {}

  CarryResult Run() {
    FindTouched();
    if (request_.listed) FindUnknown();
    SortDistinct(touched_);
    Merge();
    for (std::uint32_t row = 0; row < result_.count; ++row)
      if (IsZombie(to_.processes.state[row])) ended_.push_back(to_.processes.pid[row]);
    for (Pids fresh = ended_; !fresh.empty() && !result_.overflow;) fresh = ReadOrphans(std::move(fresh));
    DropAbsent();
    result_.overflow = result_.overflow || arena_.overflow();
    return result_;
  }

 private:
  void FindTouched() {
    Pids exited;
    for (const std::int32_t pid : request_.dirty) {
      if (pid == 0 || pid == std::numeric_limits<std::int32_t>::min()) continue;
      touched_.push_back(pid < 0 ? -pid : pid);
      if (pid < 0) exited.push_back(-pid);
    }
    SortDistinct(exited);
    const ProcessView& rows = from_.processes;
    for (std::uint32_t row = 0; row < request_.count; ++row) {
      const bool unsettled = IsZombie(rows.state[row]) || rows.state[row] == kUnknownState;
      if (unsettled || (!exited.empty() && Contains(exited, rows.ppid[row])))
        touched_.push_back(rows.pid[row]);
    }
  }

  void FindUnknown() {
    Pids listed;
    result_.overflow = ListAllPids(root_.fd(), listed) != 0;
    const std::span known(from_.processes.pid, request_.count);
    std::ranges::set_difference(listed, known, std::back_inserter(touched_));
  }

  // Copies runs of untouched rows and reads touched pids between them, by ascending pid.
  void Merge() {
    const ProcessView& rows = from_.processes;
    std::uint32_t at = 0;
    auto touched = touched_.begin();
    while (at < request_.count || touched != touched_.end()) {
      const std::int32_t until =
          touched == touched_.end() ? std::numeric_limits<std::int32_t>::max() : *touched;
      std::uint32_t end = at;
      while (end < request_.count && rows.pid[end] < until && rows.state[end] != 0) ++end;
      if (end > at) {
        if (!Copy(at, end - at)) return;
        at = end;
      } else if (at < request_.count && rows.pid[at] < until) {
        ++at;  // it vanished in the last generation
      } else if (touched == touched_.end()) {
        return;
      } else {
        if (at < request_.count && rows.pid[at] == until) ++at;
        if (!Read(*touched++)) return;
      }
    }
  }

  bool Copy(std::uint32_t source, std::uint32_t count) {
    if (count > request_.capacity.processes - result_.count) {
      result_.overflow = true;
      return false;
    }
    CopyRows(from_.processes, source, to_.processes, result_.count, count);
    const std::uint32_t end = result_.count + count;
    for (; result_.count < end; ++result_.count)
      if (!CopyTexts(result_.count)) return false;
    return true;
  }

  // The copied text positions refer to the last generation's arena.
  bool CopyTexts(std::uint32_t row) {
    const ProcessView& rows = to_.processes;
    const Place executable{rows.exe_offset[row], rows.exe_length[row]};
    const Place cgroup{rows.cgroup_offset[row], rows.cgroup_length[row]};
    const auto exe = Append(executable);
    const bool shared = cgroup.offset == last_source_.offset && cgroup.length == last_source_.length;
    const auto group = shared ? std::optional(last_target_) : Append(cgroup);
    if (!exe || !group) return false;
    rows.exe_offset[row] = exe->offset;
    rows.cgroup_offset[row] = group->offset;
    last_source_ = cgroup;
    last_target_ = *group;
    return true;
  }

  std::optional<Place> Append(const Place& place) {
    if (place.length == 0) return Place{};
    // JavaScript can write to the columns.
    const std::uint32_t size = request_.capacity.text;
    std::optional<Place> put;
    if (place.offset <= size && place.length <= size - place.offset)
      put = arena_.Append({reinterpret_cast<const char*>(from_.text) + place.offset, place.length});
    result_.overflow = result_.overflow || !put;
    return put;
  }

  bool Read(std::int32_t pid) {
    if (result_.count == request_.capacity.processes) {
      result_.overflow = true;
      return false;
    }
    to_.processes.pid[result_.count] = pid;
    filler_.Fill(result_.count);
    ++result_.filled;
    if (to_.processes.state[result_.count] == 0)
      ended_.push_back(pid);
    else
      ++result_.count;
    return true;
  }

  // A row whose parent has ended is outdated: the process was reparented. Returns the pids that turn out to
  // have ended, too.
  Pids ReadOrphans(Pids parents) {
    SortDistinct(parents);
    Pids more;
    const ProcessView& rows = to_.processes;
    for (std::uint32_t row = 0; row < result_.count; ++row) {
      if (rows.state[row] == 0 || !Contains(parents, rows.ppid[row])) continue;
      filler_.Fill(row);
      ++result_.filled;
      if (rows.state[row] == 0 || IsZombie(rows.state[row])) more.push_back(rows.pid[row]);
    }
    std::erase_if(more, [this](std::int32_t pid) { return std::ranges::count(ended_, pid) > 0; });
    ended_.insert(ended_.end(), more.begin(), more.end());
    return more;
  }

  void DropAbsent() {
    const ProcessView& rows = to_.processes;
    std::uint32_t kept = 0;
    for (std::uint32_t row = 0; row < result_.count; ++row) {
      if (rows.state[row] == 0) continue;
      if (kept != row) CopyRows(rows, row, rows, kept, 1);
      ++kept;
    }
    result_.count = kept;
  }

  Root& root_;
  const Columns& from_;
  const Columns& to_;
  const CarryRequest& request_;
  Arena arena_;
  RowFiller filler_;
  CarryResult result_;
  // Pids that are read, ascending.
  Pids touched_;
  // Pids found to have ended, zombies included.
  Pids ended_;
  Place last_source_;
  Place last_target_;
};

}  // namespace

CarryResult CarryRows(Root& root, const Columns& from, const Columns& to, const CarryRequest& request) {
  return Carrier(root, from, to, request).Run();
}

}  // namespace desk
