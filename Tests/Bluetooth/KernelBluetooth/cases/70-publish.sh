# Peripherals published through bluetoothd: BlueZPeripheral, used by other hosts on the same air, each on a controller of its
# own.
served publish @ConformanceProgram serve

publish_up() { adapter_up "$(served_port publish h4)"; }

# publish_start: PublishProgram publishes its sensor on the adapter; its output is in $RESULTS/publish.
publish_start() {
  : >"$RESULTS/publish"
  timeout 300 "$BUILD/PublishProgram" publish "bluez:$adapter" >>"$RESULTS/publish" 2>&1 &
  publishing=$!
  wait_for_text "^published" "$RESULTS/publish"
}
# publish_ended STATUS TEXT: it has ended, with this exit code and line.
publish_ended() {
  local status
  wait "$publishing"
  status=$?
  sed "s/^/publish: /" "$RESULTS/publish"
  [ "$status" -eq "$1" ] && grep -qE "$2" "$RESULTS/publish"
}
# publish_advertisements: how many bluetoothd has.
publish_advertisements() {
  dbus-send --system --print-reply --dest=org.bluez "/org/bluez/$adapter" org.freedesktop.DBus.Properties.Get \
    string:org.bluez.LEAdvertisingManager1 string:ActiveInstances | sed -n 's/.*byte //p'
}
publish_is_withdrawn() { [ "$(publish_advertisements)" = 0 ]; }

publish_used() {
  publish_up && publish_start || return 1
  local status=0
  [ "$(publish_advertisements)" = 1 ] || { echo "$(publish_advertisements) advertisements"; status=1; }
  timeout 200 "$BUILD/PublishProgram" use "h4:10.0.2.2:$(served_port publish h4)" "$RESULTS/publish" || status=1
  publish_ended 0 "^closed" && publish_is_withdrawn && backend_is_clean || status=1
  adapter_down || status=1
  return "$status"
}
check "BlueZPeripheral: espbench's own host reads, writes, is notified and pairs; bluetoothd chooses the passkey" publish_used

publish_bumble() {
  publish_up && publish_start || return 1
  local status=0
  timeout 200 "$PWD/.venv/bin/python" Tests/Bluetooth/KernelBluetooth/bumble_central.py \
    "10.0.2.2:$(served_port publish h4)" "$RESULTS/publish" || status=1
  publish_ended 0 "^closed" && publish_is_withdrawn && backend_is_clean || status=1
  adapter_down || status=1
  return "$status"
}
check "BlueZPeripheral: Bumble reads, writes, is notified and pairs" publish_bumble

publish_lost() {
  publish_up && publish_start || return 1
  local status=0
  bluetoothd_stop KILL
  publish_ended 0 "^failed: bluetoothd has ended: org.bluez has left the bus" || status=1
  bluetoothd_start && wait_powered "$adapter" || status=1
  publish_start || status=1
  timeout 30 bluetoothctl power off
  publish_ended 0 "^failed: the adapter $adapter was powered off" || status=1
  # It is switched on again, and off at the end: nothing has changed.
  publish_start && is_powered "$adapter" || status=1
  # The program, and not the timeout that started it.
  kill -KILL "$(pgrep -P "$publishing")"
  wait_until publish_is_withdrawn || { echo "it still advertises"; status=1; }
  timeout 30 bluetoothctl power on
  adapter_down || status=1
  return "$status"
}
check "BlueZPeripheral: the end of bluetoothd, the adapter's power and a killed program are noticed" publish_lost
