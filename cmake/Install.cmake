# cmake --install: program, both libraries, header, CMake package, pkg-config file, manual, completion,
# schema and the example mechanisms.

include(CMakePackageConfigHelpers)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/detent")
set(pkgconfig_dir "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

install(TARGETS detent_static detent_shared EXPORT detentTargets
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
if(TARGET detent)
  install(TARGETS detent RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()
install(FILES ${detent_headers} DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/detent")

# --- CMake package --------------------------------------------------------------------------------
install(EXPORT detentTargets NAMESPACE detent:: DESTINATION "${package_dir}")
configure_package_config_file(cmake/detentConfig.cmake.in detentConfig.cmake
  INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file(detentConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/detentConfig.cmake"
  "${PROJECT_BINARY_DIR}/detentConfigVersion.cmake"
  cmake/OpenMPStandIn.cmake
  cmake/FindLibYAML.cmake
  cmake/FindUDUNITS2.cmake
  DESTINATION "${package_dir}")

# --- pkg-config -----------------------------------------------------------------------------------
# The prefix is found from the place of the file, so that `cmake --install --prefix` is free to move it.
file(RELATIVE_PATH pc_prefix
  "${CMAKE_INSTALL_PREFIX}/${pkgconfig_dir}" "${CMAKE_INSTALL_PREFIX}")
set(pc_private -lsundials_ida -lsundials_arkode -lsundials_nvecserial)
if(TARGET SUNDIALS::core)
  list(APPEND pc_private -lsundials_core)
endif()
list(APPEND pc_private ${LAPACK_LIBRARIES} -lyaml -lexpat -ludunits2 -lpthread -lm)
list(JOIN pc_private " " pc_private)
configure_file(cmake/detent.pc.in detent.pc @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/detent.pc" DESTINATION "${pkgconfig_dir}")

# --- What people read -----------------------------------------------------------------------------
install(FILES docs/detent.1 DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
install(FILES completions/detent.bash
  DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" RENAME detent)
install(FILES schema/detent.schema.json DESTINATION "${CMAKE_INSTALL_DATADIR}/detent" OPTIONAL)
install(DIRECTORY mechanisms DESTINATION "${CMAKE_INSTALL_DATADIR}/detent" OPTIONAL
  FILES_MATCHING PATTERN "*.yaml")
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(FILES src/viewer/NOTICE DESTINATION "${CMAKE_INSTALL_DOCDIR}" RENAME NOTICE.report) # of what the page has in it
