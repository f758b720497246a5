# Controllers of a served air as adapters of the kernel.
served air Calculator --h4 0

adapters_uart() {
  adapter_up "$(served_port air h4)" || return 1
  bluetoothctl --timeout 6 scan on >"$RESULTS/scan" 2>&1
  cat "$RESULTS/scan"
  adapter_down || return 1
  grep "$(board_address air) Test Peripheral" "$RESULTS/scan"
}
check "a served controller is an adapter through socat and btattach, by which bluetoothd finds Test Peripheral" \
  adapters_uart
