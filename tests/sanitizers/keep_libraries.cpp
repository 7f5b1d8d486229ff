// For test programs under AddressSanitizer: libraries stay loaded. Drivers and Vulkan layers are unloaded again while a
// device is opened, and what only their globals pointed to would count as leaked, without a module in its stack that a
// suppression could name.
#include <dlfcn.h>

extern "C" [[gnu::visibility("default")]] int dlclose(void*) noexcept { return 0; }
