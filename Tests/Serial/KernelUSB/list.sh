# The tests that the guest runs; sourced by Scripts/test-vm and by guest.

# What is served over USB/IP: bus id, name, the kernel's driver, address for libusb.
devices=(
  "1-1 CP2102 cp210x usb:10c4:ea60"
  "1-4 FT232R ftdi_sio usb:0403:6001:A5069RR4"
  "1-3 CH343 cdc_acm usb:1a86:55d3"
  "1-2 CH340 ch341-uart usb:1a86:7523"
  "1-5 USB-Serial-JTAG cdc_acm usb:303a:1001:7C:DF:A1:00:00:01"
)
# A USB-Serial-JTAG that leaves the bus with each reset of its chip.
leaving="1-6 usb:303a:1001:7C:DF:A1:00:00:02"
tests=()
for device in "${devices[@]}"; do
  read -r _ name driver _ <<<"$device"
  tests+=("$name: the kernel's $driver takes it")
  tests+=("$name: espbench flashes through the kernel's tty")
  tests+=("$name: espbench resets the board and shows its console through the kernel's tty")
  tests+=("$name: espbench flashes through libusb")
  tests+=("$name: the kernel's driver gets it back")
done
tests+=(
  "USB-Serial-JTAG that leaves the bus with a reset: espbench flashes through libusb"
  "USB-Serial-JTAG that leaves the bus with a reset: espbench resets the board and shows its console through libusb"
  "A user without rights: is told of the udev rule"
  "A user without rights: may open the device with the rule of Scripts/setup --udev"
  "CDC-ACM of g_serial: the kernel's cdc_acm takes it"
  "CDC-ACM of g_serial: espbench flashes through the kernel's tty"
  "CDC-ACM of g_serial: espbench flashes through libusb"
  "espbench lists the kernel's ports and the USB devices"
  "CP2102: unplugged while it is flashed through the kernel's tty: exit code 9"
  "CP2102: unplugged while it is read through the kernel's tty: exit code 9"
  "CP2102: unplugged while its console is shown from the kernel's tty: exit code 9"
  "CP2102: unplugged while it is flashed through libusb: exit code 9"
  "CP2102: unplugged while its console is shown: the monitor goes on when it is back"
  "espbench ports --watch reports what was plugged in and out"
)
