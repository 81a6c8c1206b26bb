// The entry point that libFuzzer calls (https://llvm.org/docs/LibFuzzer.html).
#include "fuzz/support/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  desk::fuzz::FuzzOne({data, size});
  return 0;
}
