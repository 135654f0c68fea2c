# SPDX-License-Identifier: MIT
# twinir_llvm_plugin(target BUILD sources...): a module loaded with RTLD_LOCAL; only its C functions are visible.
#
# BUILD is one of TWINIR_LLVM_BUILDS (TwinIRLlvm.cmake). A plugin whose LLVM needs another C library than this
# machine's gets a file TARGET.loader beside it: the command that starts programs for it, one argument a line.

function(twinir_llvm_loader target loader)
  set(file ${PROJECT_BINARY_DIR}/lib/twinir/${target}.loader)
  if(loader)
    file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/lib/twinir)
    configure_file(${loader} ${file} COPYONLY)
    install(FILES ${file} DESTINATION ${CMAKE_INSTALL_LIBDIR}/twinir)
  else()
    file(REMOVE ${file})
  endif()
endfunction()

function(twinir_llvm_plugin target build)
  add_library(${target} MODULE ${ARGN})
  set_target_properties(${target} PROPERTIES
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib/twinir
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON PREFIX "")
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  target_include_directories(${target} SYSTEM PRIVATE ${TWINIR_LLVM_${build}_INCLUDE})
  target_compile_definitions(${target} PRIVATE _GNU_SOURCE __STDC_CONSTANT_MACROS __STDC_FORMAT_MACROS
                             __STDC_LIMIT_MACROS)
  # LLVM is built without RTTI; unique symbols would be shared between two LLVMs in one process.
  target_compile_options(${target} PRIVATE -fno-rtti)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -fno-gnu-unique)
  endif()
  target_link_libraries(${target} PRIVATE ${TWINIR_LLVM_${build}_LIBRARY})
  # Archives that are linked in keep their symbols to themselves; the plugin sees its own first.
  target_link_options(${target} PRIVATE -Wl,--exclude-libs,ALL -Wl,-Bsymbolic)
  if(TWINIR_LLVM_${build}_LOADER)
    target_link_options(${target} PRIVATE -Wl,--allow-shlib-undefined) # of the other C library
  endif()
  twinir_llvm_loader(${target} "${TWINIR_LLVM_${build}_LOADER}")
  twinir_warnings(${target})
  install(TARGETS ${target} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/twinir)
endfunction()
