#include "HardwareSerial.h"

#include <algorithm>

#include "Arduino.h"
#include "Sleep.h"
#include "UART.h"
#include "esp32-hal-log.h"

HardwareSerial Serial(0);
HardwareSerial Serial1(1);
HardwareSerial Serial2(2);

using espbench::UART;

namespace {

constexpr uint32_t kDefaultBaud = 115200;
// uartBegin and _createEventTask of arduino-esp32.
constexpr unsigned kEventPriority = espbench::kPriorities - 1;
constexpr size_t kEventStack = 2048;
constexpr int8_t kFirstFlashPin = 6, kLastFlashPin = 11;

/// The callbacks that a sketch has registered.
struct Callbacks {
  OnReceiveCb onReceive;
  OnReceiveErrorCb onError;
  espbench::Task* task;
};
Callbacks callbacks[espbench::kUARTs];

/// The bytes printed to Serial while it was not begun.
uint32_t lostBytes;

UART& uartOf(uint8_t number) { return espbench::uarts[number % espbench::kUARTs]; }
UART& console() { return espbench::uarts[0]; }

void runCallbacks(void* argument) {
  UART& uart = *static_cast<UART*>(argument);
  Callbacks& own = callbacks[uart.port];
  for (;;) {
    while (uart.hasArrived || uart.hasOverflowed) {
      bool hasOverflowed = uart.hasOverflowed;
      bool hasArrived = uart.hasArrived;
      uart.hasOverflowed = uart.hasArrived = false;
      if (hasOverflowed && own.onError) own.onError(UART_FIFO_OVF_ERROR);
      if (hasArrived && own.onReceive) own.onReceive();
    }
    espbench::waitIn(uart.waiters, espbench::kForEver);
  }
}

void startCallbacks(uint8_t number) {
  Callbacks& own = callbacks[number];
  if (own.task != nullptr || !(own.onReceive || own.onError)) return;
  own.task = espbench::createTask(runCallbacks, "uart_event_task", kEventStack, &uartOf(number),
                                  kEventPriority, espbench::kAnyCore);
}

bool isFlashPin(int8_t pin) { return pin >= kFirstFlashPin && pin <= kLastFlashPin; }

}  // namespace

namespace espbench {

/// printf() and puts() of the C library go to the console, as on the chip: a line ends with CRLF.
ssize_t writeConsole(void*, const char* text, size_t length) {
  // ESP-IDF's lock_acquire_generic(): stdout's lock is recursive; an interrupt must not take such a
  // lock.
  if (inInterrupt()) abort();
  for (size_t i = 0; i < length; i++) {
    if (text[i] == '\n') console().transmit(reinterpret_cast<const uint8_t*>("\r"), 1);
    console().transmit(reinterpret_cast<const uint8_t*>(text + i), 1);
  }
  return static_cast<ssize_t>(length);
}

void openConsole() {
  cookie_io_functions_t functions = {};
  functions.write = writeConsole;
  FILE* console = fopencookie(nullptr, "w", functions);
  if (console == nullptr) return;
  // Line buffered, like newlib's stdout. Without a buffer, the C library would put one of 8 KB on
  // the task's stack in each call.
  static char line[128];
  setvbuf(console, line, _IOLBF, sizeof line);
  stdout = console;
}

void drainConsole() { console().drain(); }

uint32_t lostOutput() { return lostBytes; }

}  // namespace espbench

void HardwareSerial::begin(unsigned long baud, uint32_t, int8_t rxPin, int8_t txPin, bool,
                           unsigned long, uint8_t) {
  if (_uart != 0) {
    for (int8_t pin : {rxPin, txPin}) {
      if (isFlashPin(pin)) espbench::configurePin(static_cast<unsigned>(pin), INPUT);
    }
    // uart_set_pin() of ESP-IDF refuses such a pin, and the UART is not started.
    if (txPin >= 0 && !(espbench::isPin(txPin) && espbench::hasOutput(txPin))) {
      log_e("UART%d: tx_io_num error", _uart);
      return espbench::ignorePin(static_cast<unsigned>(txPin), CFC_IGNORED_NO_OUTPUT);
    }
  }
  uartOf(_uart).open(baud == 0 ? kDefaultBaud : static_cast<uint32_t>(baud));
  startCallbacks(_uart);
}

void HardwareSerial::end() {
  if (uartOf(_uart).isOpen) uartOf(_uart).close();
}

void HardwareSerial::updateBaudRate(unsigned long baud) {
  if (uartOf(_uart).isOpen && baud != 0) uartOf(_uart).setBaud(static_cast<uint32_t>(baud));
}

