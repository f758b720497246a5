# What the cases use: the boards that are served outside, adapters on their controllers, bluetoothd.

# served_port NAME KIND [N]: the TCP port of the N-th (1) address of that kind, h4, rfc2217 or socket, at 10.0.2.2.
served_port() { sed -n "s|^$2://[^:]*:\([0-9]*\) .*|\1|p" "$SERVED/$1" | sed -n "${3:-1}p" | grep .; }

# board_address NAME [N]: the Bluetooth address of the N-th (1) served board.
board_address() { sed -n 's/.* has the Bluetooth address \([0-9A-F:]*\).*/\1/p' "$SERVED/$1.log" | sed -n "${2:-1}p" | grep .; }

# press NAME KEYS: types keys of serve, as p for the power of a board.
press() { printf %s "$2" >"/dev/tcp/10.0.2.2/$(cat "$SERVED/$1.keys")"; }

# bluetoothd_start [ARGUMENT…]: starts it, and waits until it is on the bus.
bluetoothd_start() {
  /usr/libexec/bluetooth/bluetoothd -n "$@" >>"$RESULTS/bluetoothd.log" 2>&1 &
  bluetoothd=$!
  wait_until bluetoothd_is_there
}
bluetoothd_is_there() {
  dbus-send --system --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.NameHasOwner string:org.bluez |
    grep -q "boolean true"
}
# bluetoothd_stop [SIGNAL]
bluetoothd_stop() {
  kill "-${1:-TERM}" "$bluetoothd"
  wait "$bluetoothd" 2>/dev/null
  return 0
}

# bus_policy RULES: more rules of the system bus, in XML; "": none.
bus_policy() {
  echo "<busconfig>$1</busconfig>" >/etc/dbus-1/system.d/espbench-test.conf
  dbus-send --system --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.ReloadConfig >/dev/null
}

# is_powered ADAPTER: whether bluetoothd says that it is.
is_powered() {
  dbus-send --system --print-reply --dest=org.bluez "/org/bluez/$1" org.freedesktop.DBus.Properties.Get \
    string:org.bluez.Adapter1 string:Powered | grep -q "boolean true"
}
is_off() { ! is_powered "$adapter"; }
# wait_powered ADAPTER: the kernel waits 2 s for a controller's first answer, which may be too short on a busy machine;
# the adapter is then off until someone switches it on.
wait_powered() {
  wait_until is_powered "$1" && return
  timeout 30 bluetoothctl power on
  wait_until is_powered "$1"
}
is_gone() { [ ! -e "/sys/class/bluetooth/$1" ]; }

# adapter_up PORT: attaches a controller of an H4 port outside; sets adapter (hci0) and bridge (a process) when it is
# powered. adapter_down [BRIDGE]: detaches it, or the one of another bridge.
adapter_up() { bridge_up espbench_bridge "$1"; }
# uart_up PORT: the same through socat and btattach.
uart_up() { bridge_up uart_bridge "$1"; }

bridge_up() {
  local known=" $(ls /sys/class/bluetooth | tr '\n' ' ') "
  "$@"
  wait_until adapter_is_new "$known" || { cat "$RESULTS/bridge.log"; return 1; }
  wait_powered "$adapter" || { cat "$RESULTS/bridge.log"; dmesg | tail -n 5; return 1; }
}
# Connections are there as hci0:1.
adapter_is_new() {
  local name
  for name in $(ls /sys/class/bluetooth | grep -v :); do
    case $1 in *" $name "*) ;; *) adapter=$name; return 0 ;; esac
  done
  return 1
}
adapter_down() {
  kill "${1:-$bridge}" && wait "${1:-$bridge}" 2>/dev/null
  [ -n "${1:-}" ] || wait_until is_gone "$adapter"
}

espbench_bridge() {
  "$ESPBENCH" attach "h4:10.0.2.2:$1" >"$RESULTS/bridge.log" 2>&1 &
  bridge=$!
}
# A pseudo-terminal that socat connects to the port, and btattach, of BlueZ, on it.
uart_bridge() {
  local link="/run/bt$1"
  {
    attached=
    socat "PTY,link=$link,raw,echo=0" "TCP:10.0.2.2:$1,nodelay" &
    relay=$!
    trap 'kill $relay $attached 2>/dev/null; wait; exit' TERM
    wait_for "$link"
    btattach -B "$link" -P h4 &
    attached=$!
    wait
  } >"$RESULTS/bridge.log" 2>&1 &
  bridge=$!
}

# scan_twice COMMAND…: a command that scans for seconds, once more if it fails. Linux before 6.10 drops an advertisement
# that arrives when it has just begun to scan (its commit 2e2515c1ba38), and the controller reports each peer once per scan.
scan_twice() { "$@" || "$@"; }
