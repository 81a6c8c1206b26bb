// What the cases of desk-start and of its namespaces service share.
#pragma once

#include <sys/types.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

// Ends the program with the line of a check that does not hold.
inline void Check(bool holds, int line = __builtin_LINE()) {
  if (holds) return;
  std::printf("line %d\n", line);
  std::exit(EXIT_FAILURE);
}

// Open descriptors of a process, in ascending order.
inline std::vector<int> DescriptorsOf(pid_t pid) {
  std::vector<int> all;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/fd"))
    all.push_back(std::stoi(entry.path().filename()));
  std::ranges::sort(all);
  return all;
}
