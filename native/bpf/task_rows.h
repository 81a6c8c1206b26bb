// The rows of one sweep from the records of the task iterator, and what is kept for the next one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bpf/task_record.h"
#include "bpf/task_sweep.h"
#include "bpf/task_table.h"
#include "bpf/text_cache.h"
#include "core/columns.h"
#include "core/root.h"

namespace desk::bpf {

struct TaskMemory {
  TaskTable table;
  TextCache texts;
  // Processes that /proc lists and the iterator does not report, ascending.
  std::vector<std::int32_t> absent;
  // What /proc listed before the iterator ran; empty when not requested.
  std::vector<std::int32_t> listed;
};

// Fills the rows. `provided` is TaskProgram::facts of the program that wrote the records.
TaskSweepResult FillTaskRows(Root& root, const Columns& columns, const Capacity& capacity,
                             std::span<const TaskRecord> records, std::uint16_t provided, TaskMemory& memory);

}  // namespace desk::bpf
