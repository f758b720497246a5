internal import BLEPackets
import Crypto
internal import MonotonicTime

extension CommandEntry {
    /// Commands for encrypting blocks and links, and for P-256 keys.
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

extension Air {
    /// LE Read Local P-256 Public Key: a new key pair each time (Core 5.4, Vol 4 Part E 7.8.36).
    func makePublicKey(_ controller: Controller) {
        var privateKey: P256.KeyAgreement.PrivateKey?
        // Nearly every 32-byte number is a valid private key.
        while privateKey == nil {
            privateKey = try? P256.KeyAgreement.PrivateKey(rawRepresentation: controller.random.bytes(32))
        }
        controller.host.privateKey = privateKey
        // HCI's order is least significant byte first.
        let point = Array(privateKey.map { [UInt8]($0.publicKey.rawRepresentation) } ?? [])
        emit(
            HCILEReadLocalP256PublicKeyComplete(
                status: .success, x: point.prefix(32).reversed()[...], y: point.suffix(32).reversed()[...]),
            to: controller)
    }

    /// LE Generate DHKey; a point that is not on the curve causes an error (Core 5.4, Vol 4 Part E 7.8.37).
    func agreeOnKey(_ controller: Controller, x: ArraySlice<UInt8>, y: ArraySlice<UInt8>) {
        let point = Array(x.reversed() + y.reversed())
        var key: [UInt8] = []
        if let publicKey = try? P256.KeyAgreement.PublicKey(rawRepresentation: point),
            let secret = try? controller.host.privateKey?.sharedSecretFromKeyAgreement(with: publicKey)
        {
            key = secret.withUnsafeBytes { $0.reversed() }
        }
        emit(
            HCILEGenerateDHKeyComplete(
                status: key.isEmpty ? .invalidHCICommandParameters : .success, key: key[...]),
            to: controller)
    }
}
