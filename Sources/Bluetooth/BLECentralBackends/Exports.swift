// Programs with a central need one import.
@_exported public import BLECentral
@_exported public import BLECore
@_exported public import struct BLECentralHCI.BondFile
