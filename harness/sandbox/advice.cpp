// SPDX-License-Identifier: Apache-2.0
#include "assay/sandbox/advice.h"

#include <fmt/format.h>
#include <linux/landlock.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

namespace assay::sandbox {
namespace {

std::string setting(const char* name) {
  std::string path = fmt::format("/proc/sys/{}", name), value;
  for (char& c : path)
    if (c == '.') c = '/';
  std::getline(std::ifstream(path), value);
  return value;
}

std::string namespaces_advice() {
  if (setting("kernel.apparmor_restrict_unprivileged_userns") == "1")
    return "AppArmor restricts user namespaces. do: sysctl -w kernel.apparmor_restrict_unprivileged_userns=0, or run as root";
  if (setting("kernel.unprivileged_userns_clone") == "0") return "do: sysctl -w kernel.unprivileged_userns_clone=1, or run as root";
  if (setting("user.max_user_namespaces") == "0") return "do: sysctl -w user.max_user_namespaces=15000";
  if (std::filesystem::exists("/.dockerenv") || std::filesystem::exists("/run/.containerenv"))
    return "this container forbids them. do: docker run --security-opt seccomp=unconfined --security-opt apparmor=unconfined "
           "--security-opt systempaths=unconfined ...";
  return "the kernel refuses them here (a chroot, or a container's filter)";
}

std::string landlock_advice() {
  if (syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION) >= 0) return "the kernel has it; see above";
  if (errno == EOPNOTSUPP) return "the kernel has it switched off. do: add landlock to the boot parameter lsm=";
  return fmt::format("the kernel lacks it ({}). do: use Linux 5.13 or newer with CONFIG_SECURITY_LANDLOCK", std::strerror(errno));
}

}  // namespace

std::vector<std::string> advice(const OfferedLayers& offer) {
  std::vector<std::string> lines;
  if (!offer.layers.namespaces) lines.push_back("namespaces: " + namespaces_advice());
  if (!offer.layers.landlock) lines.push_back("landlock: " + landlock_advice());
  if (!offer.layers.filter)
    lines.push_back("seccomp: no filter holds by itself here. do: use a kernel with CONFIG_SECCOMP_FILTER, in a container that allows it");
  return lines;
}

}  // namespace assay::sandbox
