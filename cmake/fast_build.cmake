# Makes building again cheap where the machine has what it takes: ccache as compiler launcher, mold as linker. Only for
# our own checkout; a project that includes us chooses for itself.
find_program(MILLRACE_CCACHE ccache)
if(MILLRACE_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${MILLRACE_CCACHE}")
endif()

find_program(MILLRACE_MOLD mold)
if(MILLRACE_MOLD AND NOT CMAKE_EXE_LINKER_FLAGS MATCHES "-fuse-ld=")
  add_link_options(-fuse-ld=mold)
endif()
