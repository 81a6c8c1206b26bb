#include "table/process_table.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "core/rows.h"
#include "core/sorted.h"
#include "kernel/derive.h"
#include "probe/proc_fill.h"
#include "table/row_bytes.h"

namespace desk {
namespace {

constexpr std::align_val_t kAlignment{64};

// Changed rows of a target that are listed one by one; with more, the whole table is copied.
constexpr std::size_t kMostListed = 1024;

// Changes of rows that are kept for the next walk.
constexpr std::size_t kMostEdited = 4096;

}  // namespace

void ProcessTable::Free::operator()(std::byte* memory) const { ::operator delete[](memory, kAlignment); }

ProcessTable::ProcessTable(TableOptions options)
    : options_(std::move(options)), counts_(options_.groups, options_.programs), own_{options_.self} {}

void ProcessTable::Allocate(const Capacity& capacity) {
  memory_.reset(static_cast<std::byte*>(::operator new[](LayoutBytes(capacity), kAlignment)));
  capacity_ = capacity;
  columns_ = Bind(memory_.get(), capacity);
  texts_.clear();
  text_end_ = 0;
}

std::uint32_t ProcessTable::Find(std::int32_t pid) const {
  const std::span<const std::int32_t> pids(columns_.processes.pid, rows_.processes);
  return static_cast<std::uint32_t>(std::ranges::lower_bound(pids, pid) - pids.begin());
}

bool ProcessTable::Has(std::int32_t pid) const {
  const std::uint32_t row = Find(pid);
  return row < rows_.processes && columns_.processes.pid[row] == pid;
}

bool ProcessTable::IsHolder(std::int32_t pid) const { return std::ranges::binary_search(holders_, pid); }
bool ProcessTable::IsOwn(std::int32_t pid) const { return std::ranges::binary_search(own_, pid); }

// Rows [at, at + count) of `from` have the pids of our rows from `row` on: sets the bytes of those that
// differ.
void ProcessTable::Compare(const Source& from, std::uint32_t at, std::uint32_t row, std::uint32_t count,
                           std::uint8_t* differs) const {
  const auto compare = [&](const auto& column) {
    if (std::ranges::find(kNotCompared, column.name) != kNotCompared.end()) return;
    const std::size_t bytes = column.width * sizeof(typename std::decay_t<decltype(column)>::Element);
    const auto bytes_of = [&](const Columns& columns, std::uint32_t first) {
      return reinterpret_cast<const std::byte*>(columns.processes.*(column.member)) + first * bytes;
    };
    const std::byte* const theirs = bytes_of(from.columns, at);
    const std::byte* const ours = bytes_of(columns_, row);
    if (std::memcmp(theirs, ours, count * bytes) == 0) return;
    for (std::uint32_t one = 0; one < count; ++one)
      if (std::memcmp(theirs + one * bytes, ours + one * bytes, bytes) != 0) differs[one] = 1;
  };
  std::apply([&](const auto&... column) { (compare(column), ...); }, kProcessColumns);
  for (std::uint32_t one = 0; one < count; ++one)
    if (differs[one] == 0 &&
        !(ExecutableOf(from.columns, from.capacity, at + one) ==
              ExecutableOf(columns_, capacity_, row + one) &&
          CgroupOf(from.columns, from.capacity, at + one) == CgroupOf(columns_, capacity_, row + one)))
      differs[one] = 1;
}

bool ProcessTable::Intern(std::string_view text, Place& place) {
  place = {};
  if (text.empty()) return true;
  if (const auto known = texts_.find(text); known != texts_.end()) {
    place = known->second;
    return true;
  }
  if (text.size() > capacity_.text - text_end_) return false;
  std::memcpy(columns_.text + text_end_, text.data(), text.size());
  place = {text_end_, static_cast<std::uint32_t>(text.size())};
  text_end_ += place.length;
  texts_.emplace(text, place);
  return true;
}

bool ProcessTable::InternTexts(const Source& from, std::uint32_t at, std::uint32_t row) {
  const ProcessView& rows = columns_.processes;
  Place executable;
  Place cgroup;
  if (!Intern(ExecutableOf(from.columns, from.capacity, at), executable) ||
      !Intern(CgroupOf(from.columns, from.capacity, at), cgroup))
    return false;
  rows.exe_offset[row] = executable.offset;
  rows.exe_length[row] = executable.length;
  rows.cgroup_offset[row] = cgroup.offset;
  rows.cgroup_length[row] = cgroup.length;
  return true;
}

// Keeps only the texts of rows. False when there is still no room to speak of.
bool ProcessTable::CompactTexts() {
  std::vector<std::uint8_t> old(columns_.text, columns_.text + text_end_);
  Source from{columns_, capacity_};
  from.columns.text = old.data();
  texts_.clear();
  text_end_ = 0;
  for (std::uint32_t row = 0; row < rows_.processes; ++row) InternTexts(from, row, row);
  for (Target& target : targets_) target = {};
  return text_end_ < capacity_.text / 4 * 3;
}

std::uint32_t ProcessTable::Adopt(const Source& from, std::uint32_t count) {
  const ProcessView& theirs = from.columns.processes;
  std::uint32_t kept = 0;
  for (std::uint32_t row = 0; row < count; ++row) {
    if (theirs.state[row] == 0) continue;
    if (kept != row) CopyRows(kProcessColumns, theirs, row, theirs, kept, 1);
    ++kept;
  }
  count = kept;
  if (broken_) Clear();

  // What stays of a row that does not differ.
  struct Derived {
    std::uint32_t exe_offset;
    std::uint32_t cgroup_offset;
    std::uint16_t traits;
    std::uint8_t own;
    std::uint8_t lookups;
  };
  std::vector<std::uint8_t> differs(count);
  std::vector<Derived> derived(count);
  const ProcessView& ours = columns_.processes;
  std::uint32_t at = 0;
  std::uint32_t row = 0;
  while (at < count || row < rows_.processes) {
    if (at == count || (row < rows_.processes && ours.pid[row] < theirs.pid[at])) {
      changed_.push_back(ours.pid[row]);
      counts_.Remove(columns_, capacity_, row++);
      continue;
    }
    if (row == rows_.processes || theirs.pid[at] < ours.pid[row]) {
      differs[at++] = 1;
      continue;
    }
    std::uint32_t run = 1;
    while (at + run < count && row + run < rows_.processes && theirs.pid[at + run] == ours.pid[row + run])
      ++run;
    Compare(from, at, row, run, differs.data() + at);
    for (const std::uint32_t end = at + run; at < end; ++at, ++row) {
      derived[at] = {ours.exe_offset[row], ours.cgroup_offset[row], ours.traits[row], ours.own[row],
                     ours.lookups[row]};
      if (differs[at] != 0) counts_.Remove(columns_, capacity_, row);
    }
  }

  bool whole = capacity_ != from.capacity;
  if (whole) Allocate(from.capacity);
  CopyRows(kProcessColumns, theirs, 0, columns_.processes, 0, count);
  rows_.processes = count;
  for (std::uint32_t one = 0; one < count && !whole; ++one) {
    columns_.processes.exe_offset[one] = derived[one].exe_offset;
    columns_.processes.cgroup_offset[one] = derived[one].cgroup_offset;
    whole = differs[one] != 0 && !InternTexts(from, one, one);
  }
  if (whole) {
    // The texts of the past are in the way; those of `from` fit.
    texts_.clear();
    text_end_ = 0;
    for (std::uint32_t one = 0; one < count; ++one) InternTexts(from, one, one);
  }
  LookUpRows(columns_.processes, count, identities_);
  parents_due_.clear();
  for (std::uint32_t one = 0; one < count; ++one) {
    columns_.processes.traits[one] = derived[one].traits;
    columns_.processes.own[one] = derived[one].own;
    if (differs[one] != 0 || columns_.processes.lookups[one] != derived[one].lookups)
      changed_.push_back(theirs.pid[one]);
    if (differs[one] == 0) continue;
    DeriveTraits(columns_, capacity_, one);
    counts_.Add(columns_, capacity_, one);
  }
  own_due_ = true;
  Settle();
  edited_.clear();
  std::copy_n(columns_.processes.traits, count, theirs.traits);
  std::copy_n(columns_.processes.own, count, theirs.own);
  std::copy_n(columns_.processes.lookups, count, theirs.lookups);
  for (Target& target : targets_) target = {};
  return count;
}

void ProcessTable::Clear() {
  changed_.insert(changed_.end(), columns_.processes.pid, columns_.processes.pid + rows_.processes);
  rows_.processes = 0;
  counts_.Clear();
  broken_ = false;
}

bool ProcessTable::Put(const Source& from, std::uint32_t at) {
  const ProcessView& rows = columns_.processes;
  const ProcessView& theirs = from.columns.processes;
  const std::int32_t pid = theirs.pid[at];
  const std::uint32_t row = Find(pid);
  const bool known = row < rows_.processes && rows.pid[row] == pid;
  const bool same = known && rows.start[row] == theirs.start[at];
  // Sockets are inherited; and a child that runs another program may have moved its descriptors.
  if (!same) born_.push_back(pid);
  if (known) {
    if (same) {
      theirs.seen[at] |= rows.seen[row] & kFactDescriptors;
      theirs.refused[at] |= rows.refused[row] & kFactDescriptors;
    }
    std::uint8_t differs = 0;
    Compare(from, at, row, 1, &differs);
    if (differs == 0) return true;
    // A process that could not be read could not be searched for sockets either.
    owners_due_ = owners_due_ || IsHolder(theirs.ppid[at]) || rows.state[row] == kUnknownState;
    if (same && rows.ppid[row] != theirs.ppid[at]) NoteAdopter(theirs.ppid[at]);
    Edited(row);
    counts_.Remove(columns_, capacity_, row);
  } else {
    if (rows_.processes == capacity_.processes) return false;
    CopyRows(kProcessColumns, rows, row, rows, row + 1, rows_.processes - row);
    ++rows_.processes;
    Moved(row);
    parents_due_.push_back(pid);
  }
  CopyRows(kProcessColumns, theirs, at, rows, row, 1);
  rows.own[row] = 0;
  rows.lookups[row] = LookUp(row);
  rows.exe_length[row] = rows.cgroup_length[row] = 0;
  if (!InternTexts(from, at, row) && !(CompactTexts() && InternTexts(from, at, row))) {
    broken_ = true;
    return false;
  }
  DeriveTraits(columns_, capacity_, row);
  counts_.Add(columns_, capacity_, row);
  Edited(row);
  Replaced(row);
  NoteEdited(pid);
  return true;
}

void ProcessTable::Remove(std::int32_t pid) {
  const std::uint32_t row = Find(pid);
  if (row == rows_.processes || columns_.processes.pid[row] != pid) return;
  Edited(row);
  counts_.Remove(columns_, capacity_, row);
  changed_.push_back(pid);
  NoteEdited(pid);
  parents_due_.push_back(pid);
  CopyRows(kProcessColumns, columns_.processes, row + 1, columns_.processes, row, rows_.processes - row - 1);
  --rows_.processes;
  Moved(row);
}

// Before and after a row is changed: what else may change with it.
void ProcessTable::Edited(std::uint32_t row) {
  const std::int32_t pid = columns_.processes.pid[row];
  own_due_ = own_due_ || IsOwn(pid) || IsOwn(columns_.processes.ppid[row]);
  owners_due_ = owners_due_ || IsHolder(pid);
}

void ProcessTable::Replaced(std::uint32_t row) {
  changed_.push_back(columns_.processes.pid[row]);
  for (Target& target : targets_) {
    if (row >= target.tail) continue;
    target.rows.push_back(row);
    if (target.rows.size() > kMostListed) Moved(0);
  }
}

void ProcessTable::Moved(std::uint32_t row) {
  for (Target& target : targets_) target.tail = std::min(target.tail, row);
}

void ProcessTable::Publish(const Columns& to, bool sockets) {
  Target* found = nullptr;
  for (Target& target : targets_)
    if (target.pids == to.processes.pid) found = &target;
  if (found == nullptr) {
    // The other buffer is the one that was published last.
    std::swap(targets_[0], targets_[1]);
    found = &targets_[0];
    *found = {};
    found->pids = to.processes.pid;
  }
  Target& target = *found;
  const ProcessView& rows = columns_.processes;
  SortDistinct(target.rows);
  for (const std::uint32_t row : target.rows)
    if (row < target.tail && row < rows_.processes)
      CopyRows(kProcessColumns, rows, row, to.processes, row, 1);
  if (target.tail < rows_.processes)
    CopyRows(kProcessColumns, rows, target.tail, to.processes, target.tail, rows_.processes - target.tail);
  if (target.text < text_end_)
    std::memcpy(to.text + target.text, columns_.text + target.text, text_end_ - target.text);
  if (sockets && target.sockets) {
    CopyRows(kListenerColumns, columns_.listeners, 0, to.listeners, 0, rows_.listeners);
    CopyRows(kConnectionColumns, columns_.connections, 0, to.connections, 0, rows_.connections);
    CopyRows(kHolderColumns, columns_.holders, 0, to.holders, 0, rows_.holders);
  }
  target.rows.clear();
  target.tail = rows_.processes;
  target.text = text_end_;
  target.sockets = target.sockets && !sockets;
}

std::size_t ProcessTable::Bytes() const {
  std::size_t bytes = LayoutBytes(capacity_) + texts_.bucket_count() * sizeof(void*);
  for (const auto& [text, place] : texts_) bytes += sizeof(std::string) + sizeof(Place) + text.capacity();
  for (const Target& target : targets_) bytes += target.rows.capacity() * sizeof(std::uint32_t);
  for (const auto* pids : {&own_, &holders_, &changed_, &born_, &edited_, &adopters_, &parents_due_})
    bytes += pids->capacity() * sizeof(std::int32_t);
  return bytes;
}

std::vector<std::int32_t> ProcessTable::TakeChanged() {
  SortDistinct(changed_);
  return std::exchange(changed_, {});
}

void ProcessTable::NoteEdited(std::int32_t pid) {
  if (edited_.size() <= kMostEdited) edited_.push_back(pid);
}

std::optional<std::vector<std::int32_t>> ProcessTable::TakeEdited() {
  if (edited_.size() > kMostEdited) return std::nullopt;
  return std::exchange(edited_, {});
}

bool ProcessTable::IsUnedited() const {
  const std::span states(columns_.processes.state, rows_.processes);
  return !broken_ && edited_.empty() && std::ranges::find(states, kUnknownState) == states.end();
}

}  // namespace desk
