# A bench of kind hardware whose board is a served virtual one and whose central is bluetoothd: only its entry differs
# from hardware.
served bench Calculator --rfc2217 0 --h4 0:4.2
# For its build.
served lock ServoLock

# bench_project ADAPTER: a project with the bench in the current folder. The builds of outside are used, since a compiler
# takes minutes here; the sealing key is that of the served board.
bench_project() {
  mkdir -p /tmp/bench/upper /tmp/bench/work /tmp/bench/cache/espbench /tmp/bench/project && cd /tmp/bench/project || return 1
  mountpoint -q /tmp/bench/cache/espbench ||
    mount -t overlay overlay -o "lowerdir=$BUILDS,upperdir=/tmp/bench/upper,workdir=/tmp/bench/work" \
      /tmp/bench/cache/espbench || return 1
  rm -rf /tmp/bench/state && cp -r "$SERVED/bench.state" /tmp/bench/state || return 1
  cat >espbench.yaml <<YAML
sketches: [$PWD/firmware/*]
benches:
  desk:
    kind: hardware
    board: rfc2217://10.0.2.2:$(served_port bench rfc2217)
    central: bluez:$1
    target: virtual
    time factor: 10
    retries: 1
YAML
  ln -sfn "$ROOT/Firmware" firmware
}

# bench_test ARGUMENT…: espbench test in the project.
bench_test() {
  XDG_CACHE_HOME=/tmp/bench/cache XDG_STATE_HOME=/tmp/bench/state timeout 240 "$ESPBENCH" test --project . "$@"
}

# bench_compare SUITE ARGUMENT…: the suite on both benches, compared.
bench_compare() {
  local suite="$ROOT/Firmware/$1"
  shift
  adapter_up "$(served_port bench h4)" && bench_project "$adapter" || return 1
  bench_test --bench virtual --json "$suite" "$@" >"$RESULTS/virtual.json" 2>"$RESULTS/virtual.log" ||
    { tail -n 5 "$RESULTS/virtual.log"; return 1; }
  bench_test --bench desk --json --timeline "$RESULTS/desk.jsonl" "$suite" "$@" >"$RESULTS/desk.json" 2>"$RESULTS/desk.log"
  tail -n 5 "$RESULTS/desk.log"
  "$ESPBENCH" compare --all "$RESULTS/virtual.json" "$RESULTS/desk.json" || return 1
  adapter_down
}

bench_calculator() {
  bench_compare Calculator/Suites/calculator.yaml --case "answers the reference trace*" --case "shows its name*" \
    --case "advertises again after a disconnect*" --case "serves two clients apart"
}
check "the calculator's reference cases have the same verdicts through BlueZ as on the virtual bench" bench_calculator

bench_lock() {
  bench_compare ServoLock/Suites/lock.yaml --case "says on characteristics of its own*" --case "is called by its device*"
}
check "the lock's owner pairs by the console's passkey through BlueZ as on the virtual bench" bench_lock
