// Uses nvs.h and nvs_flash.h; prints the results.
#include <nvs_flash.h>

static void say(const char* what, esp_err_t error) {
  Serial.printf("%s %s\r\n", what, esp_err_to_name(error));
}

static void values(nvs_handle_t handle) {
  say("set", nvs_set_u16(handle, "number", 40000));
  uint16_t number = 7;
  say("get", nvs_get_u16(handle, "number", &number));
  Serial.println(number);
  say("missing", nvs_get_u16(handle, "none", &number));
  Serial.println(number);
  say("long key", nvs_set_u8(handle, "sixteen letters!", 1));

  const uint8_t bytes[] = {1, 2, 3};
  say("blob", nvs_set_blob(handle, "blob", bytes, sizeof bytes));
  uint8_t read[3] = {};
  size_t length = 0;
  say("length", nvs_get_blob(handle, "blob", nullptr, &length));
  Serial.println(length);
  length = 2;
  say("short", nvs_get_blob(handle, "blob", read, &length));
  Serial.println(length);
  say("whole", nvs_get_blob(handle, "blob", read, &length));
  Serial.printf("%u: %u %u %u\r\n", static_cast<unsigned>(length), read[0], read[1], read[2]);
  say("text", nvs_set_str(handle, "text", "hello"));
  nvs_type_t type = NVS_TYPE_ANY;
  say("find", nvs_find_key(handle, "text", &type));
  Serial.printf("%#x\r\n", type);
  say("find none", nvs_find_key(handle, "none", &type));
  say("erase", nvs_erase_key(handle, "number"));
  say("again", nvs_erase_key(handle, "number"));
  say("commit", nvs_commit(handle));
}

void setup() {
  Serial.begin(115200);
  nvs_handle_t writer = 0, reader = 0;
  say("not there", nvs_open("space", NVS_READONLY, &reader));
  say("open", nvs_open("space", NVS_READWRITE, &writer));
  values(writer);
  say("reader", nvs_open("space", NVS_READONLY, &reader));
  say("read only", nvs_set_u8(reader, "number", 1));
  nvs_close(writer);
  say("closed", nvs_set_u8(writer, "number", 1));
  say("still open", nvs_commit(reader));
  say("other", nvs_open_from_partition("other", "space", NVS_READWRITE, &writer));

  say("erase all", nvs_flash_erase());
  say("erased", nvs_commit(reader));
  say("before init", nvs_open("space", NVS_READWRITE, &writer));
  say("init", nvs_flash_init());
  say("empty", nvs_open("space", NVS_READONLY, &reader));
  ESP_ERROR_CHECK(nvs_commit(reader));
}

void loop() { delay(1000); }
