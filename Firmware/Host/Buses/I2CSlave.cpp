// I2C slaves, after esp32-hal-i2c-slave.c of arduino-esp32 3.3: the board is the master, and sends
// a transaction at its START (CFC_I2C_TRANSFER). Its bytes pass the FIFOs of the peripheral when
// the bus has them; the handlers of its interrupt move them, and tell the board the end.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "../Arduino/PinOwners.h"
#include "../Arduino/Sleep.h"
#include "../Runtime/Heap.h"
#include "../Runtime/Runtime.h"
#include "../Runtime/StandStill.h"
#include "esp32-hal-i2c-slave.h"
#include "esp32-hal-log.h"
#include "freertos/queue.h"
#include "freertos/ringbuf.h"
#include "freertos/semphr.h"
#include "freertos/task.h"

using namespace espbench;

namespace {

constexpr uint8_t kBuses = 2;
constexpr uint8_t kInput = 0x01, kPullUp = 0x04;  // pinMode()'s bits
constexpr unsigned kFIFO = 32;
constexpr unsigned kEvents = 16, kStack = 4096, kPriority = 20;
constexpr uint32_t kDefaultHertz = 100000, kMaximumHertz = 1000000, kMostHertz = 1100000;
/// Bits of a START with an address, of a byte with its acknowledgement, and of a STOP.
constexpr uint64_t kAddressBits = 10, kByteBits = 9, kStopBits = 1;
constexpr uint64_t kSecond = 1000000000;
/// From the interrupt to the first instruction of its handler, and back.
constexpr uint64_t kServiceNanoseconds = 2000;

struct FIFO {
  uint8_t bytes[kFIFO];
  unsigned count;

