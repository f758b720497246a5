# The conformance of the backend BlueZCentral, and what happens when the stack under it goes.
served conformance @ConformanceProgram serve

backend_up() { adapter_up "$(served_port conformance h4)"; }

backend_conformance() {
  backend_up || return 1
  timeout 300 "$BUILD/ConformanceProgram" "bluez:$adapter" >"$RESULTS/conformance" 2>&1
  local status=$?
  cat "$RESULTS/conformance"
  # Nothing is left behind.
  backend_is_clean || status=1
  adapter_down || status=1
  grep -E "^(FAILED|error)" "$RESULTS/conformance"
  return "$status"
}
backend_is_clean() {
  local left
  left=$(bluetoothctl --timeout 2 devices Paired 2>&1 | grep "^Device"; bluetoothctl --timeout 2 devices Connected 2>&1 | grep "^Device")
  [ -z "$left" ] || { echo "left behind: $left"; return 1; }
}
check "BlueZCentral behaves as every central backend does" backend_conformance

# backend_hold: ConformanceProgram reads through a connection; its output is in $RESULTS/hold.
backend_hold() {
  timeout 120 "$BUILD/ConformanceProgram" hold "bluez:$adapter" >"$RESULTS/hold" 2>&1 &
  holding=$!
  wait_for_text "^connected" "$RESULTS/hold"
}
backend_held() {
  wait "$holding"
  cat "$RESULTS/hold"
  grep -q "$1" "$RESULTS/hold" && grep -q "^disconnected" "$RESULTS/hold"
}

backend_killed() {
  backend_up && backend_hold || return 1
  bluetoothd_stop KILL
  backend_held "failed: unavailable: .*bluetoothd has ended"
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
  backend_held "failed: unavailable: .*the adapter $adapter was removed"
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
  bluetoothctl --timeout 3 power on >/dev/null 2>&1
  wait_until is_powered "$adapter" || status=1
  backend_hold || status=1
  bluetoothctl --timeout 3 power off >/dev/null 2>&1
  backend_held "failed: unavailable: .*the adapter $adapter was powered off" || status=1
  adapter_down || status=1
  return "$status"
}
check "BlueZCentral powers an adapter on and off again, and reports when others do so" backend_power
