// System calls without the C library, whose functions a preloaded library may replace (ld.so(8)).
#pragma once

#include <unistd.h>

namespace desk {

// The kernel's own answer: a value, or an errno, negative (syscall(2), "Architecture calling conventions").
inline long PlainSyscall(long number, long a, long b = 0, long c = 0, long d = 0) {
#if defined(__x86_64__)
  long result = number;
  register long fourth __asm__("r10") = d;
  __asm__ volatile("syscall" : "+a"(result) : "D"(a), "S"(b), "d"(c), "r"(fourth) : "rcx", "r11", "memory");
  return result;
#elif defined(__aarch64__)
  register long code __asm__("x8") = number;
  register long first __asm__("x0") = a;
  register long second __asm__("x1") = b;
  register long third __asm__("x2") = c;
  register long fourth __asm__("x3") = d;
  __asm__ volatile("svc 0" : "+r"(first) : "r"(code), "r"(second), "r"(third), "r"(fourth) : "memory");
  return first;
#else
#error "this architecture has no plain system call here"
#endif
}

}  // namespace desk
