# Shared by the scripts that run named tests inside the virtual machine; sourced, not run. Expects RESULTS: a folder that
# the machine outside can read.

log="$RESULTS/log"
started=$SECONDS

# run NAME COMMAND…: passes when the command succeeds; otherwise its last output is shown.
run() {
  local name=$1 status begun=$SECONDS
  shift
  if kernel_has_failed; then
    echo "FAILED: $name: not run, since the machine's kernel has failed: $(kernel_failure)"
    return 1
  fi
  "$@" >"$log" 2>&1
  status=$?
  if [ "$status" -eq 0 ]; then
    echo "ok: $name"
    echo "    ($((SECONDS - begun)) s)"
  else
    echo "FAILED: $name: exit code $status after $((SECONDS - begun)) s: $(tail -n "${LOG_LINES:-3}" "$log" | tr '\n' ' ')"
    if kernel_has_failed; then echo "the machine's kernel has failed: $(kernel_failure)"; fi
  fi
  return "$status"
}
# After an oops a process is gone, and locks may be held for ever: no test means anything then.
kernel_has_failed() { [ $(($(cat /proc/sys/kernel/tainted) & 128)) -ne 0 ]; }
kernel_failure() {
  dmesg | sed 's/^\[[^]]*\] //' | grep -m 1 -A 40 -E "cut here|BUG:|Oops" |
    grep -E "BUG|Oops|corruption|^CPU:|^RIP:|^ [a-z_]+\+0x" | head -n 12 | tr '\n' ' '
}
skip() { echo "skipped: $1: $2"; }

# wait_for FILE: until it exists; at most 20 s.
wait_for() {
  local n
  for n in $(seq 100); do
    [ -e "$1" ] && return
    sleep 0.2
  done
  echo "$1 did not appear: $(dmesg | tail -n 2 | tr '\n' ' ')"
  return 1
}

# wait_for_text TEXT FILE: until a line of the file has the text; at most 30 s.
wait_for_text() {
  local n
  for n in $(seq 150); do
    grep -q -e "$1" "$2" && return
    sleep 0.2
  done
  echo "no '$1' in $2"
  return 1
}

# wait_until COMMAND…: until the command succeeds; at most 30 s.
wait_until() {
  local n
  for n in $(seq 100); do
    "$@" >/dev/null 2>&1 && return
    sleep 0.3
  done
  echo "not within 30 s: $*"
  return 1
}
