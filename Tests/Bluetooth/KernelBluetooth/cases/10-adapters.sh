# Controllers of a served air as adapters of the kernel, in each way that there is.
served air 64-bit Calculator --h4 0:4.2:02:EC:00:00:01:01 --h4 0:extended
served doomed --h4 0

# adapters_see_board ADDRESS: whether bluetoothd finds the board, by the only adapter.
adapters_see_board() { scan_twice adapters_scan "$1"; }
adapters_scan() {
  timeout 60 bluetoothctl --timeout 6 scan on >"$RESULTS/scan" 2>&1
  cat "$RESULTS/scan"
  grep -q "Device $1 Test Peripheral" "$RESULTS/scan"
}

# adapters_address ADAPTER: its address, as the management socket of the kernel says it.
adapters_address() { script -qc "timeout 30 btmgmt -i $1 info" /dev/null | sed -n 's/.*addr \([0-9A-F:]*\).*/\1/p'; }

adapters_uart() {
  uart_up "$(served_port air h4)" || return 1
  [ "$(adapters_address "$adapter")" = 02:EC:00:00:01:01 ] || { echo "address $(adapters_address "$adapter")"; return 1; }
  adapters_see_board "$(board_address air)" && adapter_down
}
check "a served controller is an adapter through socat and btattach, by which bluetoothd finds Test Peripheral" \
  adapters_uart

adapters_attach() {
  adapter_up "$(served_port air h4 2)" || return 1
  adapters_see_board "$(board_address air)" && adapter_down
}
check "espbench attach makes an adapter of a served extended controller, by which bluetoothd finds Test Peripheral" \
  adapters_attach

# The boards' flash and this user's key are copied: a board in the guest boots what the one outside was flashed with, a
# 64-bit sketch.
adapters_vhci() {
  local running status
  cp -r "$SERVED/air.state" /tmp/air.state
  XDG_STATE_HOME=/tmp/air.state "$ESPBENCH" serve --chip esp32 --flash-file /tmp/air.state/espbench/board.flash \
    --vhci:5.0 --vhci:4.2:02:EC:00:00:01:99 >"$RESULTS/vhci" 2>"$RESULTS/vhci.log" &
  running=$!
  wait_for_text '^hci1 ' "$RESULTS/vhci" || { cat "$RESULTS/vhci.log"; return 1; }
  cat "$RESULTS/vhci"
  wait_powered hci0 && wait_powered hci1 || return 1
  [ "$(adapters_address hci1)" = 02:EC:00:00:01:99 ] || return 1
  adapters_see_board "$(board_address air)" || return 1
  # Ends both adapters, like Ctrl-C.
  kill -INT "$running"
  wait "$running"
  status=$?
  echo "exit code $status"
  [ "$status" -eq 0 ] && is_gone hci0 && is_gone hci1
}
check "espbench serve --vhci attaches two controllers, and takes both away at Ctrl-C" adapters_vhci

adapters_killed() {
  local running
  "$ESPBENCH" serve --vhci >"$RESULTS/vhci" 2>&1 &
  running=$!
  wait_for_text '^hci0 ' "$RESULTS/vhci" && wait_powered hci0 || return 1
  kill -KILL "$running"
  wait "$running"
  wait_until is_gone hci0
}
check "an adapter of espbench serve --vhci disappears with its killed process" adapters_killed

adapters_lost() {
  local status
  timeout 60 "$ESPBENCH" attach "h4:10.0.2.2:$(served_port doomed h4)" >"$RESULTS/attach" 2>&1 &
  wait_for_text '^hci0' "$RESULTS/attach" && wait_powered hci0 || return 1
  press doomed q
  wait "$!"
  status=$?
  cat "$RESULTS/attach"
  echo "exit code $status"
  [ "$status" -eq 9 ] && grep -q '^error: h4:10.0.2.2:.*: the controller is gone: ' "$RESULTS/attach" && is_gone hci0
}
check "espbench attach ends with an error when the served controller is gone" adapters_lost

# adapters_refused TEXT COMMAND…: the command ends with exit code 9, and prints the text.
adapters_refused() {
  local text=$1 status
  shift
  timeout 60 "$@" >"$RESULTS/refused" 2>&1
  status=$?
  cat "$RESULTS/refused"
  [ "$status" -eq 9 ] && grep -q "$text" "$RESULTS/refused" && grep -q '^hint: ' "$RESULTS/refused"
}
adapters_bad() {
  adapters_refused "/dev/vhci: opening it failed: Permission denied" \
    setpriv --reuid=65534 --regid=65534 --clear-groups "$ESPBENCH" serve --vhci || return 1
  rm /dev/vhci
  adapters_refused "got no such file although the kernel has the module" "$ESPBENCH" serve --vhci || return 1
  modprobe -r hci_vhci
  adapters_refused "expected the device of the kernel's module hci_vhci" "$ESPBENCH" serve --vhci || return 1
  modprobe hci_vhci
  wait_for /dev/vhci
}
check "espbench serve --vhci says why when it may not, or when device or module are missing" adapters_bad
