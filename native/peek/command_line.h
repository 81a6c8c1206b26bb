// /proc/PID/cmdline (proc_pid_cmdline(5)).
#pragma once

#include "peek/subject.h"
#include "peek/writer.h"

namespace desk {

// Whether it is empty: one byte of it is read.
void WriteCommandLine(const Subject& subject, Writer& out);

// The first arguments, without one that is truncated at the limit: it may be the beginning of a secret.
void WriteArguments(const Subject& subject, Writer& out);

}  // namespace desk
