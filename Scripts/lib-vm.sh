# Shared by the scripts that run named tests in a virtual machine; sourced after lib.sh, not run.
# They list the tests' names in the array "tests" and print "ok: NAME", "FAILED: NAME: why" or "skipped: NAME: why".

# Where the machine cannot boot one: prints all tests as skipped with its reason, and ends the script.
require_vm() {
  local reason status test
  reason=$("$root/Scripts/vm" --probe 2>&1)
  status=$?
  if [ "$status" -eq 77 ]; then
    reason=$(tail -n 1 <<<"$reason")
    for test in "${tests[@]}"; do echo "skipped: $test: ${reason#vm: }"; done
    echo "0 passed, 0 failed, ${#tests[@]} skipped"
    exit 0
  fi
  [ "$status" -eq 0 ] || { echo "$reason" >&2; echo "0 passed, 1 failed"; exit 1; }
}

# count_vm_tests OUTPUT STATUS: prints the tests that did not run and "N passed, N failed, N skipped", from what the
# guest printed and the exit code of Scripts/vm; fails if a test failed.
count_vm_tests() {
  local output=$1 status=$2 test line passed=0 failed=0 skipped=0
  for test in "${tests[@]}"; do
    if grep -qxF "ok: $test" "$output"; then passed=$((passed + 1)); continue; fi
    if line=$(grep -F "skipped: $test: " "$output"); then skipped=$((skipped + 1)); continue; fi
    failed=$((failed + 1))
    grep -qF "FAILED: $test" "$output" || echo "FAILED: $test: it did not run"
  done
  if [ "$status" -ne 0 ] && [ "$failed" -eq 0 ]; then
    echo "FAILED: the virtual machine: exit code $status"
    failed=1
  fi
  echo "$passed passed, $failed failed, $skipped skipped"
  [ "$failed" -eq 0 ]
}
