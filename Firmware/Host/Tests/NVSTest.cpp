#include <algorithm>

#include "Board.h"
#include "TableStorage.h"
#include "Testing.h"

namespace {

using Lines = std::vector<std::string>;

}  // namespace

TEST(nvsAnswersAsESPIDFDoes) {
  TableStorage storage;
  Board board("NVS");
  board.answer = [&](const Message& call, Bytes& more) { return storage.answer(call, more); };
  board.runToEnd();
  Lines lines = board.lines();
  const Lines expected = {"not there ESP_ERR_NVS_NOT_FOUND",
                          "open ESP_OK",
                          "set ESP_OK",
                          "get ESP_OK",
                          "40000",
                          "missing ESP_ERR_NVS_NOT_FOUND",
                          "40000",
                          "long key ESP_ERR_NVS_KEY_TOO_LONG",
                          "blob ESP_OK",
                          "length ESP_OK",
                          "3",
                          "short ESP_ERR_NVS_INVALID_LENGTH",
                          "3",
                          "whole ESP_OK",
                          "3: 1 2 3",
                          "text ESP_OK",
                          "find ESP_OK",
                          "0x21",
                          "find none ESP_ERR_NVS_NOT_FOUND",
                          "erase ESP_OK",
                          "again ESP_ERR_NVS_NOT_FOUND",
                          "commit ESP_OK",
                          "reader ESP_OK",
                          "read only ESP_ERR_NVS_READ_ONLY",
                          "closed ESP_ERR_NVS_INVALID_HANDLE",
                          "still open ESP_OK",
                          "other ESP_ERR_NVS_PART_NOT_FOUND",
                          "erase all ESP_OK",
                          "erased ESP_ERR_NVS_INVALID_HANDLE",
                          "before init ESP_ERR_NVS_NOT_INITIALIZED",
                          "init ESP_OK",
                          "empty ESP_ERR_NVS_NOT_FOUND"};
  EXPECT(lines.size() > expected.size());
  EXPECT_EQUAL(Lines(lines.begin(),
                     lines.begin() + static_cast<long>(std::min(lines.size(), expected.size()))),
               expected);
  // ESP_ERROR_CHECK prints the error, then aborts.
  const std::string console = board.console();
  EXPECT(console.find("ESP_ERROR_CHECK failed: esp_err_t 0x1107 (ESP_ERR_NVS_INVALID_HANDLE) at "
                      "0x") != std::string::npos);
  EXPECT(console.find("expression: nvs_commit(reader)") != std::string::npos);
  EXPECT_EQUAL(board.fault().kind, static_cast<uint32_t>(CFC_FAULT_ABORT));
}
