#include "fake_root.h"

#include <cstdlib>
#include <fstream>

#include "harness.h"

namespace desk::unit {
namespace {

std::string StatLine(int id) {
  const std::string number = std::to_string(id);
  return number + " (process " + number + ") S 1 " + number + " " + number +
         " 0 -1 4194304 0 0 0 0 0 0 0 0 20 0 1 0 " + std::to_string(1000 + id) + " 0 0\n";
}

std::string StatusText(int id, bool filtered, int threads) {
  return "Name:\tprocess\nTracerPid:\t0\nUid:\t1000\t1000\t1000\t1000\nNSpid:\t" + std::to_string(id) +
         "\nThreads:\t" + std::to_string(threads) +
         "\nCapEff:\t0000000000000000\nCapBnd:\t000001ffffffffff\nNoNewPrivs:\t0\nSeccomp:\t" +
         (filtered ? "2" : "0") + "\n";
}

void WriteTask(const Folder& folder, const std::string& below, int id, int pid, int threads) {
  folder.Write(below + "/stat", StatLine(id));
  folder.Write(below + "/status", StatusText(id, pid % 5 == 0, threads));
  folder.Write(below + "/attr/current", "unconfined\n");
  folder.Link(below + "/ns/user", "user:[4026531837]");
  folder.Link(below + "/ns/pid", "pid:[4026531836]");
  folder.Link(below + "/ns/mnt", pid % 7 == 0 ? "mnt:[4026532999]" : "mnt:[4026531841]");
  folder.Link(below + "/ns/net", "net:[4026531840]");
}

}  // namespace

Folder::Folder() {
  std::string name = (std::filesystem::temp_directory_path() / "desk-unit-XXXXXX").string();
  Check(::mkdtemp(name.data()) != nullptr);
  path_ = name;
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

void Folder::Write(const std::string& name, std::string_view text) const {
  const std::filesystem::path file = path_ / name;
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

void Folder::Link(const std::string& name, const std::string& target) const {
  const std::filesystem::path link = path_ / name;
  std::filesystem::create_directories(link.parent_path());
  std::filesystem::create_symlink(target, link);
}

void WriteProcesses(const Folder& folder, int count) {
  for (int pid = 1; pid <= count; ++pid) {
    const std::string below = std::to_string(pid);
    const int threads = pid % 3 == 0 ? 2 : 1;
    WriteTask(folder, below, pid, pid, threads);
    folder.Link(below + "/exe", "/usr/bin/program-" + std::to_string(pid % 10));
    folder.Write(below + "/cgroup", "0::/group-" + std::to_string(pid % 4) + "\n");
    WriteTask(folder, std::string(below).append("/task/").append(below), pid, pid, threads);
    if (threads == 2) {
      const int tid = 100'000 + pid;
      WriteTask(folder, below + "/task/" + std::to_string(tid), tid, pid, threads);
    }
  }
  folder.Link("self", "1");
}

std::shared_ptr<Root> RootOf(const Folder& folder) {
  const Result<int> handle = OpenRoot(folder.path().string());
  Check(handle.ok());
  std::shared_ptr<Root> root = HandlesOf<Root>().Close(*handle);
  return root;
}

}  // namespace desk::unit
