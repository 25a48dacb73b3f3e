# Finds libyaml, the YAML 1.1 reader.
# Defines the target LibYAML::LibYAML and the variable LibYAML_FOUND.

find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(PC_LibYAML QUIET yaml-0.1)
endif()

find_path(LibYAML_INCLUDE_DIR NAMES yaml.h HINTS ${PC_LibYAML_INCLUDE_DIRS})
find_library(LibYAML_LIBRARY NAMES yaml HINTS ${PC_LibYAML_LIBRARY_DIRS})
mark_as_advanced(LibYAML_INCLUDE_DIR LibYAML_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibYAML
  REQUIRED_VARS LibYAML_LIBRARY LibYAML_INCLUDE_DIR
  VERSION_VAR PC_LibYAML_VERSION)

if(LibYAML_FOUND AND NOT TARGET LibYAML::LibYAML)
  add_library(LibYAML::LibYAML UNKNOWN IMPORTED)
  set_target_properties(LibYAML::LibYAML PROPERTIES
    IMPORTED_LOCATION "${LibYAML_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${LibYAML_INCLUDE_DIR}")
endif()
