# Bonds of a bench through bluetoothd: the suite is not that of the virtual bench, whose central does not encrypt by itself.
# Uses the board and the project of 60-bench.sh.
needs 60-bench.sh

# Without the capabilities for which the kernel shows packets: the run is the same, and says why its capture is empty.
bonds_unprivileged() {
  XDG_CACHE_HOME=/tmp/bench/cache XDG_STATE_HOME=/tmp/bench/state timeout 100 \
    setpriv --bounding-set=-net_admin,-net_raw "$ESPBENCH" test "$PWD/Tests/Bluetooth/KernelBluetooth/suites/bonds.yaml" \
    --case "is left" --project /tmp/bench --bench desk --btsnoop /tmp/bench/unprivileged.btsnoop \
    >"$RESULTS/unprivileged" 2>&1
  local status=$?
  cat "$RESULTS/unprivileged"
  grep -q "^the capture has no HCI packets: bluez:hci" "$RESULTS/unprivileged" && grep -q "^1 passed" "$RESULTS/unprivileged" && return "$status"
}

bonds_bench() {
  local status=0
  adapter_up "$(served_port bench h4)" && bench_project "bluez:$adapter" || return 1
  XDG_CACHE_HOME=/tmp/bench/cache XDG_STATE_HOME=/tmp/bench/state timeout 200 "$ESPBENCH" \
    test "$PWD/Tests/Bluetooth/KernelBluetooth/suites/bonds.yaml" --project /tmp/bench --bench desk \
    --timeline "$RESULTS/bonds.jsonl" >"$RESULTS/bonds" 2>&1 || status=1
  cat "$RESULTS/bonds"
  bonds_unprivileged || status=1
  backend_is_clean || status=1
  adapter_down || status=1
  return "$status"
}
check "a bench with BlueZ: a bonded owner comes back after a reset, a wrong passkey is refused, no bond is left; without privileges the capture is said to be empty" bonds_bench
