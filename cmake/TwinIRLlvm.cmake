# SPDX-License-Identifier: MIT
# Finds every LLVM from 19 to 24 on this machine and builds one plugin per LLVM from one source.
#
# Sets TWINIR_LLVM_MAJORS, for example "19;22", and for each major M
#   TWINIR_LLVM_M_VERSION, TWINIR_LLVM_M_INCLUDE, TWINIR_LLVM_M_LIBRARY, TWINIR_LLVM_M_LLD (empty: no lld).
# find_package(LLVM) can serve one version per project only; llvm-config serves any number.
# TWINIR_LLVM_CONFIG_<M> (cache) names the llvm-config of a version that is not in the usual places.

set(TWINIR_LLVM_MAJORS "")
foreach(major RANGE 19 24)
  find_program(TWINIR_LLVM_CONFIG_${major} NAMES llvm-config-${major}
               PATHS /usr/lib/llvm-${major}/bin DOC "llvm-config of LLVM ${major}")
  if(NOT TWINIR_LLVM_CONFIG_${major})
    continue()
  endif()
  set(config ${TWINIR_LLVM_CONFIG_${major}})
  execute_process(COMMAND ${config} --version OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE
                  COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${config} --includedir OUTPUT_VARIABLE include OUTPUT_STRIP_TRAILING_WHITESPACE)
  execute_process(COMMAND ${config} --libdir OUTPUT_VARIABLE libdir OUTPUT_STRIP_TRAILING_WHITESPACE)
  find_library(TWINIR_LLVM_${major}_LIBRARY NAMES LLVM-${major} LLVM PATHS ${libdir} NO_DEFAULT_PATH)
  if(NOT TWINIR_LLVM_${major}_LIBRARY OR NOT EXISTS ${include}/llvm/IR/IRBuilder.h)
    message(STATUS "LLVM ${version}: headers or libLLVM missing, left out (install llvm-${major}-dev)")
    continue()
  endif()
  set(TWINIR_LLVM_${major}_VERSION ${version})
  set(TWINIR_LLVM_${major}_INCLUDE ${include})
  set(TWINIR_LLVM_${major}_LLD "")
  if(EXISTS ${libdir}/liblldELF.a AND EXISTS ${include}/lld/Common/Driver.h)
    set(TWINIR_LLVM_${major}_LLD ${libdir}/liblldELF.a ${libdir}/liblldCommon.a)
  endif()
  list(APPEND TWINIR_LLVM_MAJORS ${major})
  message(STATUS "LLVM ${version}: ${include}")
endforeach()
if(NOT TWINIR_LLVM_MAJORS)
  message(WARNING "No LLVM from 19 to 24 was found: nothing can be emitted from C++ or compiled. "
                  "scripts/setup installs the ones Debian has.")
endif()

# twinir_llvm_plugin(target MAJOR sources...): a module loaded with RTLD_LOCAL; only its C functions are visible.
function(twinir_llvm_plugin target major)
  add_library(${target} MODULE ${ARGN})
  set_target_properties(${target} PROPERTIES
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib/twinir
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON PREFIX "")
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  target_include_directories(${target} SYSTEM PRIVATE ${TWINIR_LLVM_${major}_INCLUDE})
  target_compile_definitions(${target} PRIVATE _GNU_SOURCE __STDC_CONSTANT_MACROS __STDC_FORMAT_MACROS
                             __STDC_LIMIT_MACROS)
  # LLVM is built without RTTI; unique symbols would be shared between two LLVMs in one process.
  target_compile_options(${target} PRIVATE -fno-rtti)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -fno-gnu-unique)
  endif()
  target_link_libraries(${target} PRIVATE ${TWINIR_LLVM_${major}_LIBRARY})
  # Archives that are linked in keep their symbols to themselves; the plugin sees its own first.
  target_link_options(${target} PRIVATE -Wl,--exclude-libs,ALL -Wl,-Bsymbolic)
  twinir_warnings(${target})
  install(TARGETS ${target} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/twinir)
endfunction()
