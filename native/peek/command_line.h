// /proc/PID/cmdline (proc_pid_cmdline(5)).
#pragma once

#include "peek/subject.h"
#include "peek/writer.h"

namespace desk {

// Whether it is empty: one byte of it is read. False, and nothing is written, when the process is being
// started and has none yet.
bool WriteCommandLine(const Subject& subject, Writer& out);

// The first arguments, without one that is truncated at the limit: it may be the beginning of a secret.
void WriteArguments(const Subject& subject, Writer& out);

}  // namespace desk
