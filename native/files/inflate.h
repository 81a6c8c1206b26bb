// Decompresses a gzip file (RFC 1951, RFC 1952). It may have any content.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/result.h"

namespace desk::files {

// What one stream of deflate has; it is taken off the front of `rest`. Errors as below.
Result<std::string> Inflate(std::string_view& rest, std::size_t most);

// What one gzip member has. EBADMSG where it is damaged, not the end of `bytes`, or not what its checksum
// says; EFBIG where it has more than `most` bytes.
Result<std::string> Gunzip(std::string_view bytes, std::size_t most);

}  // namespace desk::files
