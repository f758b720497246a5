#include <map>

#include "Board.h"
#include "TableStorage.h"
#include "Testing.h"

namespace {

using Lines = std::vector<std::string>;

/// A board with a table as storage.
struct StoringBoard : Board {
  TableStorage storage;

  StoringBoard() : Board("Storage") {
    answer = [this](const Message& call, Bytes& more) { return storage.answer(call, more); };
    run(kSecond);
  }
};

}  // namespace

TEST(preferencesStoreEveryType) {
  StoringBoard board;
  EXPECT_EQUAL(board.lines(),
               Lines{"begin 1 again 0", "put 1 1 2 2 4 4 4 4 8 8 1", "put 4 8 7 1 3",
                     "refused 0 0 0 0", "-1 255 -2 65535 -3 4294967295 -4 5 -6 102030405060708 1",
                     "1.50 -2.25 Grüße x", "text 0 8 8 Grüße", "blob 3 0 3 610062",
                     "types 1 6 8 9 10", "defaults 7 9 no 0 1", "read only 0 0 0", "free 600",
                     "remove 1 0 0", "clear 1 0", "ended 0 8", "missing 0 0 0"});
}

TEST(preferencesUseTheTypesOfESPIDF) {
  StoringBoard board;
  std::map<std::string, uint32_t> types;
  std::map<std::string, Bytes> values;
  for (const Message& message : board.received(CFC_NVS_SET)) {
    auto item = message.as<cfc_nvs_item>();
    types[item.key] = item.type;
    values[item.key] = message.after<cfc_nvs_item>();
    EXPECT_EQUAL(item.name_space, board.storage.spaces["store"]);
  }
  EXPECT_EQUAL(types.size(), 16u);
  EXPECT_EQUAL(types["i8"], 0x11u);
  EXPECT_EQUAL(types["flag"], 0x01u);
  EXPECT_EQUAL(types["ulong"], 0x04u);
  EXPECT_EQUAL(types["u64"], 0x08u);
  EXPECT_EQUAL(types["float"], 0x42u);
  EXPECT_EQUAL(types["string"], 0x21u);
  EXPECT_EQUAL(values["string"], Bytes{'x', 0});
  EXPECT_EQUAL(values["u64"], Bytes{8, 7, 6, 5, 4, 3, 2, 1});
}
