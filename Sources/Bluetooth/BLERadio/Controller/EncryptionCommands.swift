import BLEPackets

extension CommandEntry {
    /// Encrypting a block and a link; P-256.
    static let encryptionCommands: [CommandEntry] = [
        .complete(27, 6) { (_, _, command: HCILEEncrypt) in
            // HCI's order is least significant byte first.
            var block = Array(command.plaintext.reversed())
            BlockCipher.encrypt(&block, key: command.key.reversed())
            return .init(status: .success, encryptedData: block.reversed()[...])
        },
        .status(
            28, 0,
            check: { (_, controller, command: HCILEEnableEncryption) in
                guard let end = controller.end(command.handle) else { return .unknownConnectionIdentifier }
                return end.role == .central && end.encryption.step == .idle && end.terminating == nil
                    ? .success : .commandDisallowed
            },
            begin: { air, controller, command in
                if let end = controller.end(command.handle) { air.enableEncryption(end, command) }
            }),
        .complete(28, 1) { (air, controller, command: HCILELongTermKeyRequestReply) in
            let status = keyRequestStatus(command.handle, controller)
            if status == .success, let end = controller.end(command.handle) {
                air.answerKeyRequest(end, command.longTermKey)
            }
            return .init(status: status, handle: command.handle)
        },
        .complete(28, 2) { (air, controller, command: HCILELongTermKeyRequestNegativeReply) in
            let status = keyRequestStatus(command.handle, controller)
            if status == .success, let end = controller.end(command.handle) { air.refuseKeyRequest(end) }
            return .init(status: status, handle: command.handle)
        },
        .status(34, 1, check: { (_, _, _: HCILEReadLocalP256PublicKey) in .success }) { air, controller, _ in
            air.makePublicKey(controller)
        },
        .status(
            34, 2,
            check: { (_, controller, _: HCILEGenerateDHKey) in
                controller.host.privateKey == nil ? .commandDisallowed : .success
            },
            begin: { air, controller, command in air.agreeOnKey(controller, x: command.x, y: command.y) }),
    ]

    private static func keyRequestStatus(_ handle: UInt16, _ controller: Controller) -> HCIErrorCode {
        guard let end = controller.end(handle) else { return .unknownConnectionIdentifier }
        return end.role == .peripheral && end.encryption.step == .awaitingKey ? .success : .commandDisallowed
    }
}
