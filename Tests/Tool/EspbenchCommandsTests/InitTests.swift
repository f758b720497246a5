import CommandSupport
import EspbenchCommands
import Foundation
import Testing

/// `espbench init` as its users run it.
@Suite("init", .ownThreads, .serialized, .timeLimit(.minutes(10)))
struct InitTests {
    private func tool(_ arguments: [String], _ folder: URL) throws -> (code: Int32, output: String, errors: String) {
        try EspbenchProcess(arguments, folder: folder).run()
    }

    private func write(_ text: String, _ path: String, _ folder: URL) throws {
        let file = folder.appending(path: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    private static let lamp = """
        #include <NimBLEDevice.h>
        void setup() {
          Serial.begin(115200);
          Serial.println("lamp {ready}");
          NimBLEDevice::init("Lamp");
          NimBLEService* service = NimBLEDevice::createServer()->createService("A000");
          service->createCharacteristic("A001", NIMBLE_PROPERTY::READ | NIMBLE_PROPERTY::WRITE)->setValue("off");
          service->createCharacteristic("A002", NIMBLE_PROPERTY::READ | NIMBLE_PROPERTY::NOTIFY);
          service->createCharacteristic("A003", NIMBLE_PROPERTY::READ | NIMBLE_PROPERTY::READ_ENC);
          NimBLEDevice::getAdvertising()->addServiceUUID("A000");
          NimBLEDevice::getAdvertising()->setName("Lamp");
          NimBLEDevice::startAdvertising();
        }
        void loop() { delay(1000); }

        """

    @Test("writes a project and suites that pass, and leaves what exists alone")
    func complete() throws {
        try withTemporaryFolder { folder in
            try write(Self.lamp, "my firmware/Lamp/Lamp.ino", folder)
            try write("void setup() { pinMode(2, OUTPUT); }\nvoid loop() { delay(500); }\n", "Blink/Blink.ino", folder)
            let first = try tool(["init"], folder)
            #expect(first.code == 0, "\(first.errors)")
            #expect(
                first.output == """
                    wrote espbench.yaml: Blink, Lamp
                    wrote Blink/Suites/blink.yaml: 1 case, all pass
                    wrote my firmware/Lamp/Suites/lamp.yaml: 5 cases, all pass
                    next: espbench test

                    """)
            #expect(first.errors.contains("Blink did not advertise within 10 s"))
            let suite = try String(
                contentsOf: folder.appending(path: "my firmware/Lamp/Suites/lamp.yaml"), encoding: .utf8)
            for line in [
                #"- expect: {console: "lamp {{ready}}", within: 5 s}"#,
                "- scan: {advertising: A000, name: Lamp, within: 10 s}",
                "A001: [read, write]", #"- read: {from: A001, text: "off"}"#, "- subscribe: A002",
            ] { #expect(suite.contains(line), "\(line)\n\(suite)") }
            let tested = try tool(["test"], folder)
            #expect(tested.code == 0, "\(tested.output)\(tested.errors)")
            #expect(tested.output.contains("6 passed in 2 suites"))

            let again = try tool(["init"], folder)
            #expect(again.code == 0)
            #expect(
                again.output == """
                    left alone: espbench.yaml
                    left alone: Blink/Suites/blink.yaml
                    left alone: my firmware/Lamp/Suites/lamp.yaml
                    next: espbench test

                    """)

            try FileManager.default.removeItem(at: folder.appending(path: "Blink/Suites"))
            let objects = try tool(["init", "--json"], folder)
            #expect(
                objects.output == """
                    {"event":"kept","file":"espbench.yaml"}
                    {"cases":1,"event":"wrote","failed":0,"file":"Blink/Suites/blink.yaml","sketches":["Blink"]}
                    {"event":"kept","file":"my firmware/Lamp/Suites/lamp.yaml","sketches":["Lamp"]}

                    """)
        }
    }

