// Walks with a source of files in place of /proc/PID/fd: owner_files_cases ROOT INODES, with one case
// ROWS|FILES per line on standard input. INODES, ROWS (pid:threads, ascending) and FILES (pid:fd:inode, or
// "refuse") are separated by blanks. Every case starts with nothing cached and prints its result as one line
// of JSON.
#include <fcntl.h>

#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "probe/owners.h"

namespace {

constexpr desk::Capacity kCapacity{.processes = 64, .sockets = 16, .holders = 64, .text = 64};

std::vector<long> Numbers(const std::string& word) {
  std::vector<long> numbers;
  std::istringstream parts(word);
  for (std::string part; std::getline(parts, part, ':');) numbers.push_back(std::stol(part));
  return numbers;
}

std::vector<std::string> Words(const std::string& text) {
  std::istringstream words(text);
  std::vector<std::string> found;
  for (std::string word; words >> word;) found.push_back(word);
  return found;
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) return 2;
  const std::vector<std::string> inodes = Words(words[2]);
  for (std::string line; std::getline(std::cin, line);) {
    std::vector<std::byte> memory(desk::LayoutBytes(kCapacity));
    const desk::Columns columns = desk::Bind(memory.data(), kCapacity);
    const std::vector<std::string> processes = Words(line.substr(0, line.find('|')));
    const std::vector<std::string> files = Words(line.substr(line.find('|') + 1));
    desk::OwnerRows rows{.capacity = kCapacity};
    for (const std::string& inode : inodes)
      columns.listeners.inode[rows.listeners++] = static_cast<std::uint32_t>(std::stoul(inode));
    for (const std::string& process : processes) {
      const std::vector<long> numbers = Numbers(process);
      columns.processes.pid[rows.count] = static_cast<std::int32_t>(numbers.at(0));
      columns.processes.threads[rows.count] = static_cast<std::uint32_t>(numbers.at(1));
      columns.processes.state[rows.count++] = 'S';
    }
    desk::Root root(desk::Fd(::open(words[1], O_PATH | O_DIRECTORY)), words[1]);
    desk::Owners owners(root);
    owners.Collect(columns, rows, {});
    const desk::Result<desk::WalkResult> walked =
        owners.WalkFiles(columns, rows, [&files](const desk::FileVisit& visit) -> desk::Result<bool> {
          for (const std::string& file : files) {
            if (file == "refuse") return desk::Errno{EPERM};
            const std::vector<long> numbers = Numbers(file);
            visit(static_cast<std::int32_t>(numbers.at(0)), static_cast<std::int32_t>(numbers.at(1)),
                  static_cast<std::uint32_t>(numbers.at(2)));
          }
          return true;
        });
    const desk::CollectResult found = owners.Collect(columns, rows, {});
    std::printf("{\"error\":%d,\"walked\":%u,\"wanted\":%u,\"covered\":%s,\"holders\":[", walked.error(),
                walked->walked, found.wanted, found.covered ? "true" : "false");
    for (std::uint32_t at = 0; at < found.holders; ++at) {
      const desk::HolderView& holders = columns.holders;
      std::printf("%s\"%u %d %d\"", at == 0 ? "" : ",", holders.inode[at], holders.pid[at], holders.fd[at]);
    }
    std::printf("],\"seen\":[");
    for (std::uint32_t row = 0; row < rows.count; ++row)
      std::printf("%s%d", row == 0 ? "" : ",", (columns.processes.seen[row] & desk::kFactDescriptors) != 0);
    std::printf("]}\n");
  }
}
