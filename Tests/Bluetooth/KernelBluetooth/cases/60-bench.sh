# A bench of kind hardware whose board is a served virtual one and whose central is bluetoothd: only its entry differs
# from hardware.
served bench Calculator --rfc2217 0 --h4 0:4.2
# For its build.
served lock ServoLock

# bench_project ADAPTER: a project with the bench in the current folder. The sealing key is that of the served board, and
# the builds are those of outside, which cannot be written here: a compiler takes minutes here.
bench_project() {
  local builds=cache/espbench/builds part
  mkdir -p "/tmp/bench/$builds" && cd /tmp/bench && rm -rf state && cp -r "$SERVED/bench.state" state || return 1
  for part in "$BUILDS"/espbench/builds/*; do ln -sfn "$part" "$builds"; done
  rm -f "$builds"/lock "$builds"/sketches && cp -r "$BUILDS"/espbench/builds/sketches "$builds" || return 1
  cat >espbench.yaml <<YAML
sketches: [$ROOT/Firmware/Calculator, $ROOT/Firmware/ServoLock]
benches:
  desk:
    kind: hardware
    board: rfc2217://10.0.2.2:$(served_port bench rfc2217)
    central: bluez:$1
    target: virtual
    time factor: 10
    retries: 1
YAML
}

# bench_test ARGUMENT…: espbench test in the project.
bench_test() {
  XDG_CACHE_HOME=/tmp/bench/cache XDG_STATE_HOME=/tmp/bench/state timeout 240 "$ESPBENCH" test --project . \
    "$ROOT/Firmware/Calculator/Suites/calculator.yaml" "$ROOT/Firmware/ServoLock/Suites/lock.yaml" "$@"
}

bench_compare() {
  local cases=(
    --case "answers the reference trace*" --case "shows its name*" --case "advertises again after a disconnect*"
    --case "serves two clients apart" --case "says on characteristics of its own*" --case "is called by its device*"
  )
  adapter_up "$(served_port bench h4)" && bench_project "$adapter" || return 1
  bench_test --bench virtual --json "${cases[@]}" >"$RESULTS/virtual.json" 2>"$RESULTS/virtual.log" ||
    { tail -n 5 "$RESULTS/virtual.log"; return 1; }
  bench_test --bench desk --json "${cases[@]}" --timeline "$RESULTS/desk.jsonl" >"$RESULTS/desk.json" 2>"$RESULTS/desk.log" ||
    tail -n 5 "$RESULTS/desk.log"
  "$ESPBENCH" compare --all "$RESULTS/virtual.json" "$RESULTS/desk.json" || return 1
  adapter_down
}
check "a bench with BlueZ has the verdicts of the virtual bench: requests, scan, reconnection, pairing by the console's passkey" \
  bench_compare
