// swift-tools-version: 6.2
import PackageDescription

/// Every Swift target: language mode 6, and async functions that stay on the caller's executor.
let swiftSettings: [SwiftSetting] = [
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let cryptoExtras: Target.Dependency = .product(name: "CryptoExtras", package: "swift-crypto")
let subprocess: Target.Dependency = .product(name: "Subprocess", package: "swift-subprocess")
let systemPackage: Target.Dependency = .product(name: "SystemPackage", package: "swift-system")
let yams: Target.Dependency = .product(name: "Yams", package: "Yams")

/// A library target of ours, with its imports: the edges of the graph that `Scripts/check` holds
/// against the table in README.md.
func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: swiftSettings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: swiftSettings)
}

let package = Package(
    name: "espbench",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "espbench", targets: ["espbench"])],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", exact: "1.0.2"),
    ],
    targets: [
        // Layer 0
        library("ByteCodec"),
        library("MonotonicTime"),
        library("Simulation", ["MonotonicTime"]),
        library("SerialPort"),
        library("TCP"),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "CFirmwareChannel"),
        // Layer 1
        library("BLECore", ["ByteCodec"]),
        library("BLEPackets", ["BLECore", "ByteCodec"]),
        library("ESPProtocol", ["ByteCodec"]),
        library("ESPImage", ["ByteCodec", crypto]),
        // Layer 2
        library("BLEHost", ["BLEPackets", "BLECore", "ByteCodec", "MonotonicTime", crypto, cryptoExtras]),
        library(
            "BLERadio",
            [
                "BLEPackets", "BLECore", "ByteCodec", "MonotonicTime", "Simulation", "TCP", crypto, cryptoExtras,
            ]),
        library("SerialPOSIX", ["SerialPort"]),
        library("SerialNetwork", ["SerialPort", "TCP"]),
        library(
            "ESPFlasher", ["ESPProtocol", "ESPImage", "SerialPort", "ByteCodec", "CZlib", crypto]),
        library("Console", ["MonotonicTime"]),
        // Layer 3
        library("BLECentral", ["BLECore"]),
        library(
            "BLECentralHCI",
            ["BLECentral", "BLEHost", "BLEPackets", "BLECore", "ByteCodec", "MonotonicTime", "Simulation"]),
        library(
            "VirtualBoard",
            [
                "ESPProtocol", "ESPImage", "SerialPort", "BLEHost", "BLERadio", "BLEPackets", "BLECore", "ByteCodec",
                "MonotonicTime", "Simulation", "CFirmwareChannel", "CZlib", crypto,
            ]),
        library("FirmwareBuild", ["ESPImage", "CFirmwareChannel", crypto, subprocess, systemPackage, yams]),
        // Layer 4
        library("BenchModel", ["BLECore", "MonotonicTime", yams]),
        library(
            "Bench",
            [
                "BenchModel", "BLECentral", "BLECentralHCI", "BLEHost", "BLERadio", "BLEPackets", "BLECore",
                "ByteCodec", "VirtualBoard", "ESPFlasher", "ESPImage", "Console", "MonotonicTime",
                "Simulation",
            ]),
        library("BenchReports", ["BenchModel", "BLECore", "MonotonicTime"]),
        // Layer 5
        library(
            "EspbenchCommands",
            [
                "Bench", "BenchModel", "BenchReports", "FirmwareBuild", "ESPFlasher", "ESPImage", "ESPProtocol",
                "SerialPort",
                "SerialPOSIX", "SerialNetwork", "Console", "BLERadio", "VirtualBoard", "MonotonicTime", "Simulation",
                argumentParser,
            ]),
        .executableTarget(name: "espbench", dependencies: ["EspbenchCommands"], swiftSettings: swiftSettings),
        // No part of the product: Scripts/bench runs it.
        .executableTarget(
            name: "RadioBenchmark",
            dependencies: [
                "BLECentral", "BLECentralHCI", "BLEHost", "BLERadio", "BLEPackets", "BLECore", "MonotonicTime",
                "Simulation",
            ], swiftSettings: swiftSettings),

        tests("BLEPacketsTests", ["BLEPackets", "BLECore", "ByteCodec", "MonotonicTime"]),
        tests(
            "BLERadioTests",
            ["BLERadio", "BLEPackets", "BLECore", "ByteCodec", "MonotonicTime", "Simulation", crypto]),
        tests("FuzzTests", ["BLEHost", "BLERadio", "BLEPackets", "BLECore", "ByteCodec", "MonotonicTime"]),
        tests("H4Tests", ["BLERadio", "BLEPackets", "BLECore", "MonotonicTime", "Simulation", "TCP"]),
        tests(
            "InteropTests",
            [
                "VirtualBoard", "FirmwareBuild", "ESPImage", "BLECentralHCI", "BLECentral", "BLERadio", "BLEPackets",
                "BLECore", "ByteCodec", "MonotonicTime", "Simulation",
            ], exclude: ["Bumble"]),
        tests("FirmwareBuildTests", ["FirmwareBuild"]),
        tests(
            "BLECentralHCITests",
            [
                "BLECentralHCI", "BLECentral", "BLEHost", "BLERadio", "BLEPackets", "BLECore", "ByteCodec",
                "MonotonicTime", "Simulation",
            ]),
        tests("BLECoreTests", ["BLECore", "ByteCodec"]),
        tests("BLEHostTests", ["BLEHost", "BLEPackets", "BLECore", "ByteCodec", "MonotonicTime"]),
        tests("ByteCodecTests", ["ByteCodec"]),
        tests("BenchTests", ["Bench", "BenchModel", "BLECentral", "BLECore", "MonotonicTime", "Simulation"]),
        tests("BenchReportsTests", ["BenchReports", "BenchModel", "BLECore", "MonotonicTime"]),
        tests("BenchModelTests", ["BenchModel", "BLECore", "MonotonicTime"]),
        tests(
            "EspbenchCommandsTests",
            [
                "EspbenchCommands", "espbench", "Bench", "BenchModel", "ESPFlasher", "ESPImage", "FirmwareBuild",
                "SerialPort", "MonotonicTime", "Simulation", "TCP", argumentParser,
            ], exclude: ["Help"]),
        tests(
            "BoardTests",
            [
                "VirtualBoard", "FirmwareBuild", "ESPImage", "BLECentralHCI", "BLECentral", "BLEHost", "BLERadio",
                "BLEPackets", "BLECore", "ByteCodec", "MonotonicTime", "SerialPort", "Simulation",
            ]),
        tests("SimulationTests", ["Simulation", "MonotonicTime"]),
        tests("ESPProtocolTests", ["ESPProtocol", "ByteCodec", "MonotonicTime"]),
        tests("SerialNetworkTests", ["SerialNetwork", "SerialPort", "MonotonicTime", "Simulation"]),
        tests("ConsoleTests", ["Console", "MonotonicTime"]),
        tests("ESPImageTests", ["ESPImage", "ByteCodec", "MonotonicTime"]),
        tests("SerialPOSIXTests", ["SerialPOSIX", "SerialPort"]),
        tests(
            "VirtualBoardTests",
            [
                "VirtualBoard", "SerialNetwork", "ESPFlasher", "ESPProtocol", "ESPImage", "SerialPort", "ByteCodec",
                "MonotonicTime",
                "Simulation",
            ]),
        tests(
            "ESPFlasherTests", ["ESPFlasher", "ESPProtocol", "ESPImage", "SerialPort", "ByteCodec", "CZlib", crypto]),
    ],
    swiftLanguageModes: [.v6]
)
