// Puts and gets values of every type, and prints the results.
#include <Preferences.h>

static void putEverything() {
  Preferences store;
  bool isOpen = store.begin("store");
  Serial.printf("begin %d again %d\r\n", isOpen, store.begin("store"));
  Serial.printf("put %u %u %u %u %u %u %u %u %u %u %u\r\n", store.putChar("i8", -1),
                store.putUChar("u8", 255), store.putShort("i16", -2), store.putUShort("u16", 65535),
                store.putInt("i32", -3), store.putUInt("u32", 4294967295u),
                store.putLong("long", -4), store.putULong("ulong", 5), store.putLong64("i64", -6),
                store.putULong64("u64", 0x0102030405060708), store.putBool("flag", true));
  Serial.printf("put %u %u %u %u %u\r\n", store.putFloat("float", 1.5f),
                store.putDouble("double", -2.25), store.putString("text", "Grüße"),
                store.putString("string", String("x")), store.putBytes("blob", "a\0b", 3));
  Serial.printf("refused %u %u %u %u\r\n", store.putBytes("none", "", 0),
                store.putString("null", static_cast<const char*>(nullptr)),
                store.putUChar("sixteen letters.", 1), store.putUChar(nullptr, 1));
}

static void getEverything() {
  Preferences store;
  store.begin("store", true);
  Serial.printf("%d %u %d %u %d %u %d %u %lld %llx %d\r\n", store.getChar("i8"),
                store.getUChar("u8"), store.getShort("i16"), store.getUShort("u16"),
                store.getInt("i32"), store.getUInt("u32"), store.getLong("long"),
                store.getULong("ulong"), static_cast<long long>(store.getLong64("i64")),
                static_cast<unsigned long long>(store.getULong64("u64")), store.getBool("flag"));
  char text[16] = "untouched", blob[4] = "zzz";
  Serial.printf("%.2f %.2f %s %s\r\n", static_cast<double>(store.getFloat("float")),
                store.getDouble("double"), store.getString("text").c_str(),
                store.getString("string", "default").c_str());
  size_t refused = store.getString("text", text, 7);
  size_t length = store.getString("text", text, 8);
  Serial.printf("text %u %u %u %s\r\n", refused, length, store.getStringLength("text"), text);
  refused = store.getBytes("blob", blob, 2);
  length = store.getBytes("blob", blob, sizeof blob);
  Serial.printf("blob %u %u %u", store.getBytesLength("blob"), refused, length);
  Serial.printf(" %02x%02x%02x\r\n", blob[0], blob[1], blob[2]);
  Serial.printf("types %d %d %d %d %d\r\n", store.getType("u8"), store.getType("i64"),
                store.getType("text"), store.getType("double"), store.getType("nothing"));
  Serial.printf("defaults %d %u %s %d %d\r\n", store.getInt("nothing", 7), store.getUChar("i8", 9),
                store.getString("nothing", "no").c_str(), store.isKey("nothing"),
                store.isKey("flag"));
  Serial.printf("read only %u %d %d\r\n", store.putInt("i32", 1), store.clear(),
                store.remove("i32"));
  Serial.printf("free %u\r\n", static_cast<unsigned>(store.freeEntries()));
}

static void removeThings() {
  Preferences store;
  store.begin("store");
  bool isGone = store.remove("i8");
  Serial.printf("remove %d %d %d\r\n", isGone, store.remove("i8"), store.isKey("i8"));
  isGone = store.clear();
  Serial.printf("clear %d %d\r\n", isGone, store.isKey("u8"));
  store.end();
  Serial.printf("ended %u %d\r\n", store.putInt("i32", 1), store.getInt("i32", 8));
  Preferences missing;
  Serial.printf("missing %d %d %d\r\n", missing.begin("missing", true),
                missing.begin("a name of sixteen"), missing.begin("store", false, "other"));
}

void setup() {
  Serial.begin(115200);
  putEverything();
  getEverything();
  removeThings();
}

void loop() { delay(1000); }
