# SPDX-License-Identifier: MIT
# twinir_warnings(target): the warnings every target of this project is built with.
function(twinir_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wconversion -Wshadow -Wnon-virtual-dtor)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # False alarms in std::string (GCC bugs 105329, 105651).
    target_compile_options(${target} PRIVATE -Wno-restrict -Wno-stringop-overflow)
  endif()
  if(TWINIR_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()

# twinir_cold(target): what runs once in a process is compiled at -O1; its headers, not its work, are what it costs.
function(twinir_cold target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()
