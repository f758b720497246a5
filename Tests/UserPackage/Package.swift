// swift-tools-version: 6.2
import PackageDescription

// A package of a firmware developer with tests of sketches in Swift. It depends on espbench by path only because it is
// kept with it; others write `.package(url: "…/espbench", from: "…")`. `Scripts/test-package` runs it.
let package = Package(
    name: "UserPackage",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "espbench", path: "../..")],
    targets: [
        .testTarget(
            name: "FirmwareTests",
            dependencies: [
                .product(name: "BenchTesting", package: "espbench"), .product(name: "BLECentral", package: "espbench"),
                .product(name: "BLEClients", package: "espbench"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
