#include "kernel/row_counts.h"

#include <algorithm>

#include "core/traits.h"

namespace desk {
namespace {

// By executable, or by name when the executable is unreadable.
bool Runs(std::string_view program, std::string_view comm, std::string_view executable) {
  if (executable.empty()) return comm == program.substr(0, kCommBytes - 1);
  if (!executable.ends_with(program)) return false;
  const std::size_t before = executable.size() - program.size();
  return before == 0 || executable[before - 1] == '/';
}

template <bool kAdds>
void Step(std::uint32_t& total) {
  if constexpr (kAdds)
    ++total;
  else
    --total;
}

// Rows are mostly counted in ascending order of pid.
template <bool kAdds>
void List(std::vector<std::int32_t>& pids, std::int32_t pid) {
  const auto at = pids.empty() || pids.back() < pid ? pids.end() : std::ranges::lower_bound(pids, pid);
  if constexpr (kAdds)
    pids.insert(at, pid);
  else if (at != pids.end() && *at == pid)
    pids.erase(at);
}

}  // namespace

RowCounts::RowCounts(std::span<const std::uint16_t> groups, std::span<const std::string> programs)
    : groups_(groups.begin(), groups.end()),
      names_(programs.begin(), programs.end()),
      hiding_(groups.size()),
      running_(programs.size()) {}

void RowCounts::Clear() {
  totals_ = {};
  identities_.Clear();
  std::ranges::fill(hiding_, 0);
  for (auto& pids : running_) pids.clear();
  deleted_.clear();
}

void RowCounts::Add(const Columns& columns, const Capacity& capacity, std::uint32_t row) {
  Count<true>(columns, capacity, row);
}

void RowCounts::Remove(const Columns& columns, const Capacity& capacity, std::uint32_t row) {
  Count<false>(columns, capacity, row);
}

template <bool kAdds>
void RowCounts::Count(const Columns& columns, const Capacity& capacity, std::uint32_t row) {
  const ProcessView& rows = columns.processes;
  const std::uint8_t state = rows.state[row];
  const bool judged = rows.wrap_state[row] != static_cast<std::uint8_t>(WrapState::kNotApplicable);
  if (state == 0 && !judged) return;
  if (judged) {
    const std::string_view comm = CommOf(rows, row);
    const std::string_view executable = ExecutableOf(columns, capacity, row);
    for (std::size_t at = 0; at < names_.size(); ++at)
      if (Runs(names_[at], comm, executable)) List<kAdds>(running_[at], rows.pid[row]);
    constexpr std::uint16_t kGone = kTraitDeleted | kTraitMemfd;
    if ((rows.traits[row] & kGone) == kTraitDeleted) List<kAdds>(deleted_, rows.pid[row]);
  }
  Step<kAdds>(totals_.processes);
  if ((rows.flags[row] & kPfKthread) != 0)
    Step<kAdds>(totals_.kernel_threads);
  else if (IsZombie(state))
    Step<kAdds>(totals_.zombies);
  if (judged) CountUserSpace<kAdds>(rows, row);
}

template <bool kAdds>
void RowCounts::CountUserSpace(const ProcessView& rows, std::uint32_t row) {
  switch (static_cast<WrapState>(rows.wrap_state[row])) {
    case WrapState::kWrapped: Step<kAdds>(totals_.wrapped); break;
    case WrapState::kFree: Step<kAdds>(totals_.free); break;
    default: Step<kAdds>(totals_.wrap_blind);
  }
  if (rows.tty[row] == 0 && (rows.seen[row] & kFactStat) != 0) Step<kAdds>(totals_.without_tty);
  if constexpr (kAdds)
    identities_.Add(rows.identity[row]);
  else
    identities_.Remove(rows.identity[row]);
  const std::uint16_t refused = rows.refused[row];
  if (refused == 0) return;
  // The control group is only for advice: no check depends on it.
  if ((refused & ~kFactCgroup) != 0) Step<kAdds>(totals_.blind_processes);
  if ((refused & kFactDescriptors) != 0) Step<kAdds>(totals_.descriptors_blind);
  for (std::size_t at = 0; at < groups_.size(); ++at)
    if ((refused & groups_[at]) != 0) Step<kAdds>(hiding_[at]);
}

}  // namespace desk
