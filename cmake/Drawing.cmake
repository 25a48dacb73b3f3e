# What the program needs to draw PNG (`detent plot`): cairo. SVG needs nothing, and so does the library.
# DETENT_DRAWING: AUTO takes it where it is, ON insists, OFF does without; then the program says that it cannot.

set(DETENT_DRAWING AUTO CACHE STRING "PNG: AUTO, ON or OFF")
set_property(CACHE DETENT_DRAWING PROPERTY STRINGS AUTO ON OFF)

set(detent_draws OFF)
if(DETENT_DRAWING)
  find_package(PkgConfig QUIET)
  if(PkgConfig_FOUND)
    pkg_check_modules(cairo QUIET IMPORTED_TARGET cairo)
  endif()
  if(cairo_FOUND)
    set(detent_draws ON)
  elseif(NOT DETENT_DRAWING STREQUAL "AUTO")
    message(FATAL_ERROR "DETENT_DRAWING is ON, and cairo is not found")
  endif()
endif()
message(STATUS "Drawing of PNG (cairo): ${detent_draws}")
