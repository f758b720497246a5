// Re-exported, so that programs with a central need only one import.
@_exported public import BLECentral
@_exported public import BLECore
@_exported public import struct BLECentralHCI.BondFile
