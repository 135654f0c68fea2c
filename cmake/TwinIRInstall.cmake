# SPDX-License-Identifier: MIT
# The package that find_package(TwinIR) finds; it may be moved.
include(CMakePackageConfigHelpers)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/TwinIR)
foreach(library dsl instances emit host_executor)
  set_target_properties(twinir_${library} PROPERTIES EXPORT_NAME ${library})
  target_include_directories(twinir_${library} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/twinir>)
  install(TARGETS twinir_${library} EXPORT TwinIRTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  add_library(TwinIR::${library} ALIAS twinir_${library})
endforeach()
install(EXPORT TwinIRTargets NAMESPACE TwinIR:: DESTINATION ${package})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/TwinIRConfig.cmake.in ${PROJECT_BINARY_DIR}/TwinIRConfig.cmake
                              INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/TwinIRConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/TwinIRConfig.cmake ${PROJECT_BINARY_DIR}/TwinIRConfigVersion.cmake DESTINATION ${package})
foreach(room dsl instances emit runtime)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${room}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/twinir/${room}
          FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h" PATTERN "*.def" PATTERN "python" EXCLUDE PATTERN "flavors" EXCLUDE)
endforeach()
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
