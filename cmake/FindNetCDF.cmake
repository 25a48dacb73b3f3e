# Finds the C library of NetCDF, with its format 4 (HDF5).
# Defines the target NetCDF::NetCDF and the variable NetCDF_FOUND.

find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(PC_NetCDF QUIET netcdf)
endif()

find_path(NetCDF_INCLUDE_DIR NAMES netcdf.h HINTS ${PC_NetCDF_INCLUDE_DIRS})
find_library(NetCDF_LIBRARY NAMES netcdf HINTS ${PC_NetCDF_LIBRARY_DIRS})
mark_as_advanced(NetCDF_INCLUDE_DIR NetCDF_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(NetCDF
  REQUIRED_VARS NetCDF_LIBRARY NetCDF_INCLUDE_DIR
  VERSION_VAR PC_NetCDF_VERSION)

if(NetCDF_FOUND AND NOT TARGET NetCDF::NetCDF)
  add_library(NetCDF::NetCDF UNKNOWN IMPORTED)
  set_target_properties(NetCDF::NetCDF PROPERTIES
    IMPORTED_LOCATION "${NetCDF_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${NetCDF_INCLUDE_DIR}")
endif()