    private static let meter = """
        #include <NimBLEDevice.h>
        class Clock : public NimBLECharacteristicCallbacks {
          void onRead(NimBLECharacteristic* value, NimBLEConnInfo&) override { value->setValue((uint32_t)millis()); }
        } readings;
        void setup() {
          NimBLEDevice::init("Meter");
          NimBLEService* service = NimBLEDevice::createServer()->createService("1812");
          service->createCharacteristic("2A4D", NIMBLE_PROPERTY::READ | NIMBLE_PROPERTY::NOTIFY)->setValue("one");
          service->createCharacteristic("2A4D", NIMBLE_PROPERTY::READ | NIMBLE_PROPERTY::WRITE)->setValue("two");
          service->createCharacteristic("A001", NIMBLE_PROPERTY::READ)->setCallbacks(&readings);
          NimBLEDevice::getAdvertising()->addServiceUUID("1812");
          NimBLEDevice::startAdvertising();
        }
        void loop() { delay(1000); }

        """

    /// Whose name, line and values derive from the MAC address, from chance, and from time.
    private static let gateway = """
        #include <NimBLEDevice.h>
        static char text[40];
        static const char* format(const char* form, uint32_t number) {
          snprintf(text, sizeof text, form, (unsigned)number);
          return text;
        }
        void setup() {
          Serial.begin(115200);
          Serial.println(format("gateway %04x", (uint16_t)ESP.getEfuseMac()));
          NimBLEDevice::init(format("GW-%04X", (uint16_t)(ESP.getEfuseMac() >> 32)));
          NimBLEService* service = NimBLEDevice::createServer()->createService("A000");
          service->createCharacteristic("A001", NIMBLE_PROPERTY::READ)->setValue(text);
          service->createCharacteristic("A002", NIMBLE_PROPERTY::READ)->setValue(esp_random());
          service->createCharacteristic("A003", NIMBLE_PROPERTY::READ)->setValue(__DATE__);
          service->createCharacteristic("A004", NIMBLE_PROPERTY::READ)->setValue("fixed");
          NimBLEDevice::getAdvertising()->addServiceUUID("A000");
          NimBLEDevice::getAdvertising()->setName(format("GW-%04X", (uint16_t)(ESP.getEfuseMac() >> 32)));
          NimBLEDevice::startAdvertising();
        }
        void loop() { delay(1000); }

        """

    @Test("expects nothing that derives from the MAC address, chance or time")
    func derived() throws {
        try withTemporaryFolder { folder in
            try write(Self.gateway, "Gateway/Gateway.ino", folder)
            let result = try tool(["init"], folder)
            #expect(result.output.contains("wrote Gateway/Suites/gateway.yaml: 4 cases, all pass"), "\(result)")
            let suite = try String(contentsOf: folder.appending(path: "Gateway/Suites/gateway.yaml"), encoding: .utf8)
            #expect(!suite.contains("GW-") && !suite.contains("gateway 0") && !suite.contains("console:"), "\(suite)")
            #expect(suite.contains("- scan: {advertising: A000, within: 10 s}"), "\(suite)")
            for name in ["A001", "A002", "A003"] { #expect(suite.contains("- read: \(name)\n"), "\(suite)") }
            #expect(suite.contains(#"- read: {from: A004, text: "fixed"}"#), "\(suite)")
        }
    }

    /// Ends the link to whoever reads.
    private static let door = """
        #include <NimBLEDevice.h>
        class Shy : public NimBLECharacteristicCallbacks {
          void onRead(NimBLECharacteristic*, NimBLEConnInfo& who) override {
            NimBLEDevice::getServer()->disconnect(who.getConnHandle());
          }
        } shy;
        void setup() {
          NimBLEDevice::init("Door");
          NimBLEService* service = NimBLEDevice::createServer()->createService("A000");
          service->createCharacteristic("A001", NIMBLE_PROPERTY::READ)->setCallbacks(&shy);
          service->createCharacteristic("A002", NIMBLE_PROPERTY::READ | NIMBLE_PROPERTY::NOTIFY);
          NimBLEDevice::getAdvertising()->addServiceUUID("A000");
          NimBLEDevice::startAdvertising();
        }
        void loop() { delay(1000); }

        """

    @Test("writes suites that pass also of unusual sketches, in a folder that is called like a pattern")
    func unusual() throws {
        try withTemporaryFolder { folder in
            try write(Self.meter, "meters [v2]/Meter/Meter.ino", folder)
            try write(Self.door, "Door/Door.ino", folder)
            let result = try tool(["init"], folder)
            #expect(result.code == 0, "\(result.errors)")
            #expect(result.output.contains("wrote Door/Suites/door.yaml: "), "\(result.output)")
            #expect(!result.output.contains(" fail"), "\(result.output)")
            #expect(
                result.output.contains("wrote meters [v2]/Meter/Suites/meter.yaml: 5 cases, all pass"),
                "\(result.output)")
            let suite = try String(
                contentsOf: folder.appending(path: "meters [v2]/Meter/Suites/meter.yaml"), encoding: .utf8)
            #expect(suite.contains(#"- read: {from: report, text: "one"}"#), "\(suite)")
            #expect(suite.contains("# Its value differs from run to run.\n      - read: A001\n"), "\(suite)")
            let list = try tool(["test", "--list"], folder)
            #expect(list.output.contains(" cases in 2 suites\n"), "\(list.errors)")
        }
    }

