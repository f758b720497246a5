// swift-tools-version: 6.2
import PackageDescription

/// Every Swift target: language mode 6, and async functions run on the caller's executor.
let swiftSettings: [SwiftSetting] = [
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let cryptoExtras: Target.Dependency = .product(name: "CryptoExtras", package: "swift-crypto")
let flyingFox: Target.Dependency = .product(name: "FlyingFox", package: "FlyingFox")
let flyingSocks: Target.Dependency = .product(name: "FlyingSocks", package: "FlyingFox")
let subprocess: Target.Dependency = .product(name: "Subprocess", package: "swift-subprocess")
let systemPackage: Target.Dependency = .product(name: "SystemPackage", package: "swift-system")
let yams: Target.Dependency = .product(name: "Yams", package: "Yams")

/// A dependency on a target that builds on Linux only; all other targets also build on macOS, for real boards.
func onLinux(_ target: String) -> Target.Dependency { .target(name: target, condition: .when(platforms: [.linux])) }

/// A library target in a folder of Sources, with its imports: the edges of the graph that `Scripts/check` compares with
/// the table in Sources/README.md.
func library(_ name: String, in folder: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, path: "Sources/\(folder)/\(name)", swiftSettings: swiftSettings)
}

func program(_ name: String, in folder: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: "\(folder)/\(name)", swiftSettings: swiftSettings)
}

/// What tests share, and programs that only they run; not part of the product.
func testSupport(
    _ name: String, in folder: String, _ dependencies: [Target.Dependency], exclude: [String] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Tests/\(folder)/\(name)", exclude: exclude,
        swiftSettings: swiftSettings)
}

/// Tests in a folder of Tests.
func tests(_ name: String, in folder: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, path: "Tests/\(folder)/\(name)", exclude: exclude,
        swiftSettings: swiftSettings)
}

