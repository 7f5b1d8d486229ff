# What the built tool writes about itself, into share/ of the build folder: its manual page and the completions of
# shells, each where an install has it. Left out where what is built does not run on the machine that builds.
if(CMAKE_CROSSCOMPILING)
  return()
endif()

set(share ${PROJECT_BINARY_DIR}/share)
set(described)

# millrace_describe(FILE ARGUMENT...): `millrace ARGUMENT...` prints FILE, which is below share/.
function(millrace_describe file)
  get_filename_component(folder ${file} DIRECTORY)
  add_custom_command(OUTPUT ${share}/${file}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${share}/${folder}
    COMMAND millrace_tool ${ARGN} > ${share}/${file}
    DEPENDS millrace_tool VERBATIM)
  set(described ${described} ${share}/${file} PARENT_SCOPE)
  if(MILLRACE_INSTALL)
    install(FILES ${share}/${file} DESTINATION ${CMAKE_INSTALL_DATADIR}/${folder} COMPONENT tool)
  endif()
endfunction()

millrace_describe(man/man1/millrace.1 manual)
millrace_describe(bash-completion/completions/millrace completion bash)
millrace_describe(zsh/site-functions/_millrace completion zsh)
millrace_describe(fish/vendor_completions.d/millrace.fish completion fish)
add_custom_target(millrace_description ALL DEPENDS ${described})
