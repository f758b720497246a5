# Shared by the scripts of this folder; sourced, not run.

# The folder of the checkout.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf '\n== %s\n' "$*" >&2; }

# Runs a command as root: directly, or with sudo.
as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

# Installs missing Debian packages.
need_packages() {
  local missing=()
  local package
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  say "Installing ${missing[*]}"
  as_root apt-get update -qq >&2
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# The C++ compiler for sketches; on x86-64 with 32-bit programs, which have the data model of the chip.
compiler_packages=(g++)
[ "$(uname -m)" != x86_64 ] || compiler_packages+=(g++-multilib)

# Dependencies of building and running espbench: a C++ compiler for the sketches, zlib for compressed flashing, libusb for
# USB ports.
need_build() {
  need_packages "${compiler_packages[@]}" pkg-config zlib1g-dev libusb-1.0-0-dev
  command -v swift >/dev/null || {
    echo "swift is not in PATH: install Swift 6.3 from https://www.swift.org/install/linux/" >&2
    exit 1
  }
}

# The project's Python environment with the programs that the tests compare with, and toolchains of ESP-like chips.
need_peers() {
  need_packages python3-venv tshark bluez umockdev socat ser2net gcc-xtensa-lx106 gcc-riscv64-unknown-elf qemu-user gdb-multiarch dbus-daemon libglib2.0-bin systemd chromium sigrok-cli
  local wanted="$root/Tests/peers.txt"
  if ! cmp -s "$wanted" "$root/.venv/peers.txt"; then
    say "Installing the peers of Tests/peers.txt into .venv"
    rm -rf "$root/.venv"
    python3 -m venv "$root/.venv"
    "$root/.venv/bin/pip" install -q --disable-pip-version-check -r "$wanted"
    cp "$wanted" "$root/.venv/peers.txt"
  fi
}