uint32_t HardwareSerial::baudRate() { return uartOf(_uart).isOpen ? uartOf(_uart).baud : 0; }

HardwareSerial::operator bool() const { return uartOf(_uart).isOpen; }

bool HardwareSerial::setPins(int8_t rxPin, int8_t txPin, int8_t ctsPin, int8_t rtsPin) {
  for (int8_t pin : {rxPin, txPin, ctsPin, rtsPin}) {
    if (!isFlashPin(pin)) continue;
    log_e("GPIO %d belongs to the flash chip", pin);
    return false;
  }
  return true;
}

bool HardwareSerial::setHwFlowCtrlMode(SerialHwFlowCtrl mode, uint8_t threshold) {
  UART& uart = uartOf(_uart);
  if (_uart == 0 || !uart.isOpen || threshold >= espbench::kUARTFIFOSize) return false;
  uart.usesRTS = (mode & UART_HW_FLOWCTRL_RTS) != 0;
  uart.usesCTS = (mode & UART_HW_FLOWCTRL_CTS) != 0;
  uart.threshold = threshold;
  cfc_serial_line line = {_uart, uart.usesCTS};
  espbench::send(CFC_SERIAL_FLOW, &line, sizeof line);
  uart.updateReady();
  return true;
}

size_t HardwareSerial::setRxBufferSize(size_t size) {
  UART& uart = uartOf(_uart);
  if (uart.isOpen) return 0;  // As in the core: only before begin().
  delete[] uart.ring;
  uart.ring = nullptr;
  uart.ringCapacity = std::max(size, static_cast<size_t>(espbench::kUARTFIFOSize + 1));
  return uart.ringCapacity;
}

size_t HardwareSerial::setTxBufferSize(size_t size) {
  UART& uart = uartOf(_uart);
  if (uart.isOpen) return 0;
  if (size > 0) size = std::max(size, static_cast<size_t>(espbench::kUARTFIFOSize + 1));
  return uart.transmitBuffer = size;
}

void HardwareSerial::onReceive(OnReceiveCb function, bool) {
  callbacks[_uart % espbench::kUARTs].onReceive = function;
  if (uartOf(_uart).isOpen) startCallbacks(_uart);
}

void HardwareSerial::onReceiveError(OnReceiveErrorCb function) {
  callbacks[_uart % espbench::kUARTs].onError = function;
  if (uartOf(_uart).isOpen) startCallbacks(_uart);
}

int HardwareSerial::available() {
  espbench::spend(espbench::kPollNanoseconds);
  return static_cast<int>(uartOf(_uart).ringCount);
}

int HardwareSerial::availableForWrite() {
  espbench::spend(espbench::kPollNanoseconds);
  return static_cast<int>(uartOf(_uart).room());
}

int HardwareSerial::peek() {
  espbench::spend(espbench::kPollNanoseconds);
  const UART& uart = uartOf(_uart);
  return uart.ringCount > 0 ? uart.ring[uart.ringStart] : -1;
}

int HardwareSerial::read() {
  espbench::spend(espbench::kPollNanoseconds);
  return uartOf(_uart).take();
}

size_t HardwareSerial::read(uint8_t* buffer, size_t size) {
  size_t count = 0;
  while (count < size && uartOf(_uart).ringCount > 0)
    buffer[count++] = static_cast<uint8_t>(read());
  return count;
}

void HardwareSerial::flush() { flush(true); }

void HardwareSerial::flush(bool transmitOnly) {
  if (!uartOf(_uart).isOpen) return;
  uartOf(_uart).drain();
  if (!transmitOnly) uartOf(_uart).discardReceived();
}

size_t HardwareSerial::write(const uint8_t* buffer, size_t size) {
  if (!uartOf(_uart).isOpen) {
    if (_uart == 0) lostBytes += static_cast<uint32_t>(size);
    return 0;
  }
  uartOf(_uart).transmit(buffer, size);
  return size;
}

extern "C" int log_printf(const char* format, ...) {
  char text[256];
  va_list arg;
  va_start(arg, format);
  int length = vsnprintf(text, sizeof text, format, arg);
  va_end(arg);
  if (length <= 0) return 0;
  size_t count = std::min(static_cast<size_t>(length), sizeof text - 1);
  console().transmit(reinterpret_cast<const uint8_t*>(text), count);
  return static_cast<int>(count);
}

extern "C" const char* pathToFileName(const char* path) {
  const char* slash = strrchr(path, '/');
  return slash != nullptr ? slash + 1 : path;
}
