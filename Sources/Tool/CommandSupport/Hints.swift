/// Advice for the user about a failure, by its code.
package enum Hints {
    /// The advice, by code.
    package static let texts = [
        "image.wrongChip":
            "Give the --chip that the file was built for, or build for the chip the board has.",
        "image.isELF":
            "'espbench image make --chip CHIP FILE' makes its image; 'espbench flash FILE' accepts ELF files.",
        "image.truncated":
            "The file is not complete: build or download it again.",
        "image.syntax":
            "Lines are: name, type, subtype, offset, size, flags. 'espbench flash --raw' writes any other file.",
        "image.segmentOutOfRange":
            "Give the --chip that the file was built for.",
        "image.segmentMisaligned":
            "Build the file again with the linker script of its chip.",
        "image.layout":
            "Partitions may not overlap; applications begin at multiples of 0x10000, others of 0x1000.",
        "image.invalidField":
            "Build the file again; if it was downloaded, download it again.",
        "image.hash":
            "Build the image again; if it was downloaded, download it again.",
        "image.checksum":
            "Build the image again; if it was downloaded, download it again.",
        "image.badMagic":
            "Images begin with E9, ELF files with 7F 45 4C 46, partition tables with AA 50.",
        "flash.invalidStub":
            "Stubs are esptool/targets/stub_flasher/2/CHIP.json of the esptool package; --no-stub uses the loader in ROM.",
        "flash.damagedStub":
            "Install esptool again, or leave --stub out.",
        "flash.wrongStub":
            "Give the stub of the board's chip, or leave --stub out: the installed esptool has one for each chip.",
        "flash.notInRAM":
            "Link the program for RAM; 'espbench flash' writes applications into the flash.",
        "flash.stubRunning":
            "Reset the board first: press EN, or run 'espbench info'.",
        "flash.beyondEnd":
            "Give a range within the flash; 'espbench info' shows its size.",
        "flash.wrongBootMode":
            "Hold the BOOT button, press EN, release BOOT, and try again with --before no-reset.",
        "flash.unsupported":
            "Try without --no-stub: install esptool for its stub, python3 -m pip install esptool.",
        "flash.chipOption":
            "Nothing was changed: choose the board with --port, or leave --chip out.",
        "flash.sizeOption":
            "A bootloader stops at a flash smaller than its header says: use --flash-size detect.",
        "flash.unknownFile":
            "espbench knows .bin images, ELF files, partition tables and whole flashes.",
        "flash.secureDownload":
            "The chip is locked by its eFuses: its flash can only be written and erased.",
        "flash.refused":
            "Try again; if it fails again, use --no-stub or a lower --baud.",
        "flash.readMismatch":
            "Try again with a lower --baud.",
        "flash.beyondLargest":
            "Give addresses within the flash, which begins at 0, not those of the chip's memory.",
        "flash.overlap":
            "Give each file an address in a sector of its own.",
        "flash.otherProgram":
            "Close other programs that use the board; check that it is an ESP32.",
        "flash.noisyLine":
            "Use a lower --baud, a shorter cable or another USB port.",
        "flash.noPartitionTable":
            "Flash an application with its partition table first, or give addresses.",
        "flash.noPartition":
            "'espbench partitions' lists the board's partitions; a range is 0x9000 0x5000 or 0x9000-0xe000.",
        "usage.address":
            "Addresses are 0x10000, 65536, 64K or 1M, below 4 GB; 'espbench partitions' lists the board's partitions.",
        "read.noOutput": "espbench read nvs -o nvs.bin; -o - writes to a pipe.",
        "usage.hexAddress":
            "Intel HEX files contain their addresses: give the file without an address. --raw writes the text as it is.",
        "usage.noTable":
            "Give the board's --port, a partition table among the files, or an address: 0x10000=FILE.",
        "flash.hexFile":
            "Convert or download the file again; --raw with an address writes it as it is.",
        "flash.appTooLarge":
            "Choose a partition table with a larger partition, or make the application smaller.",
        "loadRAM.isELF":
            "'espbench image make --chip CHIP FILE' makes its image.",
        "usage.oneRange":
            "Give one range with each command: nvs, 0x9000 0x5000, 0x9000-0xe000 or all.",
        "usage.range":
            "Ranges: nvs, 0x9000 0x5000 (address and size), 0x9000-0xe000 (the end is not included), all.",
        "flash.noFlash":
            "Check that the board has a flash chip, and that nothing else is connected to its pins.",
        "flash.misaligned":
            "Addresses in the flash are multiples of 0x1000.",
        "flash.malformedAnswer":
            "Try again with a lower --baud, a shorter cable or another USB port.",
        "flash.encryptedFlash":
            "Use 'idf.py encrypted-flash': a chip with flash encryption starts only encrypted data.",
        "flash.encrypt":
            "Write encrypted data with esptool or idf.py encrypted-flash.",
        "file.empty":
            "Build the file again.",
        "file.unreadable":
            "Give a file that exists and that you may read.",
        "file.isUF2":
            "Give the .bin files of the same build; --raw with an address writes it as it is.",
        "usage.form":
            "Name the file .bin.",
        "usage.esptool":
            "'espbench help boards' says what corresponds to esptool's verbs.",
        "erase.needsYes":
            "Name a partition or a range to erase less: espbench erase nvs",
        "build.unexpectedOutput":
            "Update arduino-cli to 1.x, PlatformIO to 6.x or ESP-IDF to 5.x.",
        "build.staticDataTooLarge":
            "Take large buffers from the heap, which has more room, or make constant ones const: they stay in the flash.",
        "build.wrongChip":
            "Build for the chip the board has, or give its --target.",
        "build.incompleteBuild":
            "Build the project again with its own tool; its messages say more.",
        "build.noProgram":
            "Give the .elf of the build that was flashed, not its .bin.",
        "build.noProfile":
            "Profiles are described at https://arduino.github.io/arduino-cli/latest/sketch-project-file/.",
        "build.arduinoCLINotFound":
            "Or build with the Arduino IDE (Sketch > Export Compiled Binary), and flash the .merged.bin.",
        "bench.jobs": "Without --jobs, one case runs after the other.",
        "bench.power":
            "Run the command by hand, in the folder of espbench.yaml: it must end by itself, with exit code 0.",
        "bench.invalid": "'espbench help project' describes benches on hardware.",
        "compare.noReport": "Write the runs with 'espbench test --json > FILE'.",
        "bench.unknown": "--bench takes a kind of bench, or a name under 'benches' in espbench.yaml.",
        "board.noVirtual": "Give the port of a board: --port /dev/ttyUSB0.",
        "build.compilationFailed":
            "The lines above are the compiler's, with the sketch's own line numbers. 'espbench help host-core' says what sketches may use.",
        "build.compilerNotFound": "Install a C++ compiler: sudo apt-get install g++",
        "build.fileSystem":
            "Builds are stored below XDG_CACHE_HOME or ~/.cache, keys and flash below XDG_STATE_HOME or ~/.local/state.",
        "build.hostCoreNotFound":
            "Install espbench again, with share/espbench beside its bin, or name the host core's folder in ESPBENCH_HOST_CORE.",
        "build.imageTooLarge": "The application partition has 1.25 MB; make the sketch smaller.",
        "build.invalidFlags": "'espbench help host-core' says which flags a sketch may have in build_opt.h.",
        "build.invalidProject":
            "sketch.yaml is arduino-cli's: https://arduino.github.io/arduino-cli/latest/sketch-project-file/.",
        "build.invalidPlatformIO":
            "'espbench help host-core' says which environment of platformio.ini is used, and which of its keys.",
        "build.libraryNotFound": "'espbench help project' says where libraries are looked for.",
        "build.nimbleNotFound":
            "Install it with: arduino-cli lib install NimBLE-Arduino. Or name its folder in ESPBENCH_NIMBLE, or build with --nimble built-in.",
        "build.nimbleUnusable":
            "Install it again: arduino-cli lib install NimBLE-Arduino. Or build with --nimble built-in.",
        "build.sanitizerNotFound":
            "On Debian: sudo apt-get install g++ g++-multilib. 'espbench doctor' says what else is missing.",
        "build.sketchNotFound": "Give a folder, an .ino file, or the name of a sketch of the project.",
        "file.busy": "Give each run a file of its own.",
        "file.notCreated": "Give a file in a folder that exists and that you may write to.",
        "file.notPrivate":
            "The file contains secrets, so only you may access it: chmod 600 if it is a file of espbench, else give another path. Other users may already have read the secrets.",
        "file.notWritten": "Free some space, or choose another file.",
        "report.notWritten": "Free some space, or choose another file; the results above are complete.",
        "flash.hostImageOnRealBoard":
            "Build for the real board: espbench flash SKETCH --port PORT --target auto.",
        "flash.interrupted": "Flash it again.",
        "flash.invalidImage": "Build the image again; if it was downloaded, download it again. --raw writes any bytes.",
        "flash.noAnswer":
            "Hold the BOOT button, press EN, release BOOT, and try again. Check cable and port, and that no monitor uses it.",
        "flash.notAnApplication":
            "Give the .bin of the application, or the whole flash: arduino-cli's .merged.bin, esptool merge-bin.",
        "flash.timeout": "Try again; if it happens often, use a shorter cable or another USB port.",
        "flash.tooLarge": "Choose a smaller partition table, or a board with more flash.",
        "flash.unknownChip":
            "espbench knows esp32, esp32s2, esp32s3, esp32c2, esp32c3, esp32c5, esp32c6, esp32h2 and esp32p4.",
        "flash.verifyMismatch":
            "Flash once more; if it fails again, the board's flash is worn out, or its supply is unstable.",
        "flash.wrongChip": "Build for the chip the board has; the profiles of sketches are in sketch.yaml.",
        "flashFile.busy": "Another espbench uses this board's flash: end it, or use its board with --port.",
        "flashFile.system": "The flash of a virtual board takes 4 MB; --flash-file selects another place.",
        "flashFile.wrongSize":
            "Give another path; or, if it is an old flash, delete it: the board then starts with an erased one.",
        "monitor.failOn": "The lines above end with the one that --fail-on matches.",
        "monitor.noSketch": "Flash the virtual board first: espbench flash SKETCH",
        "monitor.timedOut": "Is it the right port and --baud? 'espbench monitor --reset' restarts the board first.",
        "port.accessDenied":
            "A tty: sudo usermod -aG dialout $USER, then log in again. A usb: port needs a udev rule. 'espbench doctor' says what is missing here.",
        "port.addressInUse":
            "Another program listens on this TCP port; 'ss -ltnp' names it. Choose another port, or 0 for any free one.",
        "port.ambiguous": "Give the port by its place, as 'espbench ports' lists it, or with the serial number.",
        "port.busy": "Another program uses the port: close its monitor, or find it with fuser.",
        "port.cannotListen":
            "--listen expects an address or a name of this machine; ports below 1024 need more rights, port 0 is any free one.",
        "port.disconnected":
            "The connection was lost: check the cable, or the messages of the espbench that serves the port.",
        "port.invalidAddress":
            "Ports are /dev/ttyUSB0, usb:10c4:ea60, socket://127.0.0.1:4000 or rfc2217://127.0.0.1:4001.",
        "port.noModemLines":
            "Ttys, usb: and rfc2217:// can have DTR and RTS; socket:// and pseudo-terminals have none. By hand: press EN to reset the board; hold BOOT while you press EN to start its loader, then flash with --before no-reset.",
        "port.linkTaken": "Choose another path, or remove the file: only links to devices are replaced.",
        "port.none":
            "Plug a board in, or give its port: --port /dev/ttyUSB0. 'espbench ports' lists all ports; 'espbench ports --watch' shows what appears.",
        "port.notFound": "Is the board plugged in, or 'espbench serve' running?",
        "port.several": "Choose one with --port.",
        "port.noSerialPort": "'espbench ports' lists the ports of this machine.",
        "port.busyNetwork": "End the other client; the espbench that serves the port names it.",
        "port.unsupported": "Try the other transport: rfc2217:// has modem lines, socket:// has none.",
        "central.several":
            "Choose one with --central, e.g. --central bluez:hci0, or in ESPBENCH_CENTRAL. 'espbench adapters' lists them.",
        "central.absent.bus":
            "bluetoothd needs the system's D-Bus: sudo systemctl start dbus bluetooth. Or give a controller: --central h4:HOST:PORT.",
        "central.absent.permission":
            "sudo usermod -aG bluetooth $USER, then log in again. 'espbench doctor' checks for other causes.",
        "central.absent.service":
            "Start it: sudo systemctl start bluetooth. 'espbench doctor' checks for other causes.",
        "central.absent.adapter":
            "Plug one in, or give a controller: --central h4:HOST:PORT. 'espbench adapters' lists all adapters.",
        "central.absent.power": "Switch it on: bluetoothctl power on. If it was unplugged, plug it in again.",
        "central.absent.unblocked": "sudo rfkill unblock bluetooth, then: bluetoothctl power on",
        "central.open.notFound": "Is the controller plugged in, or 'espbench serve --h4 PORT' running?",
        "central.open.accessDenied":
            "A tty: sudo usermod -aG dialout $USER, then log in again. 'espbench doctor' checks for other causes.",
        "central.open.busy": "Another program uses the controller: end it, or find it with fuser.",
        "central.open.unsupported": "'espbench help adapters' lists the addresses of Bluetooth stacks.",
        "central.unavailable":
            "Is the adapter plugged in and switched on, or 'espbench serve' running? A port with an address has one host at a time. 'espbench doctor' checks for other causes.",
        "central.unsupported": "Another stack may support it: --central h4:HOST:PORT supports all operations.",
        "central.uuid": "UUIDs are 180F or have 32 digits; 'espbench scan' shows the services that peers advertise.",
        "central.attribute": "'espbench gatt PEER' lists the peer's characteristics.",
        "description.unknown": "'espbench describe' lists the descriptions that come with espbench.",
        "description.invalid": "'espbench help descriptions' describes the format.",
        "description.value": "'espbench describe DESCRIPTION' shows the names of its values.",
        "gatt.mismatch":
            "Change the firmware, or the description: 'espbench describe NAME' prints a built-in description.",
        "central.noAttribute": "'espbench gatt PEER' lists the peer's characteristics.",
        "central.severalAttributes": "Put the service before it: SERVICE/CHARACTERISTIC.",
        "central.severalHandles": "Give the handle, as 'espbench gatt PEER' shows it, or SERVICE/CHARACTERISTIC.",
        "central.value":
            "Values are 0102 (two hexadecimal digits for each byte), text:on, u8:5, u16:500, i32:-1, f32:1.5 or file:PATH.",
        "central.longValue": "The value of an attribute cannot be longer.",
        "central.longCommand": "Write it with --response, if the characteristic has that property, or in parts.",
        "client.failed": "Is the peer near, and does its program still run? Its console says more.",
        "lock.refused":
            "The lock pairs for 60 s after its BOOT button was pressed, and waits after wrong passkeys: its console says more.",
        "serial.timedOut":
            "Does the board answer at all? --timeout gives it more time; without --until all output is shown.",
        "central.noPeer":
            "Is it powered, near, and not connected to another device? 'espbench scan' shows who advertises.",
        "central.notConnectable": "It only broadcasts, or another device is connected to it.",
        "restoration.damaged": "Remove the file; the next command then searches for the peer.",
        "restoration.inUse": "Another command with this --restore name is running: end it, or give another name.",
        "restoration.storage": "Is the disk full, or does the folder belong to another user?",
        "central.timedOut": "Is the peer near, and does its program still run? --timeout gives it longer.",
        "central.noAnswer": "The peer may have moved out of range, or has just been connected to by another device.",
        "central.disconnected": "Is the peer near and powered, or did its program crash? Its console says more.",
        "central.endUnknown":
            "Is the peer near and powered, or did its program crash? It may also refuse a bond that only one side has: espbench forget ADDRESS, and delete it on the peer.",
        "central.protocolViolation": "The peer's Bluetooth stack is at fault; a capture shows the packets.",
        "central.controller": "Try again; if it fails again, unplug the adapter, or restart bluetoothd.",
        "central.needsPairing": "The attribute needs an encrypted connection: espbench pair PEER, then try again.",
        "central.notAuthorized": "The peer's program decides who may do this.",
        "central.readRefused": "The characteristic cannot be read; 'espbench gatt PEER' shows what can.",
        "central.writeRefused": "The characteristic cannot be written; 'espbench gatt PEER' shows what can.",
        "central.length": "The peer expects another length.",
        "central.attError":
            "Codes from 80 to 9f are the peer's own; the others are in the Core Specification, Vol 3 Part F 3.4.1.1.",
        "central.wrongPasskey":
            "The passkey was wrong, or from an earlier attempt: pair again. Some peers refuse for a while.",
        "central.pairingNotSupported": "The peer does not pair.",
        "central.repeatedAttempts": "The peer waits after failed attempts: try again later, or reset it.",
        "central.pairing": "Try again; if the peer has an old bond of this host, delete it there.",
        "central.bondLost": "Only this side has the bond: espbench forget ADDRESS, then espbench pair PEER.",
        "central.encryption": "Try again; if it fails again: espbench forget ADDRESS, then espbench pair PEER.",
        "central.notBonded": "espbench pair PEER",
        "central.storage":
            "The keys of bonded peers are in the folder of the user's state, or in the file of --bonds. A damaged file is never overwritten: move it away, and pair again.",
        "central.passkey": "Give it: --passkey 123456, or pair at a terminal.",
        "central.compare": "Compare it at a terminal, or accept any number with --yes.",
        "central.outOfBand": "Configure the peer to pair with a passkey.",
        "central.pairingUnknown":
            "Was the passkey right, and from this attempt? Some peers refuse for a while after failed attempts, or have an old bond of this host.",
        "central.alreadyBonded":
            "To pair again: espbench forget ADDRESS, then espbench pair PEER. A peer that keeps its own bond may refuse that.",
        "central.hiddenServices":
            "bluetoothd keeps Generic Access, Battery and Device Information to itself; --central h4:HOST:PORT shows all. 'espbench gatt PEER' lists the available services.",
        "central.cachedServices":
            "'espbench gatt PEER' lists the peer's characteristics. If its program has changed, bluetoothd may show the old ones: bluetoothctl remove ADDRESS",
        "central.noBonding":
            "Does it accept new bonds now? Some peers need a press of a button for that, or refuse for a while after failed attempts.",
        "central.noPasskey":
            "The peer displays no passkey now, or pairs without any: see its console, or pair without --passkey.",
        "central.pairedAndGone":
            "It may accept only pairings with its passkey: pair without --io none, and see its console.",
        "central.noBond": "'espbench forget --list' lists the bonds.",
        "central.notifyTimedOut": "Does the peer notify at all? Its program decides that, by calls such as notify().",
        "central.dropped": "Write into a file, without --as: espbench notify … > FILE.",
        "central.notNotifying": "'espbench gatt PEER' shows which characteristics notify or indicate.",
        "process.noProc": "Mount it: mount -t proc proc /proc.",
        "project.ambiguousSketch": "Name one sketch; give its path if several have the same name.",
        "project.invalidProject": "'espbench help project' describes espbench.yaml.",
        "project.noFolder": "It was deleted or moved: cd to a folder that exists.",
        "project.noProject": "'espbench init' makes an espbench.yaml; 'espbench help project' describes it.",
        "project.noSketch":
            "Give a folder, an .ino file, or the name of a sketch of the project; a suite's paths are relative to its file.",
        "project.noSuite":
            "'espbench init' writes a first suite for each sketch; 'espbench help project' says where suites are found.",
        "log.noFile": "Give the file that --log names: not a folder, a device or a pipe.",
        "log.slowMatch": "Nested repetitions, such as (a+)+, can take for ever: write the expression without them.",
        "live.noPort": "Without --port the system selects a free one; 'ss -ltnp' shows who uses it.",
        "serve.noPort": "Port 0 selects a free port; --listen expects an address or a name of this machine.",
        "serve.sameAddress":
            "Give the controller another address, or none: then it gets a free one. The boards' addresses are printed above.",
        "suite.invalid": "'espbench help suites' describes the format of suites.",
        "suite.unreadable": "A suite is a text file in UTF-8 that you may read.",
        "suite.noCase": "Use a name as printed in the report, or a pattern such as 'adds *', quoted for the shell.",
        "suite.noTag": "Tags are lists in suites and cases: tags: [slow, security]",
        "timeline.file": "Timelines are what 'espbench test --timeline FILE' writes.",
        "timeline.invalid": "'espbench test --timeline FILE' writes timelines; 'espbench show' prints complete ones.",
        "suite.noFailures": "Without --last-failed, all cases run.",
        "verify.mismatch": "The flash has other contents; 'espbench flash' with the same files writes them.",
        "watch.instances":
            "End other programs that watch files, or raise the limit: sudo sysctl fs.inotify.max_user_instances=1024",
        "watch.limit": "Raise the limit: sudo sysctl fs.inotify.max_user_watches=524288",
        "watch.unsupported": "Run espbench test again after each change.",
        "vhci.accessDenied":
            "Only root may: sudo espbench serve …; a container also needs --device /dev/vhci.",
        "vhci.noDevice":
            "Load the kernel's module: sudo modprobe hci_vhci. In a container, load it outside and pass --device /dev/vhci.",
        "vhci.notInContainer":
            "In a container, pass the device: --device /dev/vhci. Else create it: sudo mknod /dev/vhci c 10 137",
        "vhci.refused": "'sudo dmesg' says why.",
        "vhci.system": "'sudo dmesg' may say why.",
        "usage.unknownCommand": "'espbench help' lists all commands.",
    ]

    /// The hint for `code`, if there is one.
    package static func text(for code: String) -> String? {
        texts[code]
    }
}
