// The iterators of this process: loaded at first use and kept until it ends.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "bpf/iterator.h"
#include "core/result.h"

namespace desk::bpf {

// Where loading stopped.
enum class Stage : std::uint8_t { kNone, kPermission, kBtf, kProgram, kIterator, kNamespace };

struct Tracing {
  // The task iterator, which the backend needs; empty when it is not available, for the reason below.
  std::optional<Iterator> tasks;
  // FACT_* bits that the task iterator provides with this kernel's configuration.
  std::uint16_t task_facts = 0;
  // The task_file iterator; where it alone is missing, its error is here.
  std::optional<Iterator> files;
  int files_error = 0;

  Stage stage = Stage::kNone;
  int error = 0;
  // A message for the user; empty when nothing is wrong.
  std::string reason;
};

// Loads at the first call; every thread gets the same.
const Tracing& TheTracing();

// "", "permission", "btf", "program", "iterator" or "namespace".
const char* StageName(Stage stage);

}  // namespace desk::bpf
