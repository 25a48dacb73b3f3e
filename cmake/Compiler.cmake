# How every target is compiled: an interface target, so that no global variable leaks into a parent
# project.

add_library(detent_compiler INTERFACE)
target_compile_features(detent_compiler INTERFACE c_std_17)
set(CMAKE_C_EXTENSIONS OFF)

# POSIX 2008 beside ISO C17. In the sources it would have to stand before the first include of each
# file.
target_compile_definitions(detent_compiler INTERFACE _POSIX_C_SOURCE=200809L)

target_compile_options(detent_compiler INTERFACE
  -Wall -Wextra -Wconversion -Wvla -Wmissing-prototypes -Wshadow -Wstrict-prototypes
  $<$<BOOL:${DETENT_WERROR}>:-Werror>
  # A fused multiply-add rounds once where the source says twice, and where the compiler fuses
  # depends on the compiler and the optimisation level. An event is a sign change, so such
  # differences can be seen in the results; without contraction gcc and clang, -O0 and -O2, agree.
  # For the same reason there is no -ffast-math, which would also break the tests for NaN and
  # infinity.
  -ffp-contract=off)

# Accepts "address;undefined" and "address,undefined".
string(REPLACE ";" "," detent_sanitizers "${DETENT_SANITIZE}")
if(detent_sanitizers)
  set(detent_sanitizer_flags
    -fsanitize=${detent_sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_compile_options(detent_compiler INTERFACE ${detent_sanitizer_flags} -g)
  target_link_options(detent_compiler INTERFACE ${detent_sanitizer_flags})
endif()

if(DETENT_BUILD_FUZZERS)
  if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "DETENT_BUILD_FUZZERS needs clang: libFuzzer is part of it")
  endif()
  target_compile_options(detent_compiler INTERFACE -fsanitize=fuzzer-no-link -g)
  target_link_options(detent_compiler INTERFACE -fsanitize=fuzzer-no-link)
endif()
