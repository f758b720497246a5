#if canImport(VirtualBoard)
    import SerialNetwork

    /// A TCP port on which a board's serial line is served.
    struct ServedPort: Sendable {
        /// How it is served.
        enum Kind: Sendable {
            /// Raw bytes; a SYNC resets the board into download mode.
            case socket
            /// Raw bytes; only the board's own buttons reset it.
            case socketWithoutReset
            /// RFC 2217, with modem lines.
            case rfc2217

            /// The server's transport.
            var transport: SerialServer.Transport { self == .rfc2217 ? .rfc2217 : .socket }
        }

        /// How it is served.
        let kind: Kind
        /// The TCP port; 0: any.
        let number: UInt16
    }
#endif
