# Test sketches with the NimBLE-Arduino library, for Scripts/test-firmware: where ESPBENCH_NIMBLE names its folder, they are
# built as Firmware/Host/Library/README.md says, with the compiler, data model and core objects of test-firmware. Objects are
# kept by the library's version.

# library_sketches: builds $build/sketches/Library-NAME; without a library, only removes what is there.
library_sketches() {
  local library=${ESPBENCH_NIMBLE:-} title
  rm -f "$build"/sketches/Library-*
  [ -n "$library" ] || return 0
  [ -f "$library/src/NimBLEDevice.h" ] || { echo "ESPBENCH_NIMBLE: no NimBLE-Arduino in $library" >&2; return 1; }
  title=$(sed -n 's/^name=//p' "$library/library.properties")\ $(sed -n 's/^version=//p' "$library/library.properties")
  library_set default Tests/Board/Sketches/TraceCalculator Tests/Board/Sketches/TraceLock Firmware/Calculator
  library_set lock Firmware/ServoLock
}

# library_set SET FOLDER…: the sketches in these folders, with the build flags of the first; SET is a name for the flags.
library_set() {
  local host=Firmware/Host set=$1 folder source name objects=$build/library/${title// /-}
  shift
  if [ "$(cat "$objects/flags.txt" 2>/dev/null)" != "$all" ]; then
    rm -rf "$objects"
    mkdir -p "$objects"
    echo "$all" >"$objects/flags.txt"
  fi
  mkdir -p "$objects/own" "$objects/$set/library" "$objects/$set/sketch"
  local options=()
  [ ! -f "$1/build_opt.h" ] || options=("@$1/build_opt.h")
  local board=(-DESPBENCH_HOST=1 -DARDUINO=10812 -DARDUINO_ARCH_ESP32 -DARDUINO_ESP32_DEV '-DARDUINO_BOARD="ESP32_DEV"'
    '-DARDUINO_VARIANT="esp32"' -DESP32=ESP32 -DESP_PLATFORM -DF_CPU=240000000L "${options[@]}")
  local folders=(-I"$library/src" -I$host/Library/include -I$host/include -idirafter $host/Refused)
  # The two languages' flags, and those of each kind of file.
  library_c=("$c_compiler" -std=gnu17 -Werror=implicit-function-declaration)
  library_cpp=("$compiler" -std=gnu++2b)
  library_flags=(-funsigned-char -fno-omit-frame-pointer "${model[@]}" "${layout[@]}" -g -w)
  of_library=(-Os -ffunction-sections -fdata-sections "${board[@]}" "${folders[@]}")
  of_sketch=(-Os "${counting[@]}" "${board[@]}" "${folders[@]}")
  of_own=(-O1 -I$host/Library/include -I$host/include -I$host/Channel "-DESPBENCH_NIMBLE_LIBRARY=\"$title\"")
  {
    find "$library/src" -name '*.c' -o -name '*.cpp' | while read -r source; do
      name=${source#"$library/src/"}
      list_library_object "$objects/$set/library/${name//\//_}.o" "$source" of_library
    done
    for source in $host/Library/*.cpp $host/Library/Settings/*.cpp; do
      list_library_object "$objects/own/$(basename "$source").o" "$source" of_own
    done
    for folder in "$@"; do
      for source in "$folder"/*.ino "$folder"/*.cpp; do
        [ -f "$source" ] || continue
        list_library_object "$objects/$set/sketch/$(basename "$folder")-$(basename "$source").o" "$source" of_sketch
      done
    done
  } >"$objects/todo"
  # One compilation a processor. Arrays cannot be exported: as text.
  export -f compile_for_library
  LIBRARY=$(declare -p library_c library_cpp library_flags of_library of_sketch of_own) xargs -r -0 -a "$objects/todo" -n 3 \
    -P "$(nproc)" bash -c 'compile_for_library "$@"' _ || return 1
  for folder in "$@"; do
    "$compiler" "${link[@]}" -Wl,--gc-sections -o "$build/sketches/Library-$(basename "$folder")" \
      "$objects/$set/sketch/$(basename "$folder")-"*.o "$objects/$set"/library/*.o "$objects"/own/*.o \
      "$build"/core/{Platform,Runtime,CLibrary}-*.o "$build/core.a"
  done
}

# list_library_object OBJECT SOURCE KIND: prints the three when the object is missing or older than one of its sources.
list_library_object() {
  local object=$1
  if [ -f "$object" ] && [ -f "$object.d" ] && [ -z "$(sed -e 's/^[^:]*://' -e 's/\\$//' "$object.d" |
    xargs -r -I{} find {} -newer "$object" 2>/dev/null | head -1)" ]; then return; fi
  printf '%s\0' "$object" "$2" "$3"
}

# compile_for_library OBJECT SOURCE KIND: with the flags in the array named KIND.
compile_for_library() {
  local object=$1 source=$2 command=()
  eval "$LIBRARY"
  local -n flags=$3
  case $source in
    *.c) command=("${library_c[@]}") ;;
    *.ino) command=("${library_cpp[@]}" -x c++ -include Arduino.h) ;;
    *) command=("${library_cpp[@]}") ;;
  esac
  "${command[@]}" "${library_flags[@]}" "${flags[@]}" -MMD -MF "$object.d" -c "$source" -o "$object"
}
