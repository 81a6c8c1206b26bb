// Decompresses a gzip file (RFC 1951, RFC 1952). It may have any content.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/result.h"

namespace desk::files {

// What one gzip member has. EBADMSG where it is damaged, not the end of `bytes`, or not what its checksum
// says; EFBIG where it has more than `most` bytes.
Result<std::string> Gunzip(std::string_view bytes, std::size_t most);

}  // namespace desk::files
