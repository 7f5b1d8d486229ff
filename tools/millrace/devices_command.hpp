// `millrace devices`: what a formula could run on.
#pragma once

namespace millrace::tool {

// Prints the adapters, best first, one a line. DeviceError `no_provider`; `no_adapter` where there is none.
void devices();

}  // namespace millrace::tool
