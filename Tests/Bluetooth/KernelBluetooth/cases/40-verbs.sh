# The Bluetooth verbs through bluetoothd, and what they say about a stack that does not do as they wish.
served verbs Calculator ServoLock --h4 0:4.2 --console

lock=ESP_TEST_DEVICE_LOCAL_NAME
# verb EXIT-CODE TEXT ARGUMENT…: that espbench verb ends so, and prints a line with the text.
verb() {
  local expected=$1 text=$2 status
  shift 2
  timeout 90 "$ESPBENCH" "$@" >"$RESULTS/verb" 2>&1 </dev/null
  status=$?
  echo "espbench $*"
  cat "$RESULTS/verb"
  [ "$status" -eq "$expected" ] || { echo "exit code $status"; return 1; }
  grep -q -e "$text" "$RESULTS/verb" || { echo "expected '$text'"; return 1; }
}
# verb_fails EXIT-CODE TEXT ARGUMENT…: the same, with an error and a hint.
verb_fails() { verb "$@" && grep -q "^error: .*$2" "$RESULTS/verb" && grep -q "^hint: " "$RESULTS/verb"; }

# Nothing is left in bluetoothd: no discovery, no connection, no bond, nothing stored of a device.
verbs_are_clean() {
  local left
  left=$(
    bluetoothctl --timeout 1 show | grep "Discovering: yes"
    bluetoothctl --timeout 1 devices Paired | grep "^Device"
    bluetoothctl --timeout 1 devices Connected | grep "^Device"
    ls -d /var/lib/bluetooth/*/*:* 2>/dev/null
  )
  [ -z "$left" ] || { echo "left behind: $left"; return 1; }
}
# The lock pairs with nobody for the time that it prints after a failed pairing (2 s), and does not say when it is over:
# as long on this clock, and a second for a board that is behind.
verbs_lockout() {
  wait_for_text "Pairing failed" "$SERVED/verbs" && sleep 3
}
verbs_passkey() { sed -n 's/.*Passkey: \([0-9]*\).*/\1/p' "$SERVED/verbs" | tail -n 1; }

verbs_talk() {
  local status=0
  adapter_up "$(served_port verbs h4)" || return 1
  verb 0 "^bluez:$adapter  02:EC:.*  \*$" adapters &&
    scan_twice verb 0 "^$(board_address verbs)  .* dBm  Test Peripheral  EBC0FCC1-" scan --timeout 8s --name test &&
    verb 0 "^  643954A4-.* read, notify  *0x0012$" gatt "Test Peripheral" &&
    verb 0 "^15$" notify "Test Peripheral" 643954A4 --write C1AB2C55=u8:3,5,2 --count 1 --as u8 --for 30s &&
    verbs_are_clean &&
    verb_fails 18 "AuthenticationFailed" pair "$lock" --passkey 000000 &&
    verbs_lockout &&
    verb 0 ": encrypted, authenticated, bonded$" pair "$lock" --passkey "$(verbs_passkey)" &&
    verb 0 "^$(board_address verbs 2)$" forget --list &&
    verb 0 "^1$" notify "$lock" 3c399c44 --write 3c399a64=text:1 --count 1 --as text --for 30s &&
    verb_fails 10 "there is a bond with" pair "$lock" --passkey 000000 &&
    verb 0 "^forgot $(board_address verbs 2)$" forget --all &&
    verbs_are_clean || status=1
  adapter_down || status=1
  return "$status"
}
check "the verbs talk to the calculator and the lock through bluetoothd, and leave nothing behind" verbs_talk

# verbs_lost COMMAND…: what runs while a verb shows notifications, which must end it.
verbs_lost() {
  local expected=$1 text=$2 status
  shift 2
  timeout 90 "$ESPBENCH" notify "Test Peripheral" 643954A4 --write C1AB2C55=u8:3,5,2 --as u8 >"$RESULTS/verb" 2>&1 </dev/null &
  local notifying=$!
  wait_for_text "^15" "$RESULTS/verb" || { cat "$RESULTS/verb"; return 1; }
  "$@" || return 1
  wait "$notifying"
  status=$?
  cat "$RESULTS/verb"
  [ "$status" -eq "$expected" ] || { echo "exit code $status"; return 1; }
  grep -q "^error: .*$text" "$RESULTS/verb" && grep -q "^hint: " "$RESULTS/verb"
}
verbs_block() {
  local switch
  for switch in /sys/class/rfkill/*; do [ "$(cat "$switch/name")" != "$adapter" ] || echo "$1" >"$switch/soft"; done
}
# As somebody whom the bus does not let talk to bluetoothd.
verbs_nobody() {
  bus_policy '<policy user="nobody"><deny send_destination="org.bluez"/></policy>'
  local ESPBENCH="$RESULTS/nobody" status
  printf '#!/bin/sh\nexec setpriv --reuid=nobody --clear-groups "%s" "$@"\n' "$BUILD/espbench" >"$ESPBENCH"
  chmod +x "$ESPBENCH"
  verb_fails 15 "AccessDenied" scan
  status=$?
  bus_policy ""
  return "$status"
}

# The next bluetoothd knows of the last one's connection, which the kernel is about to end.
verbs_restart() {
  bluetoothd_stop KILL
  bluetoothd_start || return 1
  timeout 90 "$ESPBENCH" notify "Test Peripheral" 643954A4 --write C1AB2C55=u8:3,5,2 --as u8 --count 1 </dev/null
}

verbs_bad() {
  local status=0
  verb_fails 15 "expected a Bluetooth adapter, this system has none" scan || return 1
  bluetoothd_stop
  verb_fails 15 "bluetoothd is not running" scan || status=1
  bluetoothd_start
  adapter_up "$(served_port verbs h4)" || return 1
  verbs_nobody || status=1
  bluetoothctl --timeout 3 power off >/dev/null 2>&1
  verb_fails 15 "the adapter $adapter is switched off" scan || status=1
  verbs_block 1
  verb_fails 15 "the adapter $adapter is blocked by rfkill" scan || status=1
  verbs_block 0
  wait_powered "$adapter" || status=1
  if is_off; then echo "off"; status=1; fi
  verbs_lost 17 "the connection has ended" press verbs 1p || status=1
  press verbs p
  verbs_lost 15 "bluetoothd has ended" verbs_restart || status=1
  verbs_lost 15 "the adapter $adapter was" adapter_down || { adapter_down; status=1; }
  return "$status"
}
check "the verbs say what is wrong: no adapter, bluetoothd, permission or power, and what is lost in the middle" verbs_bad

# Linux 6.1 never ends a connection if it has sent another command while it made it; 6.12 may end it. With CAP_NET_RAW it is
# ended all the same, and without that it is an error, which says what helps.
verbs_kept() {
  local status=0 flood unexpected=
  adapter_up "$(served_port verbs h4)" || return 1
  # Read Local Version Information.
  while :; do hcitool -i "$adapter" cmd 0x04 0x0001; done >/dev/null 2>&1 &
  flood=$!
  for _ in 1 2 3; do
    setpriv --bounding-set=-net_raw --inh-caps=-net_raw "$ESPBENCH" gatt "$(board_address verbs)" >"$RESULTS/kept" 2>&1 && continue
    cat "$RESULTS/kept"
    grep -q "^error: disconnect .*: the kernel keeps the connection" "$RESULTS/kept" ||
      unexpected=$(grep "^error" "$RESULTS/kept" || echo "no error line")
    break
  done
  kill "$flood"
  verb 0 "^  643954A4-" gatt "$(board_address verbs)" &&
    scan_twice verb 0 "  Test Peripheral  " scan --timeout 4s --name test || status=1
  adapter_down || { echo "the adapter does not go"; status=1; }
  # Last, as the end of the output is what a failure shows.
  if [ -n "$unexpected" ]; then echo "unexpected, while the kernel sent other commands: $unexpected"; status=1; fi
  return "$status"
}
check "connections that are made while the kernel sends other commands end, and the peer is found again" verbs_kept