let package = Package(
    name: "espbench",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "espbench", targets: ["espbench"]),
        .library(name: "BenchTesting", targets: ["BenchTesting"]),
        .library(name: "BLECentral", targets: ["BLECentral", "BLECentralBackends"]),
        .library(name: "BLEClients", targets: ["BLEClients", "LogFiles"]),
        .library(name: "BLEDescriptions", targets: ["BLEDescriptions", "BLESimulation"]),
        .library(name: "ESPFlasher", targets: ["ESPFlasher"]),
        .library(name: "SerialPort", targets: ["SerialPort"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
    ],
    targets: [
        // Layer 0
        library("ByteCodec", in: "Foundations"),
        library("MonotonicTime", in: "Foundations"),
        library("SourceText", in: "Foundations"),
        library("YAMLReading", in: "Foundations", ["SourceText", yams]),
        library("BenchExecutor", in: "Foundations", ["MonotonicTime"]),
        library("SerialPort", in: "Serial"),
        library("Inbox", in: "Foundations"),
        library("TCP", in: "Foundations", ["Inbox"]),
        library("DBus", in: "Foundations", ["MonotonicTime", "BenchExecutor"]),
        library("PrivateFile", in: "Foundations"),
        .systemLibrary(
            name: "CZlib", path: "Sources/Foundations/CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        library("PNG", in: "Foundations", ["ByteCodec", "CZlib"]),
        .systemLibrary(
            name: "CLibUSB", path: "Sources/Foundations/CLibUSB", pkgConfig: "libusb-1.0",
            providers: [.apt(["libusb-1.0-0-dev"]), .brew(["libusb"])]),
        .target(name: "CFirmwareChannel", path: "Sources/Board/CFirmwareChannel"),
        // Layer 1
        library("BLECore", in: "Bluetooth", ["ByteCodec"]),
        library("BLEPackets", in: "Bluetooth", ["BLECore", "ByteCodec"]),
        library("BLEAssignedNumbers", in: "Bluetooth", ["BLECore"]),
        library("ESPChips", in: "ESP"),
        library("ESPProtocol", in: "ESP", ["ByteCodec"]),
        library("ESPImage", in: "ESP", ["ESPChips", "ByteCodec", crypto]),
        // Layer 2
        library(
            "BLEHost", in: "Bluetooth", ["BLEPackets", "BLECore", "ByteCodec", "MonotonicTime", crypto, cryptoExtras]),
        library(
            "BLERadio", in: "Bluetooth",
            ["BLEPackets", "BLECore", "ByteCodec", "MonotonicTime", "BenchExecutor", crypto, cryptoExtras]),
        library(
            "BLERadioServing", in: "Bluetooth",
            ["BLERadio", "BLEPackets", "BLECore", "MonotonicTime", "BenchExecutor", "Inbox", "TCP"]),
        library("BLECapture", in: "Bluetooth", ["BLEPackets", "BLECore", "MonotonicTime"]),
        library("SerialPOSIX", in: "Serial", ["SerialPort", "PrivateFile"]),
        library("SerialNetwork", in: "Serial", ["SerialPort", "Inbox", "TCP"]),
        library("SerialUSB", in: "Serial", ["SerialPort", "Inbox", "CLibUSB"]),
        library(
            "ESPFlasher", in: "ESP",
            ["ESPChips", "ESPProtocol", "ESPImage", "SerialPort", "ByteCodec", "CZlib", crypto]),
        library("Console", in: "Serial", ["MonotonicTime"]),
        library("BLEH4", in: "Bluetooth", ["BLEPackets", "BenchExecutor", "SerialPort"]),
        // Layer 3
        library("LogFiles", in: "Serial", ["Console", "MonotonicTime"]),
        library("BLECentral", in: "Bluetooth", ["BLECore", "MonotonicTime", "BenchExecutor"]),
        library(
            "BLECentralHCI", in: "Bluetooth",
            [
                "BLECentral", "BLEHost", "BLEPackets", "BLECore", "ByteCodec", "MonotonicTime", "BenchExecutor",
                "PrivateFile",
            ]),
        library("BLECentralCoreBluetooth", in: "Bluetooth", ["BLECentral", "BLECore"]),
        library(
            "BLECentralBlueZ", in: "Bluetooth",
            ["BLECentral", "BLECore", "ByteCodec", "DBus", "MonotonicTime", "BenchExecutor"]),
        library(
            "BLECentralBackends", in: "Bluetooth",
            [
                "BLECentral", "BLECentralHCI", onLinux("BLECentralBlueZ"), onLinux("DBus"), "BLECentralCoreBluetooth",
                "BLEH4", "BLECore", "BenchExecutor", "SerialPort", "SerialPOSIX", "SerialNetwork",
            ]),
        library(
            "BLEClients", in: "Bluetooth",
            [
                "BLECentral", "BLECore", "ByteCodec", "Console", "LogFiles", "SerialPort", "Inbox", "MonotonicTime",
                "BenchExecutor", "PrivateFile",
            ]),
        library(
            "BLEPeripheral", in: "Bluetooth", ["BLEHost", "BLEPackets", "BLECore", "MonotonicTime", "BenchExecutor"]),
        library(
            "BLEDescriptions", in: "Bluetooth",
            ["BLECentral", "BLECore", "ByteCodec", "SourceText", "YAMLReading", "MonotonicTime", yams]),
        library(
            "BLESimulation", in: "Bluetooth",
            [
                "BLEDescriptions", "BLEPeripheral", "BLEHost", "BLEPackets", "BLECore", "MonotonicTime",
                "BenchExecutor",
            ]),
        library(
            "BLEPeripheralBlueZ", in: "Bluetooth",
            [
                "BLEPeripheral", "BLECentralBlueZ", "BLECentral", "BLEHost", "BLEPackets", "BLECore", "DBus",
                "MonotonicTime", "BenchExecutor",
            ]),
        library(
            "BLEPeripheralCoreBluetooth", in: "Bluetooth",
            ["BLEPeripheral", "BLECentralCoreBluetooth", "BLECentral", "BLEPackets", "BLECore", "BenchExecutor"]),
        library(
            "BLEPeripheralBackends", in: "Bluetooth",
            [
                "BLEPeripheral", onLinux("BLEPeripheralBlueZ"), "BLEPeripheralCoreBluetooth", "BLECentralBackends",
                "BLECentral", "BLEH4", onLinux("DBus"), "BenchExecutor",
            ]),
        .target(
            name: "BoardParts", dependencies: ["ESPChips", "MonotonicTime", "YAMLReading", yams],
            path: "Sources/Board/BoardParts", exclude: ["README.md"],
            resources: [.embedInCode("Registers/Parts")], swiftSettings: swiftSettings),
        library(
            "VirtualBoard", in: "Board",
            [
                "BoardParts", "ESPChips", "ESPProtocol", "ESPImage", "SerialPort", "BLEPeripheral", "BLEHost",
                "BLERadio",
                "BLEPackets", "BLECore", "ByteCodec", "MonotonicTime", "BenchExecutor", "CFirmwareChannel", "CZlib",
                crypto, cryptoExtras,
            ]),
        library(
            "FirmwareBuild", in: "Board",
            [
                "ByteCodec", "PrivateFile", "ESPChips", "ESPImage", "Console", onLinux("CFirmwareChannel"), crypto,
                subprocess, systemPackage, yams,
            ]),
        // Layer 4
        library("BenchModel", in: "Bench", ["ByteCodec", "SourceText", "BLECore", "Console", "MonotonicTime"]),
        library(
            "Bench", in: "Bench",
            [
                "SourceText", "BoardParts", "BenchModel", "BLEDescriptions", "BLECentral", "BLEPackets", "BLECore",
                "ESPFlasher",
                "ESPImage",
                "Console", "MonotonicTime", "BenchExecutor", "ByteCodec",
            ]),
        library(
            "BenchSuites", in: "Bench",
            [
                "BoardParts", "Bench", "BenchModel", "BLEDescriptions", "BLECentral", "BLEPackets", "BLECore",
                "Console", "PNG",
                "SourceText", "YAMLReading", "MonotonicTime", "BenchExecutor", yams,
            ]),
        library(
            "BenchVirtual", in: "Bench",
            [
                "BoardParts", "Bench", "BenchModel", "BLESimulation", "BLEDescriptions", "VirtualBoard",
                "BLECentralHCI",
                "BLECentral", "BLEPeripheral", "BLEHost", "BLERadio", "BLEPackets", "BLECore", "ESPFlasher", "ESPImage",
                "MonotonicTime", "BenchExecutor",
            ]),
        library(
            "BenchHardware", in: "Bench",
            [
                "Bench", "BenchModel", "BLECentralBackends", "BLECentral", "BLECore", "ESPChips", "ESPFlasher",
                "ESPImage", "SerialPort", "MonotonicTime", "BenchExecutor", subprocess, systemPackage,
            ]),
        library(
            "BenchProject", in: "Bench",
            [
                "BenchModel", "BenchSuites", "BLECentral", "FirmwareBuild", "PrivateFile", "YAMLReading", systemPackage,
                yams,
            ]),
        library(
            "BenchReports", in: "Bench",
            ["BenchModel", "BLEDescriptions", "BLEPackets", "BLECore", "Console", "ByteCodec", "MonotonicTime"]),
        library(
            "BenchTesting", in: "Bench",
            [
                "SourceText",
                "Bench", "BenchModel", "BenchReports", "BenchSuites", "BenchProject", onLinux("BenchVirtual"),
                "BoardParts", "FirmwareBuild", "BLEPeripheral", "BLECentral", "BLEHost", "BLEPackets", "BLECore",
                "ESPImage",
                "MonotonicTime", "BenchExecutor",
            ]),
        // Layer 5
        .target(name: "CLivePage", path: "Sources/Tool/CLivePage", exclude: ["Page"]),
        .target(
            name: "LivePage",
            dependencies: [
                "CLivePage", "BLEDescriptions", "BenchModel", "BenchReports", "MonotonicTime", flyingFox, flyingSocks,
                systemPackage,
            ],
            path: "Sources/Tool/LivePage", exclude: ["README.md", "Pictures"], swiftSettings: swiftSettings),
        library(
            "CommandSupport", in: "Tool",
            [
                "ByteCodec", "MonotonicTime", "SourceText", "YAMLReading", "BenchExecutor", "SerialPort", "PrivateFile",
                "BLECore", "ESPChips", "ESPImage", "BLERadio", "BLECapture", "SerialPOSIX", "SerialNetwork",
                "SerialUSB", "ESPFlasher", "Console", "BLECentral", "BLECentralHCI", "BLECentralBackends", "LogFiles",
                "BLEClients", "BLEDescriptions", "FirmwareBuild", "BenchModel", "BenchSuites", "BenchProject",
                "BenchReports",
                argumentParser,
            ]),
        library(
            "BoardConsole", in: "Tool",
            [
                "ByteCodec", "MonotonicTime", "BenchExecutor", "SerialPort", "ESPChips", "ESPImage", "BLERadio",
                "ESPFlasher", "Console", "LogFiles", onLinux("VirtualBoard"), "FirmwareBuild", "BenchModel",
                "BenchReports", "CommandSupport", argumentParser,
            ]),
        library(
            "BenchRuns", in: "Tool",
            [
                "ByteCodec", "MonotonicTime", "YAMLReading", "BenchExecutor", "SerialPort", "PrivateFile", "ESPImage",
                "ESPFlasher", "BLECentral", "LogFiles", "FirmwareBuild", "BenchModel", "Bench", "BenchSuites",
                onLinux("BenchVirtual"), "BenchHardware", "BenchProject", "BenchReports", "CommandSupport",
                argumentParser,
            ]),
        library(
            "ProjectCommands", in: "Tool",
            [
                "BoardParts", "YAMLReading", "ByteCodec", "BenchExecutor", "SerialPort", "BLECore", "ESPChips",
                "ESPImage",
                "Console", "BLECentral", "LogFiles", "BLEDescriptions", "FirmwareBuild", "BenchModel", "Bench",
                "BenchSuites", "BenchProject",
                "BenchReports", "CommandSupport", "BoardConsole", "BenchRuns", argumentParser,
            ]),
        library(
            "BoardCommands", in: "Tool",
            [
                "ByteCodec", "BenchExecutor", "SerialPort", "ESPChips", "ESPImage", "ESPFlasher", "Console", "LogFiles",
                "FirmwareBuild", "BenchReports", "CommandSupport", "BoardConsole", argumentParser,
            ]),
        library(
            "BluetoothCommands", in: "Tool",
            [
                "ByteCodec", "MonotonicTime", "SourceText", "YAMLReading", "BenchExecutor", "SerialPort", "BLECore",
                "BLEAssignedNumbers", "BLEPackets", "SerialPOSIX", "Console", "BLECentral", "BLECentralBackends",
                "BLEClients", "BLEPeripheral", "BLEDescriptions", "BLESimulation", "BLEPeripheralBackends",
                "BenchModel", "Bench", "BenchReports", "CommandSupport", "BoardConsole", argumentParser,
            ]),
        library(
            "ServeCommands", in: "Tool",
            [
                "ByteCodec", "SourceText", "PNG", "MonotonicTime", "BenchExecutor", "SerialPort", "BLECore",
                "BLEAssignedNumbers", "BLEPackets", "ESPChips", "BLERadio", "BLERadioServing", "SerialPOSIX",
                "SerialNetwork", "ESPFlasher", "Console", "BLEH4", "BLECentral", "BLECentralBackends", "LogFiles",
                "BLEClients", "BLEPeripheral", "BLEDescriptions", onLinux("VirtualBoard"), "FirmwareBuild",
                "BoardParts", "BenchModel", "Bench", "BenchSuites", "BenchProject", "BenchHardware", "BenchReports",
                "LivePage", "CommandSupport", "BoardConsole", "BenchRuns", argumentParser, systemPackage,
            ]),
        library(
            "EspbenchCommands", in: "Tool",
            [
                "BLECore", "FirmwareBuild", "BenchModel", "BenchProject", "BenchReports", "CommandSupport",
                "ProjectCommands", "BoardCommands", "BluetoothCommands", "ServeCommands", argumentParser,
            ]),
        .executableTarget(
            name: "espbench", dependencies: ["EspbenchCommands"], path: "Sources/Tool/espbench",
            exclude: ["Info.plist"], swiftSettings: swiftSettings,
            // macOS ends a program that uses Bluetooth and does not say why.
            linkerSettings: [
                .unsafeFlags(
                    [
                        "-Xlinker", "-sectcreate", "-Xlinker", "__TEXT", "-Xlinker", "__info_plist", "-Xlinker",
                        "\(Context.packageDirectory)/Sources/Tool/espbench/Info.plist",
                    ], .when(platforms: [.macOS]))
            ]),
        // No part of the product: Scripts/bench runs it.
        program(
            "RadioBenchmark", in: "Sources/Tool",
            [
                "BLECentral", "BLECentralHCI", "BLESimulation", "BLEDescriptions", "BLEPeripheral", "BLEHost",
                "BLERadio", "BLEPackets", "BLECore", "MonotonicTime", "BenchExecutor",
            ]),

        testSupport(
            "USBDevices", in: "Serial",
            [onLinux("VirtualBoard"), "SerialPort", "Inbox", "TCP", "ByteCodec", "MonotonicTime", "BenchExecutor"]),
        program(
            "EmulatedUSB", in: "Tests/Serial",
            ["USBDevices", onLinux("VirtualBoard"), "FirmwareBuild", "BLERadio", "MonotonicTime", "BenchExecutor"]),
        tests(
            "USBDevicesTests", in: "Serial",
            [
                "USBDevices", "VirtualBoard", "BLERadio", "SerialPort", "Inbox", "TCP", "ByteCodec", "MonotonicTime",
                "BenchExecutor",
            ]),

        tests(
            "BLEPacketsTests", in: "Bluetooth", ["BLECapture", "BLEPackets", "BLECore", "ByteCodec", "MonotonicTime"]),
        tests(
            "BLERadioTests", in: "Bluetooth",
            [
                "BLERadioServing", "BLERadio", "BLEPackets", "BLECore", "ByteCodec", "MonotonicTime", "BenchExecutor",
                crypto,
            ]),
        tests(
            "FuzzTests", in: "Bluetooth",
            ["BLEHost", "BLERadioServing", "BLERadio", "BLEPackets", "BLECore", "ByteCodec", "MonotonicTime"]),
        tests(
            "H4Tests", in: "Bluetooth",
            ["BLERadioServing", "BLERadio", "BLEPackets", "BLECore", "MonotonicTime", "BenchExecutor", "Inbox", "TCP"]),
        tests(
            "InteropTests", in: "Board",
            [
                "ServeCommands", "CommandSupport", "VirtualBoard", "FirmwareBuild", "ESPImage", "BLECentralHCI",
                "BLECentral", "BLEPeripheral", "BLEHost", "BLERadio", "BLECapture", "BLERadioServing", "BLEPackets",
                "BLECore", "ByteCodec", "LogFiles", "MonotonicTime", "BenchExecutor",
            ], exclude: ["Bumble"]),
        tests(
            "FirmwareBuildTests", in: "Board", ["FirmwareBuild", "Console", "ByteCodec", "ESPChips", "ESPImage"],
            exclude: ["CoreDump", "Panic"]),
        tests(
            "BLECentralTests", in: "Bluetooth", ["BLECentral", "BLECore", "MonotonicTime", "BenchExecutor"]),
        testSupport(
            "CentralConformance", in: "Bluetooth",
            [
                "BLEClients", "BLECentral", "BLEPeripheral", "BLEHost", "BLERadio", "BLEPackets", "BLECore",
                "MonotonicTime", "BenchExecutor",
            ]),
        program(
            "ConformanceProgram", in: "Tests/Bluetooth",
            [
                "CentralConformance", "BLECentralBackends", "BLEClients", "BLECentral", "BLERadioServing", "BLERadio",
                "BLECore", "LogFiles", "MonotonicTime", "BenchExecutor",
            ]),
        program(
            "PublishProgram", in: "Tests/Bluetooth",
            [
                "BLEPeripheralBackends", "BLEPeripheral", "BLECentralBackends", "BLECentral", "BLEHost", "BLEPackets",
                "BLECore", "MonotonicTime", "BenchExecutor",
            ]),
        tests(
            "BLEClientsTests", in: "Bluetooth",
            [
                "BLEClients", "CentralConformance", "ConformanceProgram", "BLECentralHCI", "BLECentral",
                "BLEPeripheral", "BLEHost", "BLERadio", "BLEPackets", "BLECore", "Console", "LogFiles", "MonotonicTime",
                "BenchExecutor",
            ]),
        tests(
            "CentralConformanceTests", in: "Bluetooth",
            ["CentralConformance", "BLECentralHCI", "BLECentral", "BLERadio", "BLECore", "BenchExecutor"]),
        tests(
            "BLECentralBlueZTests", in: "Bluetooth",
            [
                "BLECentralBlueZ", "BLECentral", "BLEClients", "BLECore", "ByteCodec", "BusSupport", "DBus",
                "MonotonicTime", "BenchExecutor",
            ],
            exclude: ["Peer"]),
        tests(
            "BLEPeripheralBlueZTests", in: "Bluetooth",
            [
                "BLEPeripheralBlueZ", "BLEPeripheral", "BLECentral", "BLEHost", "BLEPackets", "BLECore", "BusSupport",
                "DBus", "MonotonicTime", "BenchExecutor",
            ],
            exclude: ["Peer"]),
        tests(
            "BLECentralHCITests", in: "Bluetooth",
            [
                "BLECentralHCI", "BLECentral", "BLEPeripheral", "BLEHost", "BLERadio", "BLEPackets", "BLECore",
                "ByteCodec", "MonotonicTime", "BenchExecutor",
            ]),
        tests(
            "BLEPeripheralTests", in: "Bluetooth",
            [
                "BLEPeripheral", "BLECentralHCI", "BLECentral", "BLEHost", "BLERadio", "BLEPackets", "BLECore",
                "MonotonicTime", "BenchExecutor",
            ]),
        tests(
            "BLECentralCoreBluetoothTests", in: "Bluetooth",
            ["BLECentralCoreBluetooth", "BLEPeripheralCoreBluetooth", "BLEPeripheral", "BLECentral", "BLECore"],
            exclude: ["Stub"]),
        tests("BLECoreTests", in: "Bluetooth", ["BLECore", "ByteCodec"]),
        tests(
            "BLEH4Tests", in: "Bluetooth",
            [
                "BLECentralBackends", "BLECentralHCI", "BLECentral", "BLEPeripheral", "BLERadioServing", "BLERadio",
                "BLECore", "BenchExecutor", "Inbox", "TCP",
            ]),
        tests(
            "BLEDescriptionsTests", in: "Bluetooth",
            [
                "BLESimulation", "BLEDescriptions", "BLECentralHCI", "BLECentral", "BLEPeripheral", "BLERadio",
                "BLEPackets", "BLECore", "BLEHost", "YAMLReading", "MonotonicTime", "BenchExecutor",
            ]),
        tests("BLEAssignedNumbersTests", in: "Bluetooth", ["BLEAssignedNumbers", "BLECore"]),
        tests("BLEHostTests", in: "Bluetooth", ["BLEHost", "BLEPackets", "BLECore", "ByteCodec", "MonotonicTime"]),
        tests("ByteCodecTests", in: "Foundations", ["ByteCodec"]),
        testSupport("BusSupport", in: "Foundations", [onLinux("DBus")]),
        tests(
            "DBusTests", in: "Foundations", ["BusSupport", "DBus", "MonotonicTime", "BenchExecutor"], exclude: ["Peer"]),
        tests("InboxTests", in: "Foundations", ["Inbox"]),
        tests("PNGTests", in: "Foundations", ["PNG", "ByteCodec", "CZlib", "MonotonicTime"]),
        tests("PrivateFileTests", in: "Foundations", ["PrivateFile"]),
        tests(
            "BenchTests", in: "Bench",
            ["Bench", "BenchModel", "BLECentral", "BLECore", "MonotonicTime", "BenchExecutor"]),
        tests(
            "BenchSuitesTests", in: "Bench",
            [
                "BoardParts", "YAMLReading", "BenchSuites", "Bench", "BenchModel", "BLECentral", "BLEPackets",
                "BLECore", "PNG",
                "MonotonicTime", "BenchExecutor",
            ]),
        tests(
            "BenchProjectTests", in: "Bench",
            ["YAMLReading", "BenchProject", "FirmwareBuild", "BenchSuites", "BenchModel", "BLECentral"]),
        tests(
            "BenchReportsTests", in: "Bench",
            ["BenchReports", "BenchModel", "BLEDescriptions", "YAMLReading", "Console", "BLECore", "MonotonicTime"]),
        tests(
            "LivePageTests", in: "Tool",
            [
                "LivePage", "BLEDescriptions", "BenchModel", "MonotonicTime", "YAMLReading", flyingFox, flyingSocks,
                systemPackage, "TimelineFlood",
            ], exclude: ["audit.js", "browser.py", "live.py", "live_parts.py", "Sketches"]),
        program("TimelineFlood", in: "Tests/Tool", ["LivePage", "BenchModel", "MonotonicTime", systemPackage]),
        tests(
            "BenchTestingTests", in: "Bench",
            [
                "BenchTesting", "Bench", "BoardParts", "BenchModel", "BLECentral", "BLEClients", "BLEPackets",
                "BenchExecutor",
            ]),
        tests("BenchModelTests", in: "Bench", ["BenchModel", "BLECore", "ByteCodec", "MonotonicTime"]),
        tests(
            "EspbenchCommandsTests", in: "Tool",
            [
                "ESPChips", "CommandSupport", "BoardConsole", "BenchRuns", "ProjectCommands", "BoardCommands",
                "BluetoothCommands", "ServeCommands", "EspbenchCommands", "espbench", "Bench", "BenchModel",
                "BenchSuites", "BLECore", "ESPFlasher", "BLECentral", "BusSupport", "ESPImage", "FirmwareBuild",
                "LivePage", "LogFiles", "SerialPort", "MonotonicTime", "BenchExecutor", "Inbox", "TCP", argumentParser,
            ], exclude: ["Help", "Bumble"]),
        tests(
            "BoardTests", in: "Board",
            [
                "VirtualBoard", "FirmwareBuild", "CFirmwareChannel", "ESPImage", "BLECentralHCI", "BLECentral",
                "BLEHost", "BLERadio", "BLEPackets", "BLECore", "ByteCodec", "Console", "MonotonicTime", "SerialPort",
                "BenchExecutor",
            ]),
        tests("BenchExecutorTests", in: "Foundations", ["BenchExecutor", "MonotonicTime"]),
        testSupport("LoaderTraces", in: "ESP", ["ESPProtocol"], exclude: ["README.md", "Recorded"]),
        tests("ESPChipsTests", in: "ESP", ["ESPChips"]),
        tests("ESPProtocolTests", in: "ESP", ["LoaderTraces", "ESPProtocol", "ByteCodec", "MonotonicTime"]),
        tests(
            "SerialNetworkTests", in: "Serial",
            ["SerialNetwork", "SerialPort", "TCP", "MonotonicTime", "BenchExecutor"]),
        tests("ConsoleTests", in: "Serial", ["Console", "MonotonicTime"]),
        tests("LogFilesTests", in: "Serial", ["LogFiles"]),
        tests("ESPImageTests", in: "ESP", ["ESPChips", "ESPImage", "ByteCodec", "MonotonicTime"]),
        tests("SerialPOSIXTests", in: "Serial", ["SerialPOSIX", "SerialPort"]),
        program("USBProbe", in: "Tests/Serial", ["SerialUSB", "SerialPort", "ESPFlasher", "ESPImage", "ESPChips"]),
        tests(
            "SerialUSBTests", in: "Serial", ["SerialUSB", "SerialPort", "USBProbe", "EmulatedUSB", "espbench"],
            exclude: ["Mock"]),
        tests("BoardPartsTests", in: "Board", ["BoardParts", "YAMLReading", "MonotonicTime"]),
        tests(
            "VirtualBoardTests", in: "Board",
            [
                "BoardParts", "CFirmwareChannel", "LoaderTraces", "ESPChips", "VirtualBoard", "SerialNetwork",
                "SerialPOSIX", "ESPFlasher", "ESPProtocol", "ESPImage", "SerialPort", "CZlib", "ByteCodec",
                "MonotonicTime", "BenchExecutor", crypto,
            ]),
        tests(
            "ESPFlasherTests", in: "ESP",
            [
                "LoaderTraces", "ESPChips", "ESPFlasher", "ESPProtocol", "ESPImage", "SerialPort", "ByteCodec", "CZlib",
                crypto,
            ]),
    ],
    swiftLanguageModes: [.v6]
)
