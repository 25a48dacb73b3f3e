# What the program needs to record runs (`detent run --record`) and to report on them: NetCDF and zlib. The library needs neither.
# DETENT_RECORDING: AUTO takes them where they are, ON insists, OFF does without; then the program says that it cannot.

set(DETENT_RECORDING AUTO CACHE STRING "Recording and reports: AUTO, ON or OFF")
set_property(CACHE DETENT_RECORDING PROPERTY STRINGS AUTO ON OFF)

set(detent_records OFF)
if(DETENT_RECORDING STREQUAL "AUTO")
  find_package(NetCDF QUIET)
  find_package(ZLIB QUIET)
elseif(DETENT_RECORDING)
  find_package(NetCDF REQUIRED)
  find_package(ZLIB REQUIRED)
endif()
if(DETENT_RECORDING AND NetCDF_FOUND AND ZLIB_FOUND)
  set(detent_records ON)
endif()
message(STATUS "Recording of runs (NetCDF, zlib): ${detent_records}")
