// A proc root of made-up processes in a separate folder, for tests of code that reads files.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "core/root.h"

namespace desk::unit {

// A new folder that is removed with its content at the end.
class Folder {
 public:
  Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  Folder(Folder&&) = delete;
  Folder& operator=(Folder&&) = delete;
  ~Folder();

  const std::filesystem::path& path() const { return path_; }
  // Writes a file below the folder and creates its parent folders.
  void Write(const std::string& name, std::string_view text) const;
  void Link(const std::string& name, const std::string& target) const;

 private:
  std::filesystem::path path_;
};

// Processes 1 … count; every third has a second thread, every fifth a seccomp filter, every seventh its own
// mount namespace.
void WriteProcesses(const Folder& folder, int count);

// The folder as a root.
std::shared_ptr<Root> RootOf(const Folder& folder);

}  // namespace desk::unit
