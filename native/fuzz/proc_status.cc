// /proc/PID/status.
#include "probe/proc_status.h"

#include <string>

#include "fuzz/support/fuzz.h"

namespace desk::fuzz {

void FuzzOne(std::span<const std::uint8_t> input) {
  const std::string text(TextOf(input));
  const Result<Status> status = ParseStatus(TextOf(input));
  if (!status) return Ensure(status.error() == EBADMSG);
  Ensure(status->threads > 0);
  // Every needed line was really there.
  for (const char* key : {"Uid:", "TracerPid:", "Threads:", "CapEff:", "CapBnd:", "NoNewPrivs:", "Seccomp:"})
    Ensure(text.find(key) != std::string::npos);
  // Unknown lines change nothing; of lines that are there twice the first counts.
  const Result<Status> prefixed = ParseStatus("Name:\tx\nSeccomp_filters:\t3\n\n" + text);
  Ensure(prefixed.ok() && *prefixed == *status);
  const Result<Status> doubled = ParseStatus(text + "\n" + text);
  Ensure(doubled.ok() && *doubled == *status);
}

}  // namespace desk::fuzz
