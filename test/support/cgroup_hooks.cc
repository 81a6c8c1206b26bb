// Hooks of a cgroup beside those of the desk, by plain system calls.
//   links ID ...   writes how many of these BPF links exist
//   deny FOLDER    attaches a program to the cgroup FOLDER that denies every bind(2), moves into that cgroup,
//                  and writes the errno of a bind of a UDP socket, then the port of one after the program is
//                  detached; holds the socket until its input ends
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

long Bpf(bpf_cmd command, bpf_attr& attributes) {
  return ::syscall(SYS_bpf, command, &attributes, sizeof attributes);
}

int Links(int count, char** ids) {
  int alive = 0;
  for (int at = 0; at < count; ++at) {
    bpf_attr attributes{};
    attributes.link_id = static_cast<std::uint32_t>(std::atoi(ids[at]));
    const long link = Bpf(BPF_LINK_GET_FD_BY_ID, attributes);
    if (link < 0) continue;
    ++alive;
    ::close(static_cast<int>(link));
  }
  std::printf("%d\n", alive);
  return 0;
}

// The link; -1 when the kernel refuses.
int DenyBinds(int cgroup) {
  const bpf_insn code[] = {{BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 0}, {BPF_JMP | BPF_EXIT, 0, 0, 0, 0}};
  bpf_attr load{};
  load.prog_type = BPF_PROG_TYPE_CGROUP_SOCK;
  load.expected_attach_type = BPF_CGROUP_INET4_POST_BIND;
  load.insns = reinterpret_cast<std::uintptr_t>(code);
  load.insn_cnt = 2;
  load.license = reinterpret_cast<std::uintptr_t>("GPL");
  const long program = Bpf(BPF_PROG_LOAD, load);
  if (program < 0) return -1;
  bpf_attr attach{};
  attach.link_create.prog_fd = static_cast<std::uint32_t>(program);
  attach.link_create.target_fd = static_cast<std::uint32_t>(cgroup);
  attach.link_create.attach_type = BPF_CGROUP_INET4_POST_BIND;
  return static_cast<int>(Bpf(BPF_LINK_CREATE, attach));
}

// The port; 0 when it could not be bound.
int Bind(int fd) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (::bind(fd, reinterpret_cast<sockaddr*>(&address), size) != 0) return 0;
  if (::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0) return 0;
  return ntohs(address.sin_port);
}

int Deny(const std::string& folder) {
  const int link = DenyBinds(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (link < 0) return 1;
  const int members = ::open((folder + "/cgroup.procs").c_str(), O_WRONLY | O_CLOEXEC);
  if (::write(members, "0", 1) != 1) return 1;
  const int denied = Bind(::socket(AF_INET, SOCK_DGRAM, 0)) == 0 ? errno : 0;
  ::close(link);
  std::printf("%d %d\n", denied, Bind(::socket(AF_INET, SOCK_DGRAM, 0)));
  std::fflush(stdout);
  char byte = 0;
  while (::read(STDIN_FILENO, &byte, 1) > 0) continue;
  return 0;
}

}  // namespace

int main(int count, char** words) {
  const std::string what = count > 1 ? words[1] : "";
  if (what == "links") return Links(count - 2, words + 2);
  return what == "deny" && count == 3 ? Deny(words[2]) : 2;
}
