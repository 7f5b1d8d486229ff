// Tickets are numbers that are given once, so that no late callback finds the news of another device.
#include "src/webgpu/device_news.hpp"

#include <cstdint>
#include <map>

namespace millrace::webgpu {
namespace {

struct Tickets {
  std::mutex mutex;
  std::uintptr_t last = 0;
  std::map<void*, std::weak_ptr<DeviceNews>> news;
};

// Never destroyed: callbacks may come from a provider's threads while the process ends.
Tickets& tickets() {
  static auto& all = *new Tickets;
  return all;
}

}  // namespace

DeviceNews::~DeviceNews() {
  const std::lock_guard lock(tickets().mutex);
  tickets().news.erase(ticket);
}

std::shared_ptr<DeviceNews> create_device_news() {
  auto news = std::make_shared<DeviceNews>();
  const std::lock_guard lock(tickets().mutex);
  news->ticket = reinterpret_cast<void*>(++tickets().last);  // NOLINT(performance-no-int-to-ptr): never followed
  tickets().news[news->ticket] = news;
  return news;
}

std::shared_ptr<DeviceNews> find_device_news(void* ticket) {
  std::shared_ptr<DeviceNews> found;
  const std::lock_guard lock(tickets().mutex);
  if (const auto entry = tickets().news.find(ticket); entry != tickets().news.end()) found = entry->second.lock();
  return found;
}

}  // namespace millrace::webgpu
