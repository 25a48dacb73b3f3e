# Every tests/fuzz/*.c holds one LLVMFuzzerTestOneInput and becomes one program of the same name.

file(GLOB fuzz_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/fuzz/*.c")
foreach(source IN LISTS fuzz_sources)
  get_filename_component(name "${source}" NAME_WE)
  add_executable(${name} "${source}" "${PROJECT_SOURCE_DIR}/tests/support_written.c")
  target_include_directories(${name} PRIVATE
    "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/tests")
  target_link_libraries(${name} PRIVATE detent_static detent_compiler)
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
endforeach()
