// The bridge's wiring and sizes.
#pragma once

#include <cstddef>
#include <cstdint>

constexpr uint32_t kBaudRate = 115200;
/// The pins of Serial1. CTS is an input, RTS an output.
constexpr int8_t kReceivePin = 26, kTransmitPin = 27, kCTSPin = 14, kRTSPin = 13;
/// A jumper from here to ground: RTS and CTS are not wired.
constexpr uint8_t kNoFlowControlPin = 4;
/// The receive buffer of the UART driver: for bytes that arrive while the loop does something else.
constexpr size_t kDriverReceive = 1024;

/// The size of each buffer; README.md promises it to clients.
constexpr uint32_t kCapacity = 8192;
/// The longest value of a characteristic (Core 5.4, Vol 3 Part F 3.2.9).
constexpr size_t kLongestValue = 512;
/// How long a write waits for room, ms: ATT ends a link after 30 s.
constexpr uint32_t kWriteHold = 20000;
/// How long bytes that do not fill a notification wait for more, ms.
constexpr uint32_t kGathering = 10;
/// The least time between two reports of losses on the console, ms.
constexpr uint32_t kReportInterval = 500;
