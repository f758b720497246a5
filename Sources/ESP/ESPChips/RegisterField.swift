/// A number in the bits of one or more words of a chip's address space, such as a revision in the eFuses.
///
/// A flasher reads ``addresses`` and calls ``value(in:)``; a virtual board stores the number with ``store(_:in:)``.
public struct RegisterField: Hashable, Sendable {
    /// Adjacent bits of one word.
    public struct Piece: Hashable, Sendable {
        /// The word's address.
        public let address: UInt32
        /// The lowest bit.
        public let shift: UInt32
        /// The number of bits, 1 to 31.
        public let width: UInt32

        /// The bits in the word.
        public var mask: UInt32 { ((1 << width) - 1) << shift }
    }

    /// The pieces, that of the least significant bits first.
    public let pieces: [Piece]

    init(_ address: UInt32, _ shift: UInt32, _ width: UInt32) {
        pieces = [Piece(address: address, shift: shift, width: width)]
    }

    init(_ pieces: [Piece]) {
        self.pieces = pieces
    }

    /// A field with `other` as its more significant bits.
    func and(_ address: UInt32, _ shift: UInt32, _ width: UInt32) -> RegisterField {
        RegisterField(pieces + [Piece(address: address, shift: shift, width: width)])
    }

    /// The addresses of its words.
    public var addresses: [UInt32] { pieces.map(\.address) }

    /// The number, from words by address; a missing word is 0.
    public func value(in words: [UInt32: UInt32]) -> UInt32 {
        var value: UInt32 = 0
        var position: UInt32 = 0
        for piece in pieces {
            value |= (((words[piece.address] ?? 0) & piece.mask) >> piece.shift) << position
            position += piece.width
        }
        return value
    }

    /// Sets the field to `value` in `words`; bits that do not fit are dropped.
    public func store(_ value: UInt32, in words: inout [UInt32: UInt32]) {
        var rest = value
        for piece in pieces {
            words[piece.address, default: 0] &= ~piece.mask
            words[piece.address, default: 0] |= (rest << piece.shift) & piece.mask
            rest >>= piece.width
        }
    }
}
