# RestoringCentral through BlueZ: a central that is killed in the middle of a subscription and a read, and what those
# that follow it have of it.
needs 50-backend.sh

restore_first=24:0A:C4:C0:00:01
restore_second=24:0A:C4:C0:00:02

restore_up() {
  backend_up || return 1
  echo 6 >"/sys/kernel/debug/bluetooth/$adapter/conn_min_interval"
  echo 6 >"/sys/kernel/debug/bluetooth/$adapter/conn_max_interval"
}
# restore_start RUN: ConformanceProgram begins, or takes up what the last run had; its output is in $RESULTS/restore-RUN.
restore_start() {
  timeout 200 "$BUILD/ConformanceProgram" restore "bluez:$adapter" /tmp/restore one >"$RESULTS/restore-$1" 2>&1 &
  restoring=$!
  wait_for_text "^ready" "$RESULTS/restore-$1" || wait_for_text "^ready" "$RESULTS/restore-$1"
}
# restore_kill: the program, and not the timeout that started it; it has no chance to end anything.
restore_kill() {
  kill -KILL "$(pgrep -P "$restoring")"
  wait "$restoring"
  return 0
}
# restore_says RUN LINE…: the run has said each of the lines.
restore_says() {
  local run=$1 line missing=0
  shift
  sed "s/^/$run: /" "$RESULTS/restore-$run"
  for line in "$@"; do
    grep -qxE "$line" "$RESULTS/restore-$run" || { echo "expected of $run: $line"; missing=1; }
  done
  return "$missing"
}

restore_killed() {
  local status=0
  restore_up || return 1
  rm -rf /tmp/restore
  restore_start one || status=1
  restore_kill
  restore_says one 'value \[0\]' || status=1
  # bluetoothd keeps the connections of a program that has ended. The second peer has hung, and its read is still running
  # there: it is connected until ATT gives it up after 30 s.
  restore_start two || status=1
  restore_kill
  restore_says two "had $restore_first: subscribed FF00/FF03" "had $restore_second: unfinished FF00/FF01" \
    "connected $restore_first" 'value \[0\]' "(connected|failed) $restore_second.*" || status=1
  # The next one has another adapter, without connections, which has heard nobody yet.
  adapter_down && restore_up || return 1
  restore_start three || status=1
  restore_kill
  restore_says three "had $restore_first: subscribed FF00/FF03" "connected $restore_first" 'value \[0\]' || status=1
  [ "$(stat -c %a /tmp/restore/one.central)" = 600 ] || { ls -l /tmp/restore; status=1; }
  adapter_down || status=1
  # Who is killed cannot let bluetoothd forget its peers.
  rm -rf /tmp/restore /var/lib/bluetooth/*/"$restore_first" /var/lib/bluetooth/*/"$restore_second"
  backend_is_clean || status=1
  return "$status"
}
check "RestoringCentral through BlueZ: a killed central is taken up by the next, on its connections and on a new adapter" \
  restore_killed
