// Brings its own Bluetooth host, a tiny one: it advertises, and prints what the controller says.
// It uses the host core's functions, as the host core's part for libraries does.
struct cfc_message {
  uint16_t type, flags;
  uint32_t length;
  uint64_t time;
};
struct PublicAddress {
  uint8_t type, bytes[6], reserved;
};

namespace espbench {
int32_t call(uint16_t type, const void* fixed, size_t fixedLength, const void* tail,
             size_t tailLength, void* reply, size_t replyLength);
void send(uint16_t type, const void* fixed, size_t fixedLength, const void* tail,
          size_t tailLength);
bool takeMessage(cfc_message& message, const uint8_t*& payload);
}  // namespace espbench

constexpr uint16_t kPacket = 19, kOpen = 101, kSend = 102, kName = 105;

constexpr uint16_t kESP32 = 0, kESP32S3 = 9;

void open(uint16_t chip) {
  PublicAddress address;
  const uint16_t fields[] = {chip, 0};
  int32_t status =
      espbench::call(kOpen, fields, sizeof fields, nullptr, 0, &address, sizeof address);
  Serial.printf("open %d %02x\r\n", static_cast<int>(status), address.bytes[5]);
}

template <size_t size>
void command(const uint8_t (&bytes)[size]) {
  espbench::send(kSend, bytes, size, nullptr, 0);
}

void setup() {
  Serial.begin(115200);
  espbench::send(kName, "TinyHost 1", 10, nullptr, 0);
  open(kESP32);
  command({1, 0x03, 0x0C, 0});                                                  // Reset
  command({1, 0x01, 0x0C, 8, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x3F});  // Set Event Mask
  command({1, 0x09, 0x10, 0});                                                  // Read BD_ADDR
  command({1, 0x08, 0x20, 32, 3, 2, 0x09, 'T', 0, 0, 0,  // LE Set Advertising Data
           0, 0,    0,    0,  0, 0, 0,    0,   0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  command({1, 0x0A, 0x20, 1, 1});  // LE Set Advertising Enable
}

void loop() {
  delay(10);
  cfc_message message;
  const uint8_t* payload;
  while (espbench::takeMessage(message, payload)) {
    if (message.type != kPacket) continue;
    for (uint32_t i = 0; i < message.length; i++) Serial.printf("%02x", payload[i]);
    Serial.println();
  }
  const int key = Serial.read();
  if (key == 'o') {
    open(kESP32);
    command({1, 0x09, 0x10, 0});
  }
  if (key == '4' || key == '5') {
    open(key == '5' ? kESP32S3 : kESP32);
    command({1, 0x3A, 0x20, 0});  // LE Read Maximum Advertising Data Length
  }
}
