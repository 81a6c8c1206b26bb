#include "mail/message_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <future>
#include <memory>
#include <span>
#include <string>
#include <system_error>
#include <thread>

#include "core/fd.h"
#include "core/result.h"
#include "core/text.h"
#include "mail/header_fields.h"

namespace desk {
namespace {

// Most headers are shorter.
constexpr std::size_t kFirstRead = 16'384;

using Buffer = std::array<char, kMostHeader>;

// Bytes read into the buffer from `at` on, at most `most`; or an errno.
Result<std::size_t> ReadSome(int file, Buffer& buffer, std::size_t at, std::size_t most) {
  for (;;) {
    const ssize_t got = ::read(file, buffer.data() + at, most);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) return Errno{errno};
  }
}

// The header, at most kMostHeader bytes; empty when the file is not a message.
Result<std::string_view> ReadHeader(int directory, const char* name, Buffer& buffer) {
  const Fd file(::openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file.valid()) return Errno{errno};
  struct stat facts {};
  if (::fstat(file.get(), &facts) != 0) return Errno{errno};
  if (!S_ISREG(facts.st_mode)) return std::string_view();
  std::size_t length = 0;
  for (std::size_t most = kFirstRead; length < buffer.size(); most = buffer.size() - length) {
    const Result<std::size_t> got = ReadSome(file.get(), buffer, length, most);
    if (!got) return Errno{got.error()};
    length += *got;
    if (*got < most) break;
    const std::size_t end = HeaderEnd({buffer.data(), length});
    if (end != std::string_view::npos) return std::string_view(buffer.data(), end);
  }
  return std::string_view(buffer.data(), length);
}

// The state of a file that could not be read.
std::int32_t StateOf(int error) {
  const bool none = error == ENOENT || error == ELOOP || error == ENXIO || error == ENODEV || error == EAGAIN;
  return none ? kNoMessage : error;
}

using Clock = std::chrono::steady_clock;

// Files per chunk.
constexpr std::size_t kTogether = 250;
// More would not read faster.
constexpr std::size_t kMostThreads = 4;
// Most bytes of texts of one call: the caller has to process them without a pause.
constexpr std::size_t kMostNewBytes = 2u << 20;

struct Chunk {
  // Of the files read before the time was over.
  std::vector<std::int32_t> states;
  MessageReader::Taken taken;
};

// Reads chunks of files on several threads, each with a reader of its own.
class ChunkReading {
 public:
  ChunkReading(const SipKey& key, int directory, std::span<const char* const> names, std::int64_t now_ms,
               Clock::time_point until)
      : key_(key),
        directory_(directory),
        names_(names),
        now_ms_(now_ms),
        until_(until),
        chunks_((names.size() + kTogether - 1) / kTogether) {}

  void Run() {
    const std::size_t most = std::min<std::size_t>(kMostThreads, std::thread::hardware_concurrency());
    std::vector<std::future<void>> others;
    for (std::size_t thread = 1; thread < std::min(most, chunks_.size()); ++thread) {
      try {
        others.push_back(std::async(
            std::launch::async, [this] { Work(); }));
      } catch (const std::system_error&) {
        break;  // no more threads: the others read everything
      }
    }
    Work();
    for (std::future<void>& other : others) other.get();
  }

  const std::vector<Chunk>& chunks() const { return chunks_; }

 private:
  void Work() {
    const auto buffer = std::make_unique<Buffer>();
    for (std::size_t at = next_++; at < chunks_.size(); at = next_++) {
      chunks_[at] = Read(names_.subspan(at * kTogether, std::min(kTogether, names_.size() - at * kTogether)),
                         at == 0, *buffer);
    }
  }

  // `first`: one file is read in any case.
  Chunk Read(std::span<const char* const> names, bool first, Buffer& buffer) {
    MessageReader reader(key_);
    Chunk chunk;
    for (const char* name : names) {
      if (!(first && chunk.states.empty()) && (text_bytes_ >= kMostNewBytes || Clock::now() >= until_)) break;
      const Result<std::string_view> header = ReadHeader(directory_, name, buffer);
      if (!header) {
        chunk.states.push_back(StateOf(header.error()));
      } else if (header->empty()) {
        chunk.states.push_back(kNoMessage);
      } else {
        const std::size_t before = reader.waiting();
        reader.Add(*header, now_ms_);
        text_bytes_ += reader.waiting() - before;
        chunk.states.push_back(kMessage);
      }
    }
    chunk.taken = reader.Take();
    return chunk;
  }

  SipKey key_;
  int directory_;
  std::span<const char* const> names_;
  std::int64_t now_ms_;
  Clock::time_point until_;
  std::vector<Chunk> chunks_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<std::size_t> text_bytes_ = 0;
};

// Each is NUL-terminated in place.
std::vector<const char*> Divided(std::string_view names) {
  std::vector<const char*> each;
  while (!names.empty()) each.push_back(TakeUntil(names, '\0').data());
  return each;
}

}  // namespace

std::vector<std::int32_t> ReadMessageFiles(const std::string& directory, const std::string& names,
                                           std::int64_t now_ms, std::int64_t for_ms, MessageReader& reader) {
  const Clock::time_point until = Clock::now() + std::chrono::milliseconds(for_ms);
  const std::vector<const char*> each = Divided(names);
  const Fd folder(::open(directory.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!folder.valid()) {
    const std::int32_t refused = StateOf(errno);
    std::vector<std::int32_t> all(each.size(), refused);
    return all;
  }
  ChunkReading reading(reader.key(), folder.get(), each, now_ms, until);
  reading.Run();
  std::vector<std::int32_t> states;
  std::size_t end = 0;
  for (const Chunk& chunk : reading.chunks()) {
    states.insert(states.end(), chunk.states.begin(), chunk.states.end());
    reader.Append(chunk.taken);
    end = std::min(end + kTogether, each.size());
    // Later chunks are read again by the next call.
    if (states.size() < end) break;
  }
  return states;
}

}  // namespace desk