  bool push(uint8_t byte) {
    if (count == kFIFO) return false;
    bytes[count++] = byte;
    return true;
  }
  bool pop(uint8_t& byte) {
    if (count == 0) return false;
    byte = bytes[0];
    memmove(bytes, bytes + 1, --count);
    return true;
  }
};

/// An event for the slave's task.
struct Event {
  uint32_t isRequest : 2;
  uint32_t isStopped : 1;
  uint32_t count : 29;
};

struct Slave {
  int8_t sda = -1, scl = -1;
  uint16_t address;
  i2c_slave_request_cb_t request;
  i2c_slave_receive_cb_t receive;
  void* argument;
  TaskHandle_t task;
  QueueHandle_t events, queue;
  RingbufHandle_t ring;
  SemaphoreHandle_t lock;
  uint32_t received;  ///< bytes in the ring since the last event
  FIFO input, output;
  unsigned full, empty;  ///< the counts at which the FIFOs interrupt
  bool isRefilled;       ///< the interrupt of `output` is on
  int core;
  // Causes of the interrupt
  bool isFull, isEmpty, isComplete;
  bool isServed;
};
Slave slaves[kBuses];

/// The transaction on a bus: the board begins one after the end of the other.
struct {
  Slave* slave;  ///< nullptr: there is none
  cfc_i2c head;
  uint8_t* written;
  uint8_t* read;
  uint32_t writeCount, index;
  uint32_t prepared;
  enum { kWriteAddress, kWrite, kReadAddress, kRead, kStop } phase;
  Alarm alarm;
} transfer;

uint8_t numberOf(const Slave& slave) { return static_cast<uint8_t>(&slave - slaves); }

/// Tells the board the end of the transaction.
void report(int32_t status) {
  const uint32_t count = transfer.phase == transfer.kRead || transfer.phase == transfer.kStop
                             ? std::min(transfer.index, transfer.head.read_count)
                             : 0;
  const bool reads = (transfer.head.flags & CFC_I2C_READS) != 0;
  const bool hasWritten = transfer.phase > transfer.kWrite;
  const cfc_i2c_transferred end = {status, hasWritten ? transfer.writeCount : transfer.index,
                                   reads ? count : 0, transfer.prepared};
  send(CFC_I2C_TRANSFERRED, &end, sizeof end, transfer.read, end.count);
  clearAlarm(transfer.alarm);
  transfer.slave = nullptr;
  HostScope own;
  free(transfer.written);
  free(transfer.read);
  transfer.written = transfer.read = nullptr;
}

void fill(Slave& slave) {
  uint8_t byte;
  BaseType_t woken = pdFALSE;
  while (slave.output.count < kFIFO) {
    if (xQueueReceiveFromISR(slave.queue, &byte, &woken) != pdTRUE) {
      slave.isRefilled = false;
      break;
    }
    slave.output.push(byte);
  }
  if (woken == pdTRUE) portYIELD_FROM_ISR();
}

void empty(Slave& slave) {
  BaseType_t woken = pdFALSE;
  if (slave.input.count == 0) return;
  if (xRingbufferSendFromISR(slave.ring, slave.input.bytes, slave.input.count, &woken) != pdTRUE) {
    log_e("rx_ring_buf_full");
  } else {
    slave.received += slave.input.count;
  }
  slave.input.count = 0;
  if (woken == pdTRUE) portYIELD_FROM_ISR();
}

void tell(Slave& slave, const Event& event) {
  BaseType_t woken = pdFALSE;
  xQueueSendFromISR(slave.events, &event, &woken);
  if (woken == pdTRUE) portYIELD_FROM_ISR();
}

/// The handler of the interrupt.
void serve(void* argument) {
  Slave& slave = *static_cast<Slave*>(argument);
  while (slave.task != nullptr && (slave.isFull || slave.isComplete || slave.isEmpty)) {
    spend(kServiceNanoseconds);
    if (slave.isFull || slave.isComplete) empty(slave);
    if (slave.isComplete) {
      const bool isRead = (transfer.head.flags & CFC_I2C_READS) != 0;
      if (slave.received > 0) tell(slave, {false, !isRead, slave.received});
      slave.received = 0;
      if (isRead) tell(slave, {true, true, 0});
      if (transfer.slave == &slave) report(CFC_I2C_DONE);
    }
    if (slave.isEmpty && slave.isRefilled) fill(slave);
    slave.isFull = slave.isComplete = slave.isEmpty = false;
  }
  slave.isServed = false;
}

void interrupt(Slave& slave, uint64_t time) {
  if (slave.isServed) return;
  slave.isServed = true;
  runInterrupt(slave.core, serve, &slave, time);
}

void after(uint64_t bits) {
  setAlarm(transfer.alarm, transfer.alarm.time + bits * kSecond / transfer.head.clock_hz);
}

/// The peripheral takes the byte that it sends next.
void load(Slave& slave, uint64_t time) {
  uint8_t byte = 0xff;
  if (slave.output.pop(byte)) transfer.prepared++;
  transfer.read[transfer.index] = byte;
  if (slave.isRefilled && slave.output.count <= slave.empty) {
    slave.isEmpty = true;
    interrupt(slave, time);
  }
  after(kByteBits);
}

void beginRead() {
  transfer.index = 0;
  transfer.phase = transfer.kReadAddress;
  after(kAddressBits);
}

/// The bus has passed the end of a phase, or of a byte.
void step(void*) {
  Slave& slave = *transfer.slave;
  const uint64_t time = transfer.alarm.time;
  // The peripheral has no clock in light sleep, and acknowledges nothing more.
  if (standsStill()) return report(CFC_I2C_NO_DATA);
  switch (transfer.phase) {
    case transfer.kWrite:
      slave.input.push(transfer.written[transfer.index++]);
      if (slave.input.count >= slave.full) {
        slave.isFull = true;
        interrupt(slave, time);
      }
      [[fallthrough]];
    case transfer.kWriteAddress:
      transfer.phase = transfer.kWrite;
      if (transfer.index < transfer.writeCount) return after(kByteBits);
      if ((transfer.head.flags & CFC_I2C_READS) != 0) return beginRead();
      break;
    case transfer.kRead:
      transfer.index++;
      [[fallthrough]];
    case transfer.kReadAddress:
      transfer.phase = transfer.kRead;
      if (transfer.index < transfer.head.read_count) return load(slave, time);
      break;
    case transfer.kStop:
      slave.isComplete = true;
      return interrupt(slave, time);
  }
  transfer.phase = transfer.kStop;
  after(kStopBits);
}

/// A master's START.
void begin(const uint8_t* payload, size_t length, uint64_t time) {
  cfc_i2c head;
  if (length < sizeof head || transfer.slave != nullptr) return;
  memcpy(&head, payload, sizeof head);
  Slave* slave = std::find_if(slaves, slaves + kBuses, [&](const Slave& slave) {
    return slave.task != nullptr && slave.address == head.address && slave.sda == head.sda &&
           slave.scl == head.scl;
  });
  transfer.head = head;
  transfer.head.clock_hz = std::max(head.clock_hz, 1u);
  transfer.index = transfer.prepared = 0;
  transfer.writeCount = static_cast<uint32_t>(length - sizeof head);
  const bool writes = (head.flags & CFC_I2C_WRITES) != 0;
  transfer.phase = writes ? transfer.kWriteAddress : transfer.kReadAddress;
  if (slave == slaves + kBuses || standsStill()) return report(CFC_I2C_NO_ADDRESS);
  {
    HostScope own;
    transfer.written = static_cast<uint8_t*>(malloc(transfer.writeCount + 1));
    transfer.read = static_cast<uint8_t*>(malloc(head.read_count + 1));
    if (transfer.written == nullptr || transfer.read == nullptr) abort();
  }
  memcpy(transfer.written, payload + sizeof head, transfer.writeCount);
  transfer.slave = slave;
  transfer.alarm.handler = step;
  transfer.alarm.isOutside = true;
  // This core may be ahead of the board.
  transfer.alarm.time = std::max(time, now());
  after(kAddressBits);
}

void tellBoard(const Slave& slave, bool isBegun) {
  const cfc_i2c_slave message = {static_cast<uint8_t>(slave.sda), static_cast<uint8_t>(slave.scl),
                                 slave.address, isBegun};
  send(CFC_I2C_SLAVE, &message, sizeof message);
}

/// The bytes of a write, from the ring.
size_t readRing(Slave& slave, uint8_t* data, size_t count) {
  size_t taken = 0;
  while (taken < count) {
    size_t size = 0;
    void* bytes = xRingbufferReceiveUpTo(slave.ring, &size, 0, count - taken);
    if (bytes == nullptr) break;
    if (data != nullptr) memcpy(data + taken, bytes, size);
    vRingbufferReturnItem(slave.ring, bytes);
    taken += size;
  }
  return data != nullptr ? taken : 0;
}

void runTask(void* argument) {
  Slave& slave = *static_cast<Slave*>(argument);
  for (Event event;;) {
    if (xQueueReceive(slave.events, &event, portMAX_DELAY) != pdTRUE) continue;
    if (event.isRequest) {
      if (slave.request != nullptr) slave.request(numberOf(slave), slave.argument);
      continue;
    }
    auto* data = static_cast<uint8_t*>(malloc(event.count));
    if (data == nullptr) log_e("Malloc (%u) Failed", event.count);
    const size_t count = readRing(slave, data, event.count);
    if (slave.receive != nullptr) {
      slave.receive(numberOf(slave), data, count, event.isStopped, slave.argument);
    }
    free(data);
  }
}

void detach(void* argument) {
  const Slave& slave = *static_cast<Slave*>(argument);
  if (slave.sda >= 0) i2cSlaveDeinit(numberOf(slave));
}

void release(Slave& slave) {
  if (transfer.slave == &slave) report(CFC_I2C_NO_DATA);
  if (slave.sda >= 0) {
    tellBoard(slave, false);
    const int8_t pins[] = {slave.scl, slave.sda};
    slave.scl = slave.sda = -1;
    for (const int8_t pin : pins) {
      const auto number = static_cast<unsigned>(pin);
      if (ownerOfPin(number, detach) != &slave) continue;
      releasePin(number);
      configurePin(number, kInput | kPullUp);
    }
  }
  TaskHandle_t task = slave.task;
  slave.task = nullptr;
  const bool isOwn = task == xTaskGetCurrentTaskHandle();
  if (task != nullptr && !isOwn) vTaskDelete(task);
  if (slave.ring != nullptr) vRingbufferDelete(slave.ring);
  if (slave.queue != nullptr) vQueueDelete(slave.queue);
  if (slave.events != nullptr) vQueueDelete(slave.events);
  slave.ring = nullptr;
  slave.queue = slave.events = nullptr;
  slave.received = 0;
  slave.input.count = slave.output.count = 0;
  slave.isRefilled = slave.isFull = slave.isEmpty = slave.isComplete = false;
  if (task != nullptr && isOwn) vTaskDelete(task);
}

bool isUsable(int pin) {
  if (pin >= 0 && hasOutput(static_cast<unsigned>(pin))) return true;
  if (pin >= 0) {
    ignorePin(static_cast<unsigned>(pin),
              isPin(static_cast<unsigned>(pin)) ? CFC_IGNORED_NO_OUTPUT : CFC_IGNORED_NO_PIN);
  }
  return false;
}

/// The part of i2cSlaveInit() that needs the lock.
esp_err_t init(Slave& slave, int sda, int scl, uint32_t hertz, size_t rx, size_t tx) {
  release(slave);
  slave.ring = xRingbufferCreate(rx, RINGBUF_TYPE_BYTEBUF);
  if (slave.ring == nullptr) {
    log_e("RX RingBuf create failed");
    return ESP_ERR_NO_MEM;
  }
  slave.queue = xQueueCreate(tx, sizeof(uint8_t));
  if (slave.queue == nullptr) {
    log_e("TX queue create failed");
    return ESP_ERR_NO_MEM;
  }
  slave.events = xQueueCreate(kEvents, sizeof(Event));
  if (slave.events == nullptr) {
    log_e("Event queue create failed");
    return ESP_ERR_NO_MEM;
  }
  xTaskCreate(runTask, "i2c_slave_task", kStack, &slave, kPriority, &slave.task);
  if (slave.task == nullptr) {
    log_e("Event thread create failed");
    return ESP_ERR_NO_MEM;
  }
  // The FIFOs interrupt earlier on a faster bus.
  slave.empty = std::min(hertz * 5 / 4, kMostHertz) / 50000 + 2;
  slave.full = kFIFO - slave.empty;
  for (const int pin : {sda, scl}) {
    claimPin(static_cast<unsigned>(pin), detach, &slave);
    configurePin(static_cast<unsigned>(pin), kInput | kPullUp);
  }
  slave.sda = static_cast<int8_t>(sda);
  slave.scl = static_cast<int8_t>(scl);
  tellBoard(slave, true);
  if (pinLevel(static_cast<unsigned>(sda)) && pinLevel(static_cast<unsigned>(scl))) return ESP_OK;
  log_e("Bus Invalid State, Can't init sda=%d, scl=%d", pinLevel(static_cast<unsigned>(sda)),
        pinLevel(static_cast<unsigned>(scl)));
  log_e("bad pin state");
  return ESP_FAIL;
}

}  // namespace

