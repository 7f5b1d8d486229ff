# What an install holds, by component. Every run path is relative, so that a prefix may be moved.
#
#   library   lib/libmillrace.so, lib/millrace/libwgpu_native.so, include/millrace/, lib/cmake/millrace/,
#             share/millrace/include/webgpu/webgpu.h for users of webgpu_interop.hpp who bring none
#   tool      bin/millrace, and Arrow's libraries in lib/millrace/
#   bench     bin/millrace_bench
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(MILLRACE_CONFIG_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/millrace")
set(MILLRACE_LICENSE_DIR "${CMAKE_INSTALL_DATADIR}/millrace/licenses")
set(MILLRACE_PRIVATE_LIBDIR "${CMAKE_INSTALL_LIBDIR}/millrace")

# millrace_install_program(TARGET COMPONENT)
function(millrace_install_program target component)
  file(RELATIVE_PATH libdir "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_FULL_LIBDIR}")
  set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN/${libdir};$ORIGIN/${libdir}/millrace")
  install(TARGETS ${target} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT ${component})
endfunction()

install(TARGETS millrace millrace_webgpu_header EXPORT millrace_targets
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT library NAMELINK_COMPONENT library)
install(DIRECTORY include/millrace DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT library)
install(FILES "${MILLRACE_WEBGPU_LIBRARY}" DESTINATION "${MILLRACE_PRIVATE_LIBDIR}" COMPONENT library)
install(FILES "${MILLRACE_WEBGPU_INCLUDE_DIR}/webgpu/webgpu.h"
  DESTINATION "${CMAKE_INSTALL_DATADIR}/millrace/include/webgpu" COMPONENT library)
install(FILES LICENSE THIRD_PARTY.md DESTINATION "${CMAKE_INSTALL_DATADIR}/millrace" COMPONENT library)
install(FILES LICENSE THIRD_PARTY.md DESTINATION "${CMAKE_INSTALL_DATADIR}/millrace" COMPONENT tool)

configure_package_config_file(cmake/millrace-config.cmake.in "${CMAKE_CURRENT_BINARY_DIR}/millrace-config.cmake"
  INSTALL_DESTINATION "${MILLRACE_CONFIG_DIR}" NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file("${CMAKE_CURRENT_BINARY_DIR}/millrace-config-version.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/millrace-config.cmake"
  "${CMAKE_CURRENT_BINARY_DIR}/millrace-config-version.cmake"
  DESTINATION "${MILLRACE_CONFIG_DIR}" COMPONENT library)
install(EXPORT millrace_targets FILE millrace-targets.cmake NAMESPACE millrace::
  DESTINATION "${MILLRACE_CONFIG_DIR}" COMPONENT library)
