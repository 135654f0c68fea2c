# SPDX-License-Identifier: MIT
# The Python package from the tree TWINIR_PREBUILT: installs what is built there. For another Python than that tree's
# it compiles the extension again, against the tree's archives.
if(NOT EXISTS ${TWINIR_PREBUILT}/cmake_install.cmake OR NOT EXISTS ${TWINIR_PREBUILT}/bin/twinir)
  message(FATAL_ERROR "TWINIR_PREBUILT=${TWINIR_PREBUILT}: no tree that was built (scripts/build)")
endif()
set(component_install "execute_process(COMMAND \"${CMAKE_COMMAND}\" --install \"${TWINIR_PREBUILT}\" --prefix \"\${CMAKE_INSTALL_PREFIX}\"
                       --component python COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)")
install(CODE "${component_install}" COMPONENT python)

find_package(Python 3.10 REQUIRED COMPONENTS Interpreter Development.Module)
if(EXISTS ${TWINIR_PREBUILT}/python/twinir/_core.${Python_SOABI}.so)
  string(REPLACE "component python" "component python_core" component_install "${component_install}")
  install(CODE "${component_install}" COMPONENT python_core)
  add_custom_target(twinir_core)
  return()
endif()

find_package(nlohmann_json 3.11 REQUIRED)
find_package(fmt 9 REQUIRED)
find_package(simdjson 3 REQUIRED)
find_package(OpenSSL 3 REQUIRED COMPONENTS Crypto)
find_package(Threads REQUIRED)
file(GLOB archives ${TWINIR_PREBUILT}/lib/libtwinir_*.a)
add_library(twinir_parity INTERFACE)
add_library(twinir_runtime INTERFACE)
target_include_directories(twinir_parity INTERFACE ${PROJECT_SOURCE_DIR})
target_link_libraries(twinir_parity INTERFACE -Wl,--start-group ${archives} -Wl,--end-group nlohmann_json::nlohmann_json fmt::fmt
                      simdjson::simdjson OpenSSL::Crypto Threads::Threads ${CMAKE_DL_LIBS})
add_subdirectory(python)
