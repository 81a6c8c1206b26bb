// Test driver that compares the ways to read tasks on the running kernel: one case per line of standard
// input, one line of JSON each on standard output. Needs root.
//   compare PID...    the records of all ways; PIDs are processes that do nothing
//   own               this process, with threads that differ from their leader
//   room COUNT        so many processes, more than the map holds at first
//   request PID...    the records of these processes
//   together THREADS  so many threads that read at the same time
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <latch>
#include <map>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "bpf/btf_file.h"
#include "bpf/task_facts.h"
#include "bpf/tracing.h"

namespace {

using namespace desk;
using namespace desk::bpf;

// Records by thread, by process.
using Processes = std::map<std::int32_t, std::map<std::int32_t, TaskRecord>>;

Processes ByProcess(const Result<TaskRecords>& read) {
  Processes processes;
  for (const TaskRecord& record : read->records) processes[record.tgid][record.pid] = record;
  return processes;
}

TaskSource& Old() {
  ForceSeqFile(true);
  TaskSource* const source = TasksInUse();
  ForceSeqFile(false);
  return *source;
}
TaskSource& New() { return *TasksInUse(); }

bool Same(const TaskRecord& one, const TaskRecord& other) {
  return std::memcmp(&one, &other, sizeof one) == 0;
}
bool Same(const std::map<std::int32_t, TaskRecord>& one, const std::map<std::int32_t, TaskRecord>& other) {
  return std::ranges::equal(
      one, other, [](const auto& a, const auto& b) { return Same(a.second, b.second); });
}

// Every fact from which a thread is judged.
bool JudgedAlike(const TaskRecord& one, const TaskRecord& other) {
  return one.seccomp == other.seccomp && (one.atomic_flags & 1) == (other.atomic_flags & 1) &&
         one.cap_eff == other.cap_eff && one.cap_bnd == other.cap_bnd && one.uid == other.uid &&
         one.euid == other.euid && one.level == other.level && one.ns_user == other.ns_user &&
         one.ns_pid == other.ns_pid && one.ns_mnt == other.ns_mnt && one.ns_net == other.ns_net;
}

// What is wrong with the records of a process, which by `all` did not change; "" = nothing.
std::string Difference(const std::map<std::int32_t, TaskRecord>& all,
                       const std::map<std::int32_t, TaskRecord>& found) {
  const auto leader = found.empty() ? found.end() : found.find(found.begin()->second.tgid);
  if (leader == found.end()) return "no leader";
  for (const auto& [pid, record] : found) {
    const auto expected = all.find(pid);
    if (expected == all.end()) return "an unknown thread";
    const auto* const one = reinterpret_cast<const unsigned char*>(&record);
    const auto* const other = reinterpret_cast<const unsigned char*>(&expected->second);
    for (std::size_t at = 0; at < sizeof record; ++at)
      if (one[at] != other[at]) return "byte " + std::to_string(at) + " of thread " + std::to_string(pid);
  }
  for (const auto& [pid, record] : all) {
    if (found.contains(pid)) continue;
    if (HasEnded(leader->second) || Leaving(leader->second)) return "a thread of an ended leader is missing";
    if (!HasEnded(record) && !JudgedAlike(record, leader->second))
      return "thread " + std::to_string(pid) + " is missing";
  }
  return "";
}

void CompareWays(std::istream& words) {
  std::vector<std::int32_t> pids;
  for (std::int32_t pid = 0; words >> pid;) pids.push_back(pid);
  constexpr int kMostAttempts = 50;
  for (int attempt = 1;; ++attempt) {
    const Processes before = ByProcess(Old().ReadAll());
    const Processes walked = ByProcess(New().ReadAll());
    const Processes requested = ByProcess(New().ReadProcesses(pids));
    const Processes after = ByProcess(Old().ReadAll());
    std::vector<std::pair<std::int32_t, std::string>> found;
    std::size_t stable = 0;
    for (const auto& [pid, threads] : before) {
      const auto later = after.find(pid);
      if (later == after.end() || !Same(threads, later->second)) continue;
      ++stable;
      const auto walk = walked.find(pid);
      found.emplace_back(pid, walk == walked.end() ? "missing" : Difference(threads, walk->second));
    }
    std::erase_if(found, [](const auto& one) { return one.second.empty(); });
    std::size_t settled = 0;
    for (const std::int32_t pid : pids) {
      const auto one = before.find(pid), other = after.find(pid);
      settled += one != before.end() && other != after.end() && Same(one->second, other->second) ? 1 : 0;
    }
    if (settled < pids.size() && attempt < kMostAttempts) continue;
    std::printf("{\"settled\":%zu,\"stable\":%zu,\"differences\":[", settled, stable);
    const char* comma = "";
    for (const auto& [pid, what] : found) {
      std::printf("%s[%d,\"%s\"]", comma, pid, what.c_str());
      comma = ",";
    }
    // Threads by the old way and by the new one, the pid namespace and its level, and whether the request
    // gave the same as the walk over all.
    std::printf("],\"requested\":[");
    comma = "";
    for (const std::int32_t pid : pids) {
      const auto walk = walked.find(pid), request = requested.find(pid);
      const bool same =
          walk != walked.end() && request != requested.end() && Same(walk->second, request->second);
      const TaskRecord leader = walk == walked.end() ? TaskRecord{} : walk->second.at(pid);
      std::printf("%s[%d,%zu,%zu,%u,%u,%s]", comma, pid, before.contains(pid) ? before.at(pid).size() : 0,
                  walk == walked.end() ? 0 : walk->second.size(), leader.ns_pid, leader.level,
                  same ? "true" : "false");
      comma = ",";
    }
    std::printf("],\"processes\":%zu}\n", requested.size());
    return;
  }
}

void Own() {
  // Raw system calls: those of the library change all threads.
  const std::vector<std::pair<const char*, void (*)()>> kinds = {
      {"equal", [] {}},
      {"user", [] { ::syscall(SYS_setresuid, -1, 65534, 0); }},
      {"network", [] { ::unshare(CLONE_NEWNET); }},
      {"privileges", [] { ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }},
      {"name", [] { ::prctl(PR_SET_NAME, "another"); }},
  };
  std::vector<std::int32_t> tids(kinds.size());
  std::latch ready(static_cast<std::ptrdiff_t>(kinds.size()));
  std::latch done(1);
  std::vector<std::thread> threads;
  for (std::size_t at = 0; at < kinds.size(); ++at) {
    threads.emplace_back([&, at] {
      kinds[at].second();
      tids[at] = ::gettid();
      ready.count_down();
      done.wait();
    });
  }
  ready.wait();
  const std::int32_t pid = ::getpid();
  const Processes walked = ByProcess(New().ReadProcesses({&pid, 1}));
  const Processes byThread = ByProcess(New().ReadProcesses({&tids[0], 1}));
  done.count_down();
  for (std::thread& thread : threads) thread.join();
  std::printf("{\"leader\":%s,\"byThread\":%zu,\"threads\":[",
              walked.at(pid).contains(pid) ? "true" : "false", byThread.size());
  const char* comma = "";
  for (std::size_t at = 0; at < kinds.size(); ++at) {
    if (!walked.at(pid).contains(tids[at])) continue;
    std::printf("%s\"%s\"", comma, kinds[at].first);
    comma = ",";
  }
  std::printf("]}\n");
}

void Room(std::istream& words) {
  std::size_t count = 0;
  words >> count;
  std::vector<std::int32_t> pids;
  for (std::size_t made = 0; made < count; ++made) {
    const pid_t pid = ::fork();
    if (pid == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      for (;;) ::pause();
    }
    pids.push_back(pid);
  }
  std::string missing;
  const Result<BtfFile> file = BtfFile::Read();
  const Result<Btf> btf = Btf::Parse(file->bytes());
  const Result<WalkProgram> program = AssembleTaskWalk(*btf, WalkOver::kRequested, missing);
  TaskWalk walk(*program);
  const std::span<const std::int32_t> all(pids);
  const std::size_t few = walk.Run(all.first(1))->size();
  const std::uint32_t small = walk.room();
  const Result<std::span<const TaskRecord>> many = walk.Run(all);
  bool exact = many->size() == pids.size();
  for (std::size_t at = 0; exact && at < pids.size(); ++at) exact = (*many)[at].pid == pids[at];
  const std::uint32_t large = walk.room();
  for (int run = 0; run < 1001; ++run) static_cast<void>(walk.Run(all.first(1)));
  const std::uint32_t later = walk.room();
  const std::size_t again = walk.Run(all)->size();
  for (const std::int32_t pid : pids) ::kill(pid, SIGKILL);
  for (const std::int32_t pid : pids) ::waitpid(pid, nullptr, 0);
  const std::size_t ended = walk.Run(all)->size();
  std::printf("{\"few\":%zu,\"exact\":%s,\"again\":%zu,\"ended\":%zu,\"rooms\":[%u,%u,%u]}\n", few,
              exact ? "true" : "false", again, ended, small, large, later);
}

void Request(std::istream& words) {
  std::vector<std::int32_t> pids;
  for (std::int32_t pid = 0; words >> pid;) pids.push_back(pid);
  const Result<TaskRecords> read = New().ReadProcesses(pids);
  std::printf("{\"error\":%d,\"pids\":[", read.error());
  const char* comma = "";
  for (const TaskRecord& record : read->records) {
    std::printf("%s%d", comma, record.pid);
    comma = ",";
  }
  std::printf("]}\n");
}

void Together(std::istream& words) {
  int count = 0;
  words >> count;
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int at = 0; at < count; ++at) {
    threads.emplace_back([&wrong, at] {
      const std::int32_t pids[] = {at % 2 == 0 ? ::getpid() : ::getppid()};
      for (int run = 0; run < 200; ++run) {
        const Result<TaskRecords> one = New().ReadProcesses(pids);
        const Result<TaskRecords> all = run % 10 == 0 ? New().ReadAll() : Result<TaskRecords>(TaskRecords{});
        if (!one || one->records.empty() || one->records[0].pid != pids[0]) ++wrong;
        const auto mine = [&](const TaskRecord& record) { return record.pid == pids[0]; };
        if (!all || (run % 10 == 0 && std::ranges::count_if(all->records, mine) != 1)) ++wrong;
        // Still the same, although others read meanwhile.
        if (one->records.front().pid != pids[0]) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::printf("{\"wrong\":%d}\n", wrong.load());
}

}  // namespace

int main() {
  std::printf("{\"old\":\"%s\",\"new\":\"%s\"}\n", Old().name(), New().name());
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string what;
    words >> what;
    std::fflush(stdout);
    if (what == "compare") CompareWays(words);
    if (what == "own") Own();
    if (what == "room") Room(words);
    if (what == "request") Request(words);
    if (what == "together") Together(words);
  }
}
