# SPDX-License-Identifier: MIT
# twinir_warnings(target): the warnings every target of this project is built with.
function(twinir_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wconversion -Wshadow -Wnon-virtual-dtor)
  if(TWINIR_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()
