# What BLEClients do through BlueZ: one run of ConformanceProgram, of which each case is a test here.
served clients @ConformanceProgram serve clients

# clients_run: runs them, once.
clients_run() {
  [ ! -e "$RESULTS/clients" ] || return 0
  adapter_up "$(served_port clients h4)" || return 1
  echo 6 >"/sys/kernel/debug/bluetooth/$adapter/conn_min_interval"
  echo 6 >"/sys/kernel/debug/bluetooth/$adapter/conn_max_interval"
  timeout 240 "$BUILD/ConformanceProgram" clients "bluez:$adapter" "${CLIENT_CASES:-}" >"$RESULTS/clients" 2>&1
  adapter_down
}

# clients_case NAME: that this case has passed; otherwise what became of it.
clients_case() {
  clients_run
  grep -F "$1" "$RESULTS/clients" || cat "$RESULTS/clients"
  grep -qF "ok: $1 (" "$RESULTS/clients"
}

# A descriptor of its own: what runs may read its input.
while read -r name <&3; do
  check "clients through BlueZ: $name" clients_case "$name"
done 3<<'NAMES'
connections beyond the limit are refused, and those to the same peer
two connections at a time have values, reads and ends of their own
a read of a characteristic that notifies comes back, and is no notification
an operation ends at its time limit while the peer is silent
a lost link is made again, with its subscription
the peer's own end of a connection is a loss, too
nothing is connected again after a purposeful end
tries are counted, and given up; connecting to nobody ends in time
disconnecting ends tries that would go on for ever
a search ends after its rounds, with its peers nearest first and by name
a search for nobody ends, with nobody
the calculator takes 0, and shows results below 0 and above 255, with their operands
the calculator's answers of another length or value are shown as such, and unasked ones are not
a calculator that answers nothing ends the calculation, not the connection
a calculator that is switched off in the middle forgets what was entered, and is connected again
a calculator that disconnects in the middle is connected again
a calculator that fails while it is connected to is tried again, and told when it is given up
a search for a calculator that is not there ends
the lock refuses a stranger's command, which pairs; its owner is not asked again
a wrong passkey is told and does not unlock; the next command asks again
a user who refuses to pair with the lock is told so, once
a lock that has lost its bond is an error, and opens after it was forgotten here
a lock that is switched off in the middle of a command is told, and connected again
NAMES

# Neither a case that this file does not name, nor anything left behind.
clients_all() {
  local line count=0
  clients_run
  while read -r line; do
    line=${line#*: }
    grep -qxF "${line% (*}" "${BASH_SOURCE[0]}" || { echo "not a test: $line"; return 1; }
    count=$((count + 1))
  done < <(grep -E "^(ok|FAILED|skipped): " "$RESULTS/clients")
  [ "$count" -gt 0 ] || { echo "expected cases, got none"; return 1; }
  ! grep "^error: " "$RESULTS/clients"
}
check "clients through BlueZ: every case is a test" clients_all

# clients_shown TEXT N: until the calculator has shown N lines with the text; at most 30 s.
clients_shown() {
  local n
  for n in $(seq 100); do
    [ "$(grep -c -e "$1" "$RESULTS/calculator")" -ge "$2" ] && return
    sleep 0.3
  done
  echo "expected $2 lines '$1'"
  return 1
}
clients_power() {
  local status=0 keys running
  adapter_up "$(served_port clients h4)" || return 1
  rm -f /tmp/keys && mkfifo /tmp/keys && exec {keys}<>/tmp/keys
  timeout 120 "$ESPBENCH" calculator --central "bluez:$adapter" </tmp/keys >"$RESULTS/calculator" 2>&1 &
  running=$!
  clients_shown "^Connected" 1 || status=1
  bluetoothctl --timeout 3 power off >/dev/null 2>&1 </dev/null
  clients_shown "^Bluetooth is not available" 1 || status=1
  # Switched off, it says so again.
  printf d >&"$keys"
  clients_shown "^Bluetooth is not available: the adapter $adapter is switched off" 1 || status=1
  bluetoothctl --timeout 3 power on >/dev/null 2>&1 </dev/null
  wait_until is_powered "$adapter" || status=1
  printf d >&"$keys"
  clients_shown "^Connected" 2 || status=1
  printf 9x6= >&"$keys"
  clients_shown "9 × 6 = 54" 1 || status=1
  printf q >&"$keys"
  wait "$running" || { echo "exit code $?"; status=1; }
  exec {keys}>&-
  cat "$RESULTS/calculator"
  adapter_down || status=1
  return "$status"
}
check "a client through BlueZ is told that its adapter was switched off, and connects when it is on again" \
  clients_power
