# Two uses. Included by the project: detent_embed(TARGET FILE NAME) makes the bytes of FILE an array NAME of the program, and
# NAME_size their number. Run with -P while building: writes the file IN as such an array into OUT.

if(CMAKE_SCRIPT_MODE_FILE)
  file(READ "${IN}" bytes HEX)
  string(LENGTH "${bytes}" length)
  math(EXPR size "${length} / 2")
  string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}") # 16 a line
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  file(WRITE "${OUT}"
    "#include \"${NAME}.h\"\n\nconst unsigned char ${NAME}[] = {\n${bytes}};\nconst size_t ${NAME}_size = ${size};\n")
  return()
endif()

function(detent_embed target file name)
  set(source "${PROJECT_BINARY_DIR}/${name}.c")
  add_custom_command(
    OUTPUT "${source}"
    COMMAND "${CMAKE_COMMAND}" "-DIN=${file}" "-DOUT=${source}" "-DNAME=${name}"
      -P "${PROJECT_SOURCE_DIR}/cmake/Embed.cmake"
    DEPENDS "${file}" "${PROJECT_SOURCE_DIR}/cmake/Embed.cmake"
    COMMENT "Embedding ${name}"
    VERBATIM)
  target_sources(${target} PRIVATE "${source}")
endfunction()
