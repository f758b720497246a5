// A test names UUIDs, securities, servos, instants and failures, and defines peripherals, without an import for each.
@_exported public import BLECentral
@_exported public import BLECore
@_exported public import enum BLEHost.HostEvent
@_exported public import struct BLEHost.AdvertisingParameters
@_exported public import struct BLEHost.ConnectionInfo
@_exported public import struct BLEHost.GATTSendStatus
@_exported public import struct BLEHost.SecurityConfiguration
@_exported public import struct BLEPackets.ATTErrorCode
@_exported public import struct BLEPackets.HCIErrorCode
@_exported public import BLEPeripheral
@_exported public import Bench
@_exported public import BenchModel
@_exported public import MonotonicTime
