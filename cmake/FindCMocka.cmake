# Finds cmocka, the unit test framework.
# Defines the target CMocka::CMocka and the variable CMocka_FOUND.

find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(PC_CMocka QUIET cmocka)
endif()

find_path(CMocka_INCLUDE_DIR NAMES cmocka.h HINTS ${PC_CMocka_INCLUDE_DIRS})
find_library(CMocka_LIBRARY NAMES cmocka HINTS ${PC_CMocka_LIBRARY_DIRS})
mark_as_advanced(CMocka_INCLUDE_DIR CMocka_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(CMocka
  REQUIRED_VARS CMocka_LIBRARY CMocka_INCLUDE_DIR
  VERSION_VAR PC_CMocka_VERSION)

if(CMocka_FOUND AND NOT TARGET CMocka::CMocka)
  add_library(CMocka::CMocka UNKNOWN IMPORTED)
  set_target_properties(CMocka::CMocka PROPERTIES
    IMPORTED_LOCATION "${CMocka_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${CMocka_INCLUDE_DIR}")
endif()
