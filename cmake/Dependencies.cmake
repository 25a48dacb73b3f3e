# What the library links with, collected in detent_dependencies. detentConfig.cmake finds the same
# packages for a client that links the static library.

# We use SUNDIALS' serial vector only, but the package of a distribution asks for what the whole of
# SUNDIALS was built with. OpenMP is not found for clang without its runtime; a stand-in keeps that
# from mattering.
if(NOT TARGET OpenMP::OpenMP_C)
  find_package(OpenMP QUIET COMPONENTS C)
  if(NOT TARGET OpenMP::OpenMP_C)
    add_library(OpenMP::OpenMP_C INTERFACE IMPORTED)
  endif()
endif()

find_package(SUNDIALS 6.4 REQUIRED COMPONENTS ida nvecserial)
find_package(LAPACK REQUIRED)
find_package(LibYAML REQUIRED)
find_package(UDUNITS2 REQUIRED)
find_package(Threads REQUIRED)

set(detent_dependencies
  SUNDIALS::ida
  SUNDIALS::nvecserial
  $<TARGET_NAME_IF_EXISTS:SUNDIALS::core> # 7.x: what all its libraries share
  LAPACK::LAPACK
  LibYAML::LibYAML
  UDUNITS2::UDUNITS2
  Threads::Threads
  m)
