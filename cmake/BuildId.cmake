# Two uses. Included by the project: generates build_id.c, which tells builds apart, and adds it to detent_objects.
# Run with -P while building: hashes the files listed in LIST, and LIST itself, into OUTPUT.
# A state that was saved by one build means nothing to another one, whatever their version says.

if(CMAKE_SCRIPT_MODE_FILE)
  file(STRINGS "${LIST}" lines)
  set(all "")
  foreach(line IN LISTS lines)
    if(EXISTS "${line}" AND NOT IS_DIRECTORY "${line}")
      file(SHA256 "${line}" hash)
      string(APPEND all "${hash}\n")
    else()
      string(APPEND all "${line}\n") # compiler and flags
    endif()
  endforeach()
  string(SHA256 hash "${all}")
  string(SUBSTRING "${hash}" 0 16 hash)
  file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT
    "#include \"api/build_id.h\"\n\nconst uint64_t dt_build_id = UINT64_C(0x${hash});\n" @ONLY)
  return()
endif()

file(GLOB build_id_headers CONFIGURE_DEPENDS
  "${PROJECT_SOURCE_DIR}/src/*/*.h" "${PROJECT_SOURCE_DIR}/include/detent/*.h")
set(build_id_list "${PROJECT_BINARY_DIR}/build_id.txt")
set(build_id_source "${PROJECT_BINARY_DIR}/build_id.c")
string(TOUPPER "${CMAKE_BUILD_TYPE}" build_id_type)
set(build_id_lines ${detent_sources} ${build_id_headers}
  "${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION} ${CMAKE_SYSTEM_PROCESSOR}"
  "${CMAKE_BUILD_TYPE} ${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${build_id_type}} ${DETENT_SANITIZE}")
list(JOIN build_id_lines "\n" build_id_text)
file(CONFIGURE OUTPUT "${build_id_list}" CONTENT "${build_id_text}\n" @ONLY)
add_custom_command(
  OUTPUT "${build_id_source}"
  COMMAND "${CMAKE_COMMAND}" "-DLIST=${build_id_list}" "-DOUTPUT=${build_id_source}"
    -P "${PROJECT_SOURCE_DIR}/cmake/BuildId.cmake"
  DEPENDS ${detent_sources} ${build_id_headers} "${build_id_list}"
    "${PROJECT_SOURCE_DIR}/cmake/BuildId.cmake"
  COMMENT "Hashing the sources for build_id.c"
  VERBATIM)
target_sources(detent_objects PRIVATE "${build_id_source}")
