// A test names UUIDs, securities, errors and servo patterns without an import for each.
@_exported public import BLECentral
@_exported public import BLECore
@_exported public import Bench
