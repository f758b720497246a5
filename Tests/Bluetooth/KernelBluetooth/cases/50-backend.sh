# The conformance of the backend BlueZCentral, and what happens when the stack under it goes.
served conformance @ConformanceProgram serve

backend_up() { adapter_up "$(served_port conformance h4)"; }

# backend_cases [-]TEXT: runs those cases; nothing is left behind.
backend_cases() {
  timeout 300 "$BUILD/ConformanceProgram" "bluez:$adapter" "$1" >"$RESULTS/conformance" 2>&1
  local status=$?
  cat "$RESULTS/conformance"
  backend_is_clean || status=1
  grep -E "^(FAILED|error)" "$RESULTS/conformance"
  return "$status"
}
backend_is_clean() {
  local left
  left=$(bluetoothctl --timeout 2 devices Paired 2>&1 | grep "^Device"; bluetoothctl --timeout 2 devices Connected 2>&1 | grep "^Device")
  [ -z "$left" ] || { echo "left behind: $left"; return 1; }
}

backend_conformance() {
  backend_up || return 1
  # Most of the time goes into waiting for connection events, and BlueZ takes 2 s for each disconnection.
  echo 6 >"/sys/kernel/debug/bluetooth/$adapter/conn_min_interval"
  echo 6 >"/sys/kernel/debug/bluetooth/$adapter/conn_max_interval"
  backend_cases "${CONFORMANCE_CASES:-}"
  local status=$?
  adapter_down || status=1
  return "$status"
}
check "BlueZCentral behaves as every central backend does" backend_conformance

# backend_hold: ConformanceProgram reads through a connection; its output is in $RESULTS/hold.
backend_hold() {
  timeout 120 "$BUILD/ConformanceProgram" hold "bluez:$adapter" >"$RESULTS/hold" 2>&1 &
  holding=$!
  wait_for_text "^connected" "$RESULTS/hold"
}
# Meanwhile bluetoothd itself may answer a read that it cannot send with 0E, unlikely error.
backend_held() {
  wait "$holding"
  cat "$RESULTS/hold"
  grep -qE "$1" "$RESULTS/hold" && grep -q "^disconnected" "$RESULTS/hold" && grep -qE "$2" "$RESULTS/hold"
}

backend_killed() {
  backend_up && backend_hold || return 1
  bluetoothd_stop KILL
  backend_held "^failed: unavailable: .*bluetoothd has ended" "^then: unavailable: .*bluetoothd has ended"
  local status=$?
  "$BUILD/ConformanceProgram" power "bluez:$adapter" >"$RESULTS/power"
  cat "$RESULTS/power"
  grep -q "error: unavailable: power on: bluetoothd is not running" "$RESULTS/power" || status=1
  bluetoothd_start || status=1
  wait_until is_powered "$adapter"
  timeout 60 "$BUILD/ConformanceProgram" power "bluez:$adapter" || status=1
  adapter_down || status=1
  return "$status"
}
check "BlueZCentral: bluetoothd killed in the middle of reads is an error, and so is its absence" backend_killed

backend_unplugged() {
  backend_up && backend_hold || return 1
  adapter_down || return 1
  backend_held "^failed: (disconnected|unavailable|attError\\(14\\))" \
    "^then: unavailable: .*the adapter $adapter was (removed|powered off or unplugged)"
  local status=$?
  timeout 20 "$BUILD/ConformanceProgram" power "bluez:$adapter" >"$RESULTS/power"
  cat "$RESULTS/power"
  grep -q "error: unavailable: power on: expected the adapter $adapter, bluetoothd has" "$RESULTS/power" || status=1
  return "$status"
}
check "BlueZCentral: an adapter that is unplugged in the middle of reads is an error" backend_unplugged

backend_power() {
  backend_up || return 1
  local status=0
  bluetoothctl --timeout 3 power off >/dev/null 2>&1
  timeout 30 "$BUILD/ConformanceProgram" power "bluez:$adapter" >"$RESULTS/power" || status=1
  cat "$RESULTS/power"
  if is_powered "$adapter"; then echo "the adapter is still powered on"; status=1; fi
  grep -q "^powered on, with .*disconnectReason" "$RESULTS/power" || status=1
  bluetoothctl --timeout 3 power on >/dev/null 2>&1
  wait_until is_powered "$adapter" || status=1
  # The kernel tells the reasons of disconnections to those with CAP_NET_ADMIN only.
  timeout 30 setpriv --reuid=nobody --clear-groups "$BUILD/ConformanceProgram" power "bluez:$adapter" >"$RESULTS/nobody"
  cat "$RESULTS/nobody"
  grep -q "^powered on, with" "$RESULTS/nobody" && ! grep -q disconnectReason "$RESULTS/nobody" || status=1
  backend_hold || status=1
  bluetoothctl --timeout 3 power off >/dev/null 2>&1
  backend_held "^failed: (disconnected|unavailable|attError\\(14\\))" "^then: unavailable: .*$adapter was powered off" || status=1
  adapter_down || status=1
  return "$status"
}
check "BlueZCentral powers an adapter on and off again, and reports when others do so" backend_power

backend_refused() {
  backend_up || return 1
  local status=0
  # Debian's policy lets everybody use bluetoothd.
  bus_policy '<policy user="nobody"><deny send_destination="org.bluez"/></policy>'
  timeout 60 setpriv --reuid=nobody --clear-groups "$BUILD/ConformanceProgram" power "bluez:$adapter" >"$RESULTS/nobody"
  cat "$RESULTS/nobody"
  grep -q "error: unavailable: .*org.freedesktop.DBus.Error.AccessDenied" "$RESULTS/nobody" || status=1
  bus_policy ""
  local switch
  for switch in /sys/class/rfkill/*; do
    [ "$(cat "$switch/name")" != "$adapter" ] || echo 1 >"$switch/soft"
  done
  wait_until is_off
  timeout 60 "$BUILD/ConformanceProgram" power "bluez:$adapter" >"$RESULTS/blocked"
  cat "$RESULTS/blocked"
  grep -q "error: unavailable: power on: the adapter $adapter is blocked by rfkill" "$RESULTS/blocked" || status=1
  for switch in /sys/class/rfkill/*; do
    [ "$(cat "$switch/name")" != "$adapter" ] || echo 0 >"$switch/soft"
  done
  adapter_down || status=1
  return "$status"
}
check "BlueZCentral: no permission on the bus, and an adapter blocked by rfkill, are errors" backend_refused
