# What the library links with, collected in detent_dependencies. detentConfig.cmake.in finds the same
# packages for a client that links the static library.

include(cmake/OpenMPStandIn.cmake)
find_package(SUNDIALS 6.4 REQUIRED COMPONENTS ida arkode nvecserial)
find_package(LAPACK REQUIRED)
find_package(LibYAML REQUIRED)
find_package(EXPAT REQUIRED)
find_package(UDUNITS2 REQUIRED)
find_package(Threads REQUIRED)

set(detent_dependencies
  SUNDIALS::ida
  SUNDIALS::arkode
  SUNDIALS::nvecserial
  $<TARGET_NAME_IF_EXISTS:SUNDIALS::core> # 7.x: what all its libraries share
  LAPACK::LAPACK
  LibYAML::LibYAML
  EXPAT::EXPAT
  UDUNITS2::UDUNITS2
  Threads::Threads
  m)
