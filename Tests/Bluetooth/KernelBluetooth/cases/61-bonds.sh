# Bonds of a bench through bluetoothd: the suite is not that of the virtual bench, whose central does not encrypt by itself.
# Uses the board and the project of 60-bench.sh.

# As somebody to whom the kernel shows no packets: the run is the same, and says why its capture is empty.
bonds_nobody() {
  chown -R nobody /tmp/bench
  XDG_CACHE_HOME=/tmp/bench/cache XDG_STATE_HOME=/tmp/bench/state timeout 100 \
    setpriv --reuid=nobody --clear-groups "$ESPBENCH" test Firmware/ServoLock/Suites/lock.yaml \
    --case "is called by its device*" --project /tmp/bench --bench desk --btsnoop /tmp/bench/nobody.btsnoop \
    >"$RESULTS/nobody" 2>&1
  local status=$?
  cat "$RESULTS/nobody"
  grep -q "^note: the capture has no HCI packets: bluez:hci" "$RESULTS/nobody" && return "$status"
}

bonds_bench() {
  local status=0
  adapter_up "$(served_port bench h4)" && bench_project "bluez:$adapter" || return 1
  XDG_CACHE_HOME=/tmp/bench/cache XDG_STATE_HOME=/tmp/bench/state timeout 200 "$ESPBENCH" \
    test "$PWD/Tests/Bluetooth/KernelBluetooth/suites/bonds.yaml" --project /tmp/bench --bench desk \
    --timeline "$RESULTS/bonds.jsonl" >"$RESULTS/bonds" 2>&1 || status=1
  cat "$RESULTS/bonds"
  bonds_nobody || status=1
  backend_is_clean || status=1
  adapter_down || status=1
  return "$status"
}
check "a bench with BlueZ: a bonded owner comes back after a reset, a wrong passkey is refused, no bond is left; without privileges the capture is said to be empty" bonds_bench
