# Described peripherals: simulated through bluetoothd and used by espbench's own host, and the other way round.
served simulate --h4 0:4.2

# simulate_start STACK: a SensorTag there; its output is in $RESULTS/simulate, and what is written to &$settings sets it.
simulate_start() {
  rm -f /tmp/settings && mkfifo /tmp/settings && exec {settings}<>/tmp/settings
  : >"$RESULTS/simulate"
  timeout 300 "$ESPBENCH" simulate sensortag --set humidity.relative=40.2 --seed 1 --on "$1" </tmp/settings \
    >>"$RESULTS/simulate" 2>&1 &
  simulating=$!
  wait_for_text "Ctrl-C ends it" "$RESULTS/simulate"
}
# simulate_end: ends it; it has been used as simulate_humidity does.
simulate_end() {
  local status
  # The program itself: timeout would send it two signals, and the second one ends it at once.
  kill "$(pgrep -P "$simulating")"
  wait "$simulating"
  status=$?
  exec {settings}>&-
  sed "s/^/simulate: /" "$RESULTS/simulate"
  grep -q "^written: humidity.period = 0a  100 ms$" "$RESULTS/simulate" &&
    grep -q "^unsubscribed: humidity.data$" "$RESULTS/simulate" && [ "$status" -eq 0 ]
}
# simulate_humidity CENTRAL VALUE: that two notifications have this humidity, with its name and unit.
simulate_humidity() {
  verb 0 "  temperature [0-9.]* .*, relative $2 %$" notify SensorTag F000AA21 --central "$1" --describe sensortag \
    --write F000AA22=01 --write F000AA23=0a --count 2 --for 60s &&
    [ "$(grep -c "relative $2 %$" "$RESULTS/verb")" = 2 ]
}

simulate_published() {
  local status=0 central other
  central="h4:10.0.2.2:$(served_port simulate h4)"
  adapter_up "$(served_port simulate h4)" && simulate_start "bluez:$adapter" || return 1
  simulate_humidity "$central" 40.20 || status=1
  echo "humidity.relative = 55" >&"$settings"
  simulate_humidity "$central" 55.00 || status=1
  # bluetoothd has services of its own beside those of programs.
  timeout 90 "$ESPBENCH" gatt SensorTag --central "$central" --compare sensortag >"$RESULTS/compared" 2>"$RESULTS/verb"
  case $? in 0 | 11) ;; *) status=1 ;; esac
  cat "$RESULTS/verb" "$RESULTS/compared"
  other=$(grep -vE "^(where|[0-9A-F-]+) +(what|service +-|characteristic) " "$RESULTS/compared")
  [ -z "$other" ] || { echo "other differences: $other"; status=1; }
  simulate_end || status=1
  publish_is_withdrawn && backend_is_clean || status=1
  adapter_down || status=1
  return "$status"
}
check "espbench simulate on BlueZ: a SensorTag whose values espbench's own host shows with names and units" \
  simulate_published

simulate_found() {
  local status=0
  adapter_up "$(served_port simulate h4)" && simulate_start "h4:10.0.2.2:$(served_port simulate h4)" || return 1
  simulate_humidity "bluez:$adapter" 40.20 || status=1
  verb 0 "^as described$" gatt SensorTag --central "bluez:$adapter" --compare sensortag || status=1
  simulate_end || status=1
  verbs_are_clean || status=1
  adapter_down || status=1
  return "$status"
}
check "notify --describe and gatt --compare through BlueZ understand a simulated SensorTag" simulate_found
