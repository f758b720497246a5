# A serial line over BLE through BlueZ: espbench ble-serial and the sketch SerialBridge, whose UART is a TCP port.
served serial SerialBridge --h4 0:4.2 --uart1 0,rtscts --console

# serial_connected N: until ble-serial has connected N times.
serial_connected() {
  local n
  for n in $(seq 100); do
    [ "$(grep -c "^--- connected to HMSoft" "$RESULTS/serial.log")" -ge "$1" ] && return
    sleep 0.3
  done
  echo "expected $1 connections"
  return 1
}

serial_lines() {
  local status=0 lines far hearing running
  adapter_up "$(served_port serial h4)" || return 1
  rm -f /tmp/lines && mkfifo /tmp/lines && exec {lines}<>/tmp/lines
  exec {far}<>"/dev/tcp/10.0.2.2/$(served_port serial socket 2)" || return 1
  timeout 150 cat <&"$far" >"$RESULTS/far" &
  hearing=$!
  timeout 150 "$ESPBENCH" ble-serial --central "bluez:$adapter" --name HMSoft --eol cr --until "^bye" \
    --tries 10 </tmp/lines >"$RESULTS/serial" 2>"$RESULTS/serial.log" &
  running=$!
  serial_connected 1 || status=1
  echo "one" >&"$lines"
  wait_for_text "one" "$RESULTS/far" || status=1
  printf 'two\r\n' >&"$far"
  wait_for_text "^two" "$RESULTS/serial" || status=1
  # The board loses its power, and comes back: the line is the same one.
  press serial p
  wait_for_text "^--- disconnected" "$RESULTS/serial.log" || status=1
  press serial p
  serial_connected 2 || status=1
  echo "three" >&"$lines"
  wait_for_text "three" "$RESULTS/far" || status=1
  printf 'bye\r\n' >&"$far"
  wait "$running" || { echo "exit code $?"; status=1; }
  kill "$hearing"
  wait "$hearing"
  exec {lines}>&- {far}>&-
  cat "$RESULTS/serial.log"
  # Each line with its ending, once, and nothing else.
  printf 'one\rthree\r' | cmp - "$RESULTS/far" || status=1
  printf 'two\r\nbye\r\n' | cmp - "$RESULTS/serial" || status=1
  verbs_are_clean || status=1
  adapter_down || status=1
  return "$status"
}
check "ble-serial through BlueZ passes lines each way with their endings, also after the board was switched off" serial_lines
