// tone(), as arduino-esp32 3.x has it (Tone.cpp): a task of its own, "toneTask", plays the tones of
// a queue one after the other.
#include "Arduino.h"

namespace {

enum class Command : uint8_t { start, end, setChannel };

struct Message {
  Command command;
  uint8_t pin;
  uint8_t channel;
  unsigned frequency;
  unsigned long duration;
};

constexpr UBaseType_t kQueueLength = 128;
constexpr uint32_t kStack = 3500;
constexpr uint8_t kBits = 10, kAnyChannel = 255;

TaskHandle_t task;
QueueHandle_t queue;
int playingPin = -1;
uint8_t channel = kAnyChannel;

void play(const Message& message) {
  if (playingPin == -1) {
    const bool isAttached = channel == kAnyChannel
                                ? ledcAttach(message.pin, message.frequency, kBits)
                                : ledcAttachChannel(message.pin, message.frequency, kBits, channel);
    if (!isAttached) {
      log_e("Tone start failed");
      return;
    }
    playingPin = message.pin;
  }
  ledcWriteTone(message.pin, message.frequency);
  if (message.duration == 0) return;
  delay(message.duration);
  ledcWriteTone(message.pin, 0);
}

void serve(void*) {
  for (;;) {
    Message message;
    xQueueReceive(queue, &message, portMAX_DELAY);
    switch (message.command) {
      case Command::start:
        play(message);
        break;
      case Command::end:
        ledcWriteTone(message.pin, 0);
        ledcDetach(message.pin);
        playingPin = -1;
        break;
      case Command::setChannel:
        channel = message.channel;
        break;
    }
  }
}

bool isReady() {
  if (queue == nullptr) queue = xQueueCreate(kQueueLength, sizeof(Message));
  if (queue == nullptr) {
    log_e("Could not create tone queue");
    return false;
  }
  if (task == nullptr) xTaskCreate(serve, "toneTask", kStack, nullptr, 1, &task);
  if (task == nullptr) {
    log_e("Could not create tone task");
    return false;
  }
  return true;
}

}  // namespace

void tone(uint8_t pin, unsigned int frequency, unsigned long duration) {
  if (playingPin != -1 && playingPin != pin) {
    log_e("Tone is still running on pin %d, call noTone(%d) first!", playingPin, playingPin);
    return;
  }
  if (!isReady()) return;
  const Message message = {Command::start, pin, 0, frequency, duration};
  xQueueSend(queue, &message, portMAX_DELAY);
}

void noTone(uint8_t pin) {
  if (playingPin != pin) {
    log_e("Tone is not running on given pin %d", pin);
    return;
  }
  if (!isReady()) return;
  xQueueReset(queue);
  const Message message = {Command::end, pin, 0, 0, 0};
  xQueueSend(queue, &message, portMAX_DELAY);
}

void setToneChannel(uint8_t number) {
  if (!isReady()) return;
  const Message message = {Command::setChannel, 0, number, 0, 0};
  xQueueSend(queue, &message, portMAX_DELAY);
}
