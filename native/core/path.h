// Relative paths below a proc root, built without allocation: "123/stat", "123/task/456/status".
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string_view>

namespace desk {

class ProcPath {
 public:
  explicit ProcPath(std::int32_t pid) { Append(pid); }
  ProcPath(std::int32_t pid, std::int32_t tid) {
    Append(pid);
    Append("/task/");
    Append(tid);
  }

  // That of a thread; for the leader (`tid` = `pid`) that of the process.
  static ProcPath Of(std::int32_t pid, std::int32_t tid) {
    return tid == pid ? ProcPath(pid) : ProcPath(pid, tid);
  }

  // The folder of the process or thread itself.
  const char* Folder() {
    *base_ = '\0';
    return text_;
  }

  // The path of a file below this process or thread; valid until the next call. `name` is at most 24
  // characters.
  const char* File(std::string_view name) {
    end_ = base_;
    *end_++ = '/';
    Copy(name);
    *end_ = '\0';
    return text_;
  }

 private:
  void Append(std::int32_t number) {
    end_ = std::to_chars(end_, text_ + sizeof text_, number).ptr;
    base_ = end_;
  }
  void Append(std::string_view name) {
    Copy(name);
    base_ = end_;
  }
  void Copy(std::string_view name) {
    const auto room = static_cast<std::size_t>(text_ + sizeof text_ - 1 - end_);
    end_ = std::copy_n(name.data(), std::min(name.size(), room), end_);
  }

  char text_[64] = {};
  char* base_ = text_;
  char* end_ = text_;
};

}  // namespace desk
