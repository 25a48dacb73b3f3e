# SUNDIALS' package file asks for all that any of its parts was built with, OpenMP among it. We use the
# serial vector only; clang without its OpenMP runtime shall not fail for want of it.
if(NOT TARGET OpenMP::OpenMP_C)
  find_package(OpenMP QUIET COMPONENTS C)
  if(NOT TARGET OpenMP::OpenMP_C)
    add_library(OpenMP::OpenMP_C INTERFACE IMPORTED)
  endif()
endif()