    @Test("explains why a sketch has no suite, and writes the others")
    func faulty() throws {
        try withTemporaryFolder { folder in
            try write("void setup() { undeclared(); }\nvoid loop() {}\n", "A/A.ino", folder)
            try write("void setup() { abort(); }\nvoid loop() {}\n", "B/B.ino", folder)
            try write("void setup() {}\nvoid loop() { delay(1); }\n", "C/C.ino", folder)
            let result = try tool(["init"], folder)
            #expect(result.code == ExitReason.buildFailed.rawValue)
            #expect(result.errors.contains("no suite for A: "))
            #expect(result.errors.contains("A.ino:1:"))
            #expect(result.errors.contains("no suite for B: it crashed on the virtual bench: "))
            #expect(result.output.contains("wrote C/Suites/c.yaml"))
            #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "A/Suites").path))
        }
    }

    @Test("a sketch that comes later is found; one that does not build leaves the suites of the others to run")
    func later() throws {
        try withTemporaryFolder { folder in
            try write("void setup() {}\nvoid loop() { delay(1); }\n", "C/C.ino", folder)
            #expect(try tool(["init"], folder).code == 0)
            try write("void setup() { undeclared(); }\nvoid loop() {}\n", "A/A.ino", folder)
            try write("suite: A\ncases: [{name: a, steps: [advance: 1 s]}]\n", "A/Suites/a.yaml", folder)
            let result = try tool(["test"], folder)
            #expect(result.code == ExitReason.buildFailed.rawValue)
            #expect(result.output.contains("1 passed in 1 suite"), "\(result.output)")
            #expect(result.errors.contains("A.ino:1:16: error: "), "\(result.errors)")
            let first = try tool(["test", "--fail-fast"], folder)
            #expect(first.code == ExitReason.buildFailed.rawValue)
            #expect(first.output == "")

            try write("sketches: [C]\n", "espbench.yaml", folder)
            #expect(try tool(["init"], folder).errors.contains("A is not among the sketches of espbench.yaml"))
        }
    }

    @Test("needs a sketch, and a folder that can be written")
    func nothing() throws {
        try withTemporaryFolder { folder in
            let none = try tool(["init"], folder)
            #expect(none.code == ExitReason.nothingRan.rawValue)
            #expect(none.errors.hasPrefix("error: no sketch in \(folder.path) or below it: expected folders"))
            #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "espbench.yaml").path))
            let missing = try tool(["init", "nowhere"], folder)
            #expect(missing.errors.hasPrefix("error: no folder 'nowhere': expected the project's folder at "))
            try write("void setup() {}\nvoid loop() { delay(1); }\n", "C/C.ino", folder)
            let full = try EspbenchProcess(
                ["init"], folder: folder, shell: #"ulimit -f 0; exec "$@""#
            ).run()
            #expect(full.code == ExitReason.benchFault.rawValue)
            #expect(
                full.errors.hasPrefix("error: espbench.yaml could not be written: File too large\n"), "\(full.errors)")
            #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "espbench.yaml").path))
        }
    }
}
