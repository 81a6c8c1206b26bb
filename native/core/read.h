// Reads small kernel files and links through a directory descriptor. The result points into a buffer of the
// calling thread, valid until that thread's next call of the same function.
#pragma once

#include <string_view>

#include "core/result.h"

namespace desk {

// The whole of a file, at most 64 MiB (EFBIG beyond; a table of 100,000 mounts has 20), by openat, read until
// end, close. ESPIPE for a fifo, without waiting for it.
Result<std::string_view> ReadFile(int directory, const char* path);

// The same for files that the kernel writes as one seq_file record (everything under /proc/PID read here, and
// regular files): a read that leaves room in the buffer has reached the end, so no second read is needed
// (fs/seq_file.c).
Result<std::string_view> ReadRecord(int directory, const char* path);

// The same for a file kept open, from its start: seq_file generates its record again for a read at offset 0.
Result<std::string_view> ReadRecordAgain(int file);

// The whole of a file kept open, from its start, read until its end.
Result<std::string_view> ReadFileAgain(int file);

// The target of a symbolic link, raw bytes; ENAMETOOLONG when it does not fit (d_path of the kernel fills one
// page).
Result<std::string_view> ReadLink(int directory, const char* path);

}  // namespace desk
