// Test driver for the pure parts of native/bpf: one case per line of standard input, one line of JSON each on
// standard output.
//   resolve HEX STRUCT PATH   a BTF, the name of a struct in it, a path of members
//   assemble NAME direct|helper
//   state STATE EXIT_STATE    the letter
//   table PID:TGID:EXIT ...   the order of records
//   mounts HEX                where cgroup v2 is mounted, by a text of mountinfo
#include <cstdio>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "bpf/assembler.h"
#include "bpf/btf.h"
#include "bpf/cgroup_root.h"
#include "bpf/task_facts.h"
#include "bpf/task_table.h"

namespace {

using namespace desk;
using namespace desk::bpf;
using enum Register;

void Resolve(std::istream& words) {
  std::string hex, name, path;
  words >> hex >> name >> path;
  // Exactly the right size, so that the sanitizer detects a read of one byte too many.
  const std::size_t size = hex.size() / 2;
  const std::unique_ptr<std::uint8_t[]> bytes(new std::uint8_t[size]);
  for (std::size_t at = 0; at < size; ++at)
    bytes[at] = static_cast<std::uint8_t>(std::stoi(hex.substr(2 * at, 2), nullptr, 16));
  const auto stop = [](const char* where, int error) {
    std::printf("{\"at\":\"%s\",\"error\":%d,\"loads\":[]}\n", where, error);
  };
  const Result<Btf> btf = Btf::Parse({bytes.get(), size});
  if (!btf) return stop("parse", btf.error());
  const Result<std::uint32_t> type = btf->Find(Kind::kStruct, name);
  if (!type) return stop("find", type.error());
  const Result<Access> access = btf->Resolve(*type, path);
  if (!access) return stop("resolve", access.error());
  std::printf("{\"at\":\"\",\"error\":0,\"type\":%u,\"loads\":[", access->type);
  for (std::size_t at = 0; at < access->loads.size(); ++at) {
    const Load& load = access->loads[at];
    std::printf("%s[%u,%u,%u,%u]", at == 0 ? "" : ",", load.offset, load.bytes, load.bit_shift,
                load.bit_count);
  }
  std::printf("]}\n");
}

void Write(Assembler& code, const std::string& name) {
  const Label end = code.NewLabel();
  if (name == "plain") {
    code.Move(r6, r1);
    code.Set(r2, -1);
    code.Set64(r3, 0x1122334455667788);
    code.LoadFrom(r4, r6, 8, 8);
    code.StoreTo(fp, -16, r4, 4);
    code.StoreConstant(fp, -8, 7, 1);
    code.Compute(Alu::kAnd, r4, 0x1F);
    code.Compute(Alu::kShiftLeft, r4, r2);
    code.SetMap(r5, 9);
    code.Call(Helper::kSeqWrite);
    code.CallKernel(4711);
  } else if (name == "jumps") {
    const Label begin = code.NewLabel();
    code.Place(begin);
    code.JumpIf(Compare::kEqual, r1, 0, end);
    code.JumpIf(Compare::kNotEqual, r1, r2, begin);
  } else if (name == "follow") {
    code.Follow(r0, r6, {.loads = {{.offset = 16, .bytes = 8}, {.offset = 4, .bytes = 4}}, .type = 1}, end);
  } else if (name == "bits") {
    code.Follow(r0, r6, {.loads = {{.offset = 4, .bytes = 4, .bit_shift = 3, .bit_count = 2}}, .type = 1},
                end);
  } else if (name == "nowhere") {
    code.JumpIf(Compare::kEqual, r1, 0, code.NewLabel());
  } else if (name == "far") {
    for (int turn = 0; turn < 40'000; ++turn) code.JumpIf(Compare::kEqual, r1, 0, end);
  } else if (name == "wide") {
    code.LoadFrom(r0, r1, 0, 3);
  } else if (name == "distant") {
    code.LoadFrom(r0, r1, 40'000, 8);
  } else if (name == "twice") {
    code.Place(end);
  }
  code.Place(end);
  code.Exit();
}

void Assemble(std::istream& words) {
  std::string name, reading;
  words >> name >> reading;
  Assembler code(reading == "helper" ? Reading::kHelper : Reading::kDirect);
  Write(code, name);
  const Result<std::vector<bpf_insn>> program = code.Finish();
  std::printf("{\"error\":%d,\"code\":[", program.error());
  for (std::size_t at = 0; at < program->size(); ++at) {
    const bpf_insn& one = (*program)[at];
    std::printf("%s[%u,%u,%u,%d,%d]", at == 0 ? "" : ",", one.code, one.dst_reg, one.src_reg, one.off,
                one.imm);
  }
  std::printf("]}\n");
}

void State(std::istream& words) {
  std::uint32_t state, exit_state;
  words >> std::hex >> state >> exit_state;
  std::printf("\"%c\"\n", StateLetter(state, exit_state));
}

void Table(std::istream& words) {
  std::vector<TaskRecord> records;
  for (std::string word; words >> word;) {
    TaskRecord& record = records.emplace_back();
    record = {};
    std::sscanf(word.c_str(), "%d:%d:%x", &record.pid, &record.tgid, &record.exit_state);
  }
  TaskTable table;
  table.Take(records);
  std::printf("{\"leaders\":[");
  const char* comma = "";
  for (const TaskRecord* leader : table.leaders()) {
    const TaskRecord* living = table.LowestLiving(leader->pid);
    std::printf("%s[%d,%zu,%d,%u]", comma, leader->pid, table.ThreadsOf(leader->pid).size(),
                living == nullptr ? 0 : living->pid, leader->exit_state);
    comma = ",";
  }
  std::printf("],\"headless\":[");
  comma = "";
  for (const std::int32_t pid : table.headless()) {
    std::printf("%s%d", comma, pid);
    comma = ",";
  }
  std::printf("]}\n");
}

void Mounts(std::istream& words) {
  std::string hex;
  words >> hex;
  // Exactly the right size, so that the sanitizer detects a read of one byte too many.
  const std::size_t size = hex.size() / 2;
  const auto text = std::make_unique<char[]>(size);
  for (std::size_t at = 0; at < size; ++at)
    text[at] = static_cast<char>(std::stoi(hex.substr(2 * at, 2), nullptr, 16));
  std::printf("[");
  const char* comma = "";
  for (const std::string& point : CgroupMounts({text.get(), size})) {
    std::printf("%s\"", comma);
    for (const char byte : point) std::printf("%02x", static_cast<unsigned char>(byte));
    std::printf("\"");
    comma = ",";
  }
  std::printf("]\n");
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string what;
    words >> what;
    if (what == "resolve") Resolve(words);
    if (what == "assemble") Assemble(words);
    if (what == "state") State(words);
    if (what == "table") Table(words);
    if (what == "mounts") Mounts(words);
  }
}
