import BLEPackets
import Crypto
import MonotonicTime

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

    /// LE Generate DHKey; a point that is not on the curve is an error (Core 5.4, Vol 4 Part E 7.8.37).
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
