// A test names UUIDs, securities, servos, instants and failures without an import for each.
@_exported public import BLECentral
@_exported public import BLECore
@_exported public import Bench
@_exported public import BenchModel
@_exported public import MonotonicTime