extern "C" {

esp_err_t i2cSlaveAttachCallbacks(uint8_t num, i2c_slave_request_cb_t request_callback,
                                  i2c_slave_receive_cb_t receive_callback, void* arg) {
  if (num >= kBuses) {
    log_e("Invalid port num: %u", num);
    return ESP_ERR_INVALID_ARG;
  }
  Slave& slave = slaves[num];
  slave.request = request_callback;
  slave.receive = receive_callback;
  slave.argument = arg;
  return ESP_OK;
}

esp_err_t i2cSlaveInit(uint8_t num, int sda, int scl, uint16_t slaveID, uint32_t frequency,
                       size_t rx_len, size_t tx_len) {
  if (num >= kBuses) {
    log_e("Invalid port num: %u", num);
    return ESP_ERR_INVALID_ARG;
  }
  if (sda < 0 || scl < 0) {
    log_e("invalid pins sda=%d, scl=%d", sda, scl);
    return ESP_ERR_INVALID_ARG;
  }
  // The chip would go on, deaf.
  if (!isUsable(sda) || !isUsable(scl)) return ESP_ERR_INVALID_ARG;
  Slave& slave = slaves[num];
  if (slave.lock == nullptr) slave.lock = xSemaphoreCreateMutex();
  if (slave.lock == nullptr) {
    log_e("RX queue create failed");
    return ESP_ERR_NO_MEM;
  }
  xSemaphoreTake(slave.lock, portMAX_DELAY);
  const uint32_t hertz = frequency == 0 ? kDefaultHertz : std::min(frequency, kMaximumHertz);
  slave.address = slaveID;
  slave.core = currentCore();
  setTransferHandler(begin);
  const esp_err_t error = init(slave, sda, scl, hertz, rx_len, tx_len);
  if (error != ESP_OK) release(slave);
  xSemaphoreGive(slave.lock);
  return error;
}

esp_err_t i2cSlaveDeinit(uint8_t num) {
  if (num >= kBuses) {
    log_e("Invalid port num: %u", num);
    return ESP_ERR_INVALID_ARG;
  }
  Slave& slave = slaves[num];
  if (slave.lock == nullptr) {
    log_e("Lock is not initialized! Did you call i2c_slave_init()?");
    return ESP_ERR_NO_MEM;
  }
  xSemaphoreTake(slave.lock, portMAX_DELAY);
  release(slave);
  xSemaphoreGive(slave.lock);
  return ESP_OK;
}

size_t i2cSlaveWrite(uint8_t num, const uint8_t* buf, uint32_t len, uint32_t timeout_ms) {
  if (num >= kBuses) {
    log_e("Invalid port num: %u", num);
    return 0;
  }
  Slave& slave = slaves[num];
  if (slave.lock == nullptr) {
    log_e("Lock is not initialized! Did you call i2c_slave_init()?");
    return ESP_ERR_NO_MEM;  // As there.
  }
  if (slave.queue == nullptr) return 0;
  xSemaphoreTake(slave.lock, portMAX_DELAY);
  slave.isRefilled = false;
  slave.output.count = 0;
  const uint32_t direct = std::min<uint32_t>(len, kFIFO);
  for (uint32_t i = 0; i < direct; i++) slave.output.push(buf[i]);
  xQueueReset(slave.queue);
  uint32_t queued = std::min<uint32_t>(len - direct, uxQueueSpacesAvailable(slave.queue));
  for (uint32_t i = 0; i < queued; i++) {
    if (xQueueSend(slave.queue, &buf[direct + i], timeout_ms) == pdTRUE) continue;
    xQueueReset(slave.queue);
    queued = 0;
  }
  slave.isRefilled = queued > 0;
  xSemaphoreGive(slave.lock);
  return direct + queued;
}

}  // extern "C"
