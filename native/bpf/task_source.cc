#include "bpf/task_source.h"

#include <cerrno>
#include <cstddef>
#include <utility>

namespace desk::bpf {

Result<TaskRecords> SeqFileTasks::ReadAll() {
  std::shared_ptr<ReadBuffer> buffer = buffers_.Borrow([] { return std::make_unique<ReadBuffer>(); });
  const Result<std::span<const std::byte>> bytes = iterator_.Read(*buffer);
  if (!bytes) return bytes.refusal();
  if (bytes->size() % sizeof(TaskRecord) != 0) return Errno{EBADMSG};
  // operator new aligns for every type; the kernel wrote the records byte for byte.
  const auto* const records = reinterpret_cast<const TaskRecord*>(bytes->data());
  const std::size_t count = bytes->size() / sizeof(TaskRecord);
  return TaskRecords{{records, count}, static_cast<std::uint32_t>(count), std::move(buffer)};
}

OpenCodedTasks::OpenCodedTasks(WalkProgram all) : TaskSource(all.facts), all_(std::move(all)) {}

Result<std::unique_ptr<OpenCodedTasks>> OpenCodedTasks::Load(const Btf& btf) {
  std::string missing;
  Result<WalkProgram> all = AssembleTaskWalk(btf, WalkOver::kAll, missing);
  if (!all) return all.refusal();
  std::unique_ptr<OpenCodedTasks> tasks(new OpenCodedTasks(std::move(all.value())));
  const Result<TaskRecords> read = tasks->ReadAll();
  if (!read) return read.refusal();
  if (read->records.empty()) return Errno{EBADMSG};
  Result<WalkProgram> requested = AssembleTaskWalk(btf, WalkOver::kRequested, missing);
  if (requested) tasks->requested_ = std::move(requested.value());
  return tasks;
}

Result<TaskRecords> OpenCodedTasks::ReadProcesses(std::span<const std::int32_t> pids) {
  if (requested_.instructions.empty() || requests_refused_) return Errno{EOPNOTSUPP};
  if (pids.empty()) return TaskRecords{};
  Result<TaskRecords> read = Read(requested_, requested_walks_, pids);
  // Before 6.10 programs of this type may not call bpf_task_from_pid.
  if (read.error() != EACCES && read.error() != EINVAL) return read;
  requests_refused_ = true;
  return Errno{EOPNOTSUPP};
}

Result<TaskRecords> OpenCodedTasks::Read(const WalkProgram& program, Pool<TaskWalk>& walks,
                                         std::span<const std::int32_t> pids) {
  std::shared_ptr<TaskWalk> walk = walks.Borrow([&] { return std::make_unique<TaskWalk>(program); });
  const Result<std::span<const TaskRecord>> records = walk->Run(pids);
  if (!records) return records.refusal();
  return TaskRecords{*records, walk->tasks(), std::move(walk)};
}

}  // namespace desk::bpf
