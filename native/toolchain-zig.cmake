# Compiles for another CPU or C library with the clang of Zig, which comes with the headers and libraries of each. For packaging/compile.ts:
# DESK_ZIG is the program, DESK_ZIG_TARGET its target, e.g. aarch64-linux-gnu.2.28. Variables of the environment, because cmake reads this
# file again in each of its checks.
set(CMAKE_SYSTEM_NAME Linux)
string(REGEX MATCH "^[^-]+" CMAKE_SYSTEM_PROCESSOR "$ENV{DESK_ZIG_TARGET}")
set(CMAKE_CXX_COMPILER "$ENV{DESK_ZIG}" c++ -target "$ENV{DESK_ZIG_TARGET}")
