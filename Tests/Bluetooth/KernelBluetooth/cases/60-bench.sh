# A bench of kind hardware whose board is a served virtual one and whose central is bluetoothd: only its entry differs
# from hardware.
served bench Calculator --rfc2217 0 --h4 0:4.2

# bench_project ADAPTERS: a project with the bench in /tmp/bench, with a central for each adapter, as "bluez:hci0". The sealing key is that of the served board, and
# the builds are those of outside, which cannot be written here: a compiler takes minutes here.
bench_project() {
  local builds=/tmp/bench/cache/espbench/builds part
  rm -rf /tmp/bench
  mkdir -p "$builds" && cp -r "$SERVED/bench.state" /tmp/bench/state || return 1
  for part in "$BUILDS"/espbench/builds/*; do ln -sfn "$part" "$builds"; done
  rm -f "$builds"/lock "$builds"/sketches && cp -r "$BUILDS"/espbench/builds/sketches "$builds" || return 1
  cat >/tmp/bench/espbench.yaml <<YAML
sketches: [$PWD/Firmware/Calculator, $PWD/Firmware/ServoLock]
benches:
  desk:
    kind: hardware
    board: rfc2217://10.0.2.2:$(served_port bench rfc2217)
    central: [$1]
    target: virtual
    time factor: 10
    retries: 1
YAML
}

bench_run=(
  test --json Firmware/Calculator/Suites/calculator.yaml Firmware/ServoLock/Suites/lock.yaml
  --case "answers the reference trace*" --case "shows its name*" --case "advertises again after a disconnect*"
  --case "serves two clients apart" --case "says on characteristics of its own*" --case "is called by its device*"
)
# Also builds both sketches.
prepared virtual.json "${bench_run[@]}"

bench_compare() {
  local first centrals
  adapter_up "$(served_port bench h4)" || return 1
  first=$bridge
  centrals=bluez:$adapter
  adapter_up "$(served_port bench h4)" && bench_project "$centrals, bluez:$adapter" || return 1
  XDG_CACHE_HOME=/tmp/bench/cache XDG_STATE_HOME=/tmp/bench/state timeout 240 "$ESPBENCH" "${bench_run[@]}" \
    --project /tmp/bench --bench desk --timeline "$RESULTS/desk.jsonl" --btsnoop "$RESULTS/desk.btsnoop" \
    >"$RESULTS/desk.json" 2>"$RESULTS/desk.log" ||
    tail -n 5 "$RESULTS/desk.log"
  "$ESPBENCH" compare --all "$SERVED/virtual.json" "$RESULTS/desk.json" || return 1
  grep -q '"board":"rfc2217://10.0.2.2:.*"central":"bluez:hci0, bluez:hci' "$RESULTS/desk.json" || return 1
  # Two controllers, and ATT writes between them and the board.
  [ "$(timeout 120 tshark -r "$RESULTS/desk.btsnoop" -Y "btatt.opcode == 0x12 || btatt.opcode == 0x52" \
    -T fields -e hci_mon.adapter_id 2>/dev/null | sort -u | wc -l)" = 2 ] ||
    { echo "the capture has no ATT writes of two adapters"; return 1; }
  adapter_down "$first" && adapter_down
}
check "a bench with BlueZ has the verdicts of the virtual bench: requests, scan, reconnection, two clients, pairing by the console's passkey; its capture has both adapters" \
  bench_compare
