// One line for each adapter, as its driver describes it.
#include "tools/millrace/devices_command.hpp"

#include <string>

#include <fmt/format.h>

#include <millrace/device.hpp>
#include <millrace/error.hpp>

#include "tools/millrace/text_table.hpp"

namespace millrace::tool {

void devices() {
  const std::vector<AdapterInfo> adapters = Device::list();
  if (adapters.empty()) {
    throw DeviceError(ErrorCode::no_adapter, "",
                      "There is no device: no GPU driver and no software renderer was found. On Debian, the package "
                      "mesa-vulkan-drivers brings both.");
  }
  TextTable table({{"name", Alignment::left},
                   {"api", Alignment::left},
                   {"type", Alignment::left},
                   {"driver", Alignment::left},
                   {"provider", Alignment::left}});
  for (const AdapterInfo& adapter : adapters) {
    table.add({adapter.name, std::string(to_string(adapter.api)), std::string(to_string(adapter.type)), adapter.driver,
               adapter.provider});
  }
  fmt::print("{}", table.text());
}

}  // namespace millrace::tool
