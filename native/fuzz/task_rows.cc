// Records of the task iterator, of any content, as the rows of a sweep. Their texts come from
// /proc/self/task, which is laid out like a proc root of our own threads.
#include "bpf/task_rows.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string_view>
#include <tuple>
#include <vector>

#include "bpf/task_facts.h"
#include "bpf/task_table.h"
#include "fuzz/support/fuzz.h"

namespace desk::fuzz {
namespace {

using bpf::TaskRecord;

constexpr std::size_t kMostRecords = 64;
constexpr std::size_t kMostListed = 8;

// The kernel must give the same answer every time whether a process is alive: ourselves, which the root
// shows; pid 1, which it does not; numbers beyond all pids.
std::int32_t PidOf(std::int32_t any) {
  constexpr auto kBeyond = static_cast<std::int32_t>(kMaxProcesses);
  if (any < 0 || any > kBeyond) return any;
  switch (any % 16) {
    case 0: return ::getpid();
    case 1: return 1;
    default: return kBeyond + any % 16;
  }
}

std::vector<TaskRecord> TakeRecords(Taker& taker) {
  std::vector<TaskRecord> records;
  while (!taker.rest().empty() && records.size() < kMostRecords) {
    auto record = taker.Take<TaskRecord>();
    record.pid = PidOf(record.pid);
    record.tgid = PidOf(record.tgid);
    records.push_back(record);
  }
  return records;
}

// Leaders, each once, and the processes of other threads.
struct Reported {
  std::set<std::int32_t> leaders;
  std::multiset<std::int32_t> threads;
};

Reported ReportedBy(const std::vector<TaskRecord>& records) {
  Reported reported;
  for (const TaskRecord& record : records) {
    if (bpf::Dead(record)) continue;
    if (record.pid == record.tgid)
      reported.leaders.insert(record.tgid);
    else
      reported.threads.insert(record.tgid);
  }
  return reported;
}

void CheckTable(const std::vector<TaskRecord>& records, const Reported& reported) {
  bpf::TaskTable table;
  table.Take(records);
  Ensure(std::ranges::equal(table.leaders(), reported.leaders, {},
                            [](const auto* record) { return record->pid; }));
  std::size_t threads = 0;
  for (const std::int32_t pid : std::set(reported.threads.begin(), reported.threads.end())) {
    Ensure(std::ranges::binary_search(table.headless(), pid) == !reported.leaders.contains(pid));
    const TaskRecord* const lowest = table.LowestLiving(pid);
    for (const TaskRecord* thread : table.ThreadsOf(pid)) {
      Ensure(thread->tgid == pid && thread->pid != pid);
      const bool lives = !bpf::HasEnded(*thread) && !bpf::Leaving(*thread);
      Ensure(!lives || (lowest != nullptr && lowest->pid <= thread->pid));
      ++threads;
    }
  }
  Ensure(threads == reported.threads.size());
}

// The part of a row that is the same for the same records.
using Row =
    std::tuple<std::int32_t, std::uint64_t, std::uint8_t, std::uint8_t, std::uint64_t, std::string_view>;

class Sweep {
 public:
  Sweep(std::uint32_t processes, std::uint32_t text)
      : capacity_{.processes = processes, .text = text},
        buffer_(LayoutBytes(capacity_) / sizeof(std::uint64_t)),
        columns_(Bind(reinterpret_cast<std::byte*>(buffer_.data()), capacity_)) {}

  bpf::TaskSweepResult Fill(const std::vector<TaskRecord>& records, std::uint16_t provided,
                            bpf::TaskMemory& memory) {
    static const auto root = std::make_shared<Root>(
        Fd(::open("/proc/self/task", O_PATH | O_DIRECTORY | O_CLOEXEC)), "/proc/self/task");
    Ensure(root->fd() >= 0);
    return bpf::FillTaskRows(*root, columns_, capacity_, records, provided, memory);
  }
  bool untouched() const {
    return std::ranges::all_of(
        buffer_, [](std::uint64_t word) { return word == 0; });
  }
  Row row(std::uint32_t at) const {
    const ProcessView& rows = columns_.processes;
    const auto state = static_cast<WrapState>(rows.wrap_state[at]);
    Ensure(state <= WrapState::kNotApplicable);
    Ensure(state != WrapState::kWrapped || rows.wrap[at] != 0);
    Ensure(state != WrapState::kFree || rows.wrap[at] == 0);
    Ensure(rows.cgroup_offset[at] <= capacity_.text &&
           rows.cgroup_length[at] <= capacity_.text - rows.cgroup_offset[at]);
    Ensure(rows.exe_offset[at] <= capacity_.text &&
           rows.exe_length[at] <= capacity_.text - rows.exe_offset[at]);
    Ensure((rows.seen[at] & rows.refused[at]) == 0);
    // A process that is not judged is a kernel thread, dead, or does not exist: the totals add up.
    Ensure(state != WrapState::kNotApplicable || rows.state[at] == 0 || IsZombie(rows.state[at]) ||
           (rows.flags[at] & kPfKthread) != 0);
    Ensure(rows.state[at] == 0 ||
           std::string_view("RSDTtXZPI?").find(static_cast<char>(rows.state[at])) != std::string_view::npos);
    return {rows.pid[at],
            rows.start[at],
            rows.wrap[at],
            rows.wrap_state[at],
            rows.identity[at],
            {reinterpret_cast<const char*>(columns_.text) + rows.exe_offset[at], rows.exe_length[at]}};
  }

 private:
  Capacity capacity_;
  std::vector<std::uint64_t> buffer_;
  Columns columns_;
};

}  // namespace

void FuzzOne(std::span<const std::uint8_t> input) {
  Taker taker(input);
  const std::uint32_t processes = taker.Take<std::uint8_t>();
  const std::uint32_t text = taker.Take<std::uint16_t>();
  const auto provided = taker.Take<std::uint16_t>();
  std::vector<std::int32_t> listed(taker.Take<std::uint8_t>() % (kMostListed + 1));
  for (std::int32_t& pid : listed) pid = PidOf(taker.Take<std::int32_t>());
  const std::vector<TaskRecord> records = TakeRecords(taker);
  const Reported reported = ReportedBy(records);
  CheckTable(records, reported);

  std::set<std::int32_t> absent(listed.begin(), listed.end());
  absent.insert(reported.threads.begin(), reported.threads.end());
  for (const std::int32_t pid : reported.leaders) absent.erase(pid);

  // Twice with one memory: the second sweep finds its texts there, with the same result.
  bpf::TaskMemory memory;
  std::vector<Row> before;
  Sweep first(processes, text);
  Sweep second(processes, text);
  for (Sweep* const sweep : {&first, &second}) {
    memory.listed = listed;
    const bpf::TaskSweepResult result = sweep->Fill(records, provided, memory);
    Ensure(result.count == reported.leaders.size() + absent.size() && result.tasks == records.size());
    if (result.count > processes) {
      Ensure(sweep->untouched());
      continue;
    }
    std::vector<Row> rows;
    for (std::uint32_t at = 0; at < result.count; ++at) rows.push_back(sweep->row(at));
    Ensure(std::ranges::is_sorted(rows, {}, [](const Row& row) { return std::get<0>(row); }));
    Ensure(sweep == &first || rows == before);
    before = std::move(rows);
    // Existing processes that the iterator did not report are remembered.
    Ensure(std::ranges::includes(absent, memory.absent));
  }
}

}  // namespace desk::fuzz
