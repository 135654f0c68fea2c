# SPDX-License-Identifier: MIT
# Builds kernel_dump with a second compiler and compares what both print, byte for byte.
if(NOT CXX)
  message("SKIP: no second compiler (clang++-22)")
  return()
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -S ${SOURCE} -B ${BUILD} -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O1
                        -DCMAKE_CXX_COMPILER=${CXX}
                COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${BUILD} --target kernel_dump COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
execute_process(COMMAND ${FIRST} OUTPUT_FILE ${BUILD}/first.json COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${BUILD}/bin/kernel_dump OUTPUT_FILE ${BUILD}/second.json COMMAND_ERROR_IS_FATAL ANY)
file(SHA256 ${BUILD}/first.json first)
file(SHA256 ${BUILD}/second.json second)
file(SIZE ${BUILD}/first.json size)
if(size LESS 100000)
  message(FATAL_ERROR "only ${size} bytes of kernels: nothing was compared")
endif()
if(NOT first STREQUAL second)
  message(FATAL_ERROR "the kernels of the two compilers differ: compare ${BUILD}/first.json and ${BUILD}/second.json")
endif()
message("equal: ${size} bytes, ${first}")
